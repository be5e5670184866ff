/** Launches as people keep them: what reaches the server of each, from which release and on which cards. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { parseLaunchCommand } from "../../../knowledge/launch/launch-command.ts";

const folder = join(packageRoot, "test/fixtures/launch/kept");
const model = "--model-path nvidia/Qwen3.5-397B-A17B-NVFP4";

/** Variables and options, release, cards. */
const launches: Record<string, readonly [string, string?, object?]> = {
    "apptainer.sh": [`NCCL_DEBUG=INFO SGLANG_X=1 ${model} --tp 8`, "0.5.17"],
    "compose-in-script.sh": ["nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 8"],
    "compose-shell.yml": [
        `NCCL_DEBUG=INFO CUDA_VISIBLE_DEVICES=0,1,2,3 ${model} --tp 4 --trust-remote-code`,
        "0.5.17",
        { indices: [0, 1, 2, 3] },
    ],
    "docker-shell.sh": [
        `NCCL_DEBUG=WARN ${model} --tp 4 --host 0.0.0.0 --port 8000`,
        "0.5.16",
        { indices: [0, 1, 2, 3] },
    ],
    "docker.mk": [`${model} --tp 4 --port 8000`, "0.5.17", { indices: [0, 1, 2, 3] }],
    "docker.service": [`NCCL_P2P_LEVEL=SYS ${model} --tp 8`, "0.5.17"],
    "kubectl-run.sh": [`NCCL_DEBUG=INFO ${model} --tp 8`],
    "leader-worker-set.yaml": [`${model} --tp 16 --nnodes 2`, "0.5.17", { count: 8 }],
    "models-by-key.sh": [`SGLANG_X=1 ${model} --tp 8 --context-length 131072`],
    "options-and-health.sh": [`${model} --port 30000 --tp 4`],
    "options-from-here-document.sh": [`${model} --tp 8`],
    "podman.sh": [`NCCL_DEBUG=INFO ${model} --tp 8`, "0.5.17"],
    "quadlet.container": [`NCCL_DEBUG=INFO ${model} --tp 2`, "0.5.17", { indices: [0, 1] }],
    "rank-by-host.sh": [`${model} --tp 16 --nnodes 2 --dist-init-addr 10.0.0.1:5000`],
    "screen.sh": [`NCCL_DEBUG=INFO ${model} --tp 8`],
    "stages.Dockerfile": [`MODEL=nvidia/Qwen3.5-397B-A17B-NVFP4 TP=4 ${model} --tp 4`, "0.5.17"],
    "stateful-set.yaml": [`MODEL=nvidia/Qwen3.5-397B-A17B-NVFP4 ${model} --tp 4 --port 30000`, "0.5.17", { count: 4 }],
    "subcommands.sh": ["nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 8"],
    "sudo.sh": [`CUDA_VISIBLE_DEVICES=0,1 ${model} --tp 2`, undefined, { indices: [0, 1] }],
    "two-nodes.sbatch": [`${model} --tp 16 --nnodes 2`, undefined, { count: 8 }],
    "uv.sh": [`${model} --tp 8`, "0.5.17"],
    "virtual-environment.sh": [
        "CUDA_VISIBLE_DEVICES=4,5,6,7 NCCL_P2P_LEVEL=SYS SGLANG_ENABLE_SPEC_V2=1 --model nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 4 --host 127.0.0.1",
        "0.5.17",
        { indices: [4, 5, 6, 7] },
    ],
    "words-in-variables.sh": [`${model} --tp 8 --mem-fraction-static 0.8`],
};

test.each(readdirSync(folder))("%s", (name) => {
    const command = parseLaunchCommand(readFileSync(join(folder, name), "utf8"));
    const variables = Object.entries(command.environment).map(([key, value]) => `${key}=${value}`);
    const options = command.arguments.flatMap((one) => [one.name, ...one.values]);
    const line = [...variables, ...(command.model ? [command.model] : []), ...options].join(" ");
    expect(command.problems).toEqual([]);
    expect([line, command.release, command.gpus]).toEqual([0, 1, 2].map((index) => launches[name]?.[index]));
});

test("a program in Python is named as one", () => {
    const text = 'import sglang as sgl\n\nengine = sgl.Engine(model_path="m")\n';
    expect(parseLaunchCommand(text).problems.map(({ message }) => message)).toEqual([
        expect.stringContaining("a program in Python"),
    ]);
});
