/** A launch that is written as a stack file plans to the same again: arguments, environment and digest. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deploymentFromCommand } from "../../../cli/from-command/deployment.ts";
import { writeStack } from "../../../cli/from-command/write-stack.ts";
import type { LoadedDeployment } from "../../../deployment/load.ts";
import { planDeployment } from "../../../deployment/plan.ts";
import { readStackFile } from "../../../deployment/read.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

const reported = join(packageRoot, "test/fixtures/launch/reported");
/** A release that has every option of the reports. */
const release = "0.5.19";
/** What is refused in it, by that release or for want of knowledge. */
const wrong: Record<string, string[]> = {
    "sglang-32021-cutlass.sh": ["services.service.launch.--fp4-gemm-backend"],
    "sglang-40432-unknown-model.sh": ["services.service.model", "services.service.launch.--ple-offload-embedding"],
};
let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "stack-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
};
const planned = (loaded: LoadedDeployment) => {
    const { services, problems } = planDeployment(loaded, []);
    const [service] = services;
    const { arguments: given, environment, settingsDigest } = service!.resolved;
    return { problems, given, environment: environment.map(({ name, value }) => `${name}=${value}`), settingsDigest };
};

/** The same start in other forms than a script. */
const words =
    "python3 -m sglang.launch_server --model-path nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 4 --port 8000 --mem-fraction-static 0.8 --served-model-name 'two words' --json-model-override-args '{\"a\": [1]}'";
const variables = ["NCCL_P2P_LEVEL=SYS", "SGLANG_X=a"];
const forms: Record<string, string> = {
    script: `export ${variables.join(" ")}\n${words}\n`,
    docker: `docker run --gpus all ${variables.map((each) => `-e ${each}`).join(" ")} img ${words}\n`,
    unit: `[Service]\nEnvironment=${variables.join(" ")}\nExecStart=/usr/bin/${words}\n`,
    compose: `services:\n  a:\n    image: x\n    environment: [${variables.join(", ")}]\n    command: |\n      ${words}\n`,
    dockerfile: `FROM x\nENV ${variables.join(" ")}\nCMD ${words}\n`,
    makefile: `${variables.map((each) => `export ${each.replace("=", " = ")}`).join("\n")}\nserve:\n\t${words}\n`,
    slurm: `#!/bin/bash\n#SBATCH --gres=gpu:4\nexport ${variables.join(" ")}\nsrun ${words}\n`,
    kubernetes: JSON.stringify({
        apiVersion: "v1",
        kind: "Pod",
        spec: {
            containers: [
                {
                    name: "c",
                    command: ["sh", "-c", words],
                    env: variables.map((each) => ({ name: each.split("=")[0], value: each.split("=")[1] })),
                },
            ],
        },
    }),
};

describe("planned again", () => {
    test.each(readdirSync(reported))("%s", (name) => {
        const { loaded, stack, notes } = deploymentFromCommand(join(reported, name), { release });
        const out = join(folder, `Pulumi.${name}.yaml`);
        writeStack(out, stack, notes);
        const again = planned(readStackFile(out));
        expect(again).toEqual(planned(loaded));
        expect(Object.keys(again.given).length).toBeGreaterThan(3);
        expect(again.problems.map(({ path }) => path)).toEqual(wrong[name] ?? []);
    });

    test.each(Object.keys(forms))("%s is the same launch as the script", (form) => {
        const read = (name: string) => deploymentFromCommand(file(name, forms[name]!), { release });
        const { loaded, stack, notes } = read(form);
        const out = join(folder, `Pulumi.${form}.yaml`);
        writeStack(out, stack, notes);
        expect(planned(loaded)).toEqual(planned(read("script").loaded));
        expect(planned(readStackFile(out))).toEqual(planned(loaded));
        expect(loaded.services[0]!.request.target).toMatchObject({ gpus: [0, 1, 2, 3] });
    });

    test("a file that is there is not written over", () => {
        const { stack, notes } = deploymentFromCommand(file("x.sh", words), { release });
        const out = file("Pulumi.there.yaml", "mine\n");
        expect(() => writeStack(out, stack, notes)).toThrow(/is there already/);
        expect(readFileSync(out, "utf8")).toBe("mine\n");
    });
});

describe("what a launch says of its place", () => {
    const cards = (text: string) => {
        const { loaded } = deploymentFromCommand(file("cards.sh", text), { release });
        const { target } = loaded.services[0]!.request;
        return "gpus" in target ? target.gpus : undefined;
    };

    test.each([
        ["CUDA_VISIBLE_DEVICES=4,5,6,7", "--tp 4", [4, 5, 6, 7]],
        ["CUDA_VISIBLE_DEVICES=4,5,6,7", "--tp 2", [4, 5]],
        ["", "--tp 4", [0, 1, 2, 3]],
        ["", "", [0]],
        ["", "--tp 2 --base-gpu-id 4", [4, 5]],
        ["", "--tp 2 --pp-size 2", [0, 1, 2, 3]],
        ["", "--tp 2 --dp 2", [0, 1, 2, 3]],
        ["", "--tp 4 --dp 4 --enable-dp-attention", [0, 1, 2, 3]],
    ])("%s sglang serve %s uses %j", (variable, options, gpus) => {
        expect(cards(`${variable} sglang serve nvidia/Qwen3.5-397B-A17B-NVFP4 ${options}`)).toEqual(gpus);
    });

    test.each([
        ["lmsysorg/sglang:v0.5.17-cu130", undefined, "0.5.17", /from the image lmsysorg\/sglang:v0\.5\.17-cu130/],
        ["lmsysorg/sglang:v0.5.17-cu130", "v0.5.16", "0.5.16", /from --release/],
        ["lmsysorg/sglang:latest", undefined, undefined, /assumed, the newest.*lmsysorg\/sglang:latest names none/],
    ])("image %s with --release %s", (image, given, expected, note) => {
        const text = `docker run ${image} sglang serve --model-path nvidia/Qwen3.5-397B-A17B-NVFP4 --tp 4`;
        const { loaded, notes } = deploymentFromCommand(
            file("image.sh", text),
            given === undefined ? {} : { release: given },
        );
        expect(notes.join("\n")).toMatch(note);
        if (expected) {
            expect(loaded.deployment.builds.build!.release).toBe(expected);
        }
    });

    test.each([
        ["nvidia/Qwen3.5-397B-A17B-NVFP4", "nvidia/Qwen3.5-397B-A17B-NVFP4"],
        ["./nvidia/Anything-NVFP4", "nvidia/Anything-NVFP4"],
        ["/model/ModelScope/RadixArk/Qwen3.8-27B-NVFP4", "RadixArk/Qwen3.8-27B-NVFP4"],
        [
            "/root/.cache/huggingface/hub/models--nvidia--Qwen3.5-397B-A17B-NVFP4/snapshots/0123",
            "nvidia/Qwen3.5-397B-A17B-NVFP4",
        ],
        ["/models/my-own", "local/my-own"],
        ["/data/models/my-own/", "local/my-own"],
    ])("the model %s is %s", (path, repository) => {
        const { loaded } = deploymentFromCommand(file("model.sh", `sglang serve --model-path ${path}`), { release });
        expect(loaded.deployment.models.model!.repository).toBe(repository);
    });

    test("a file that it names is read beside it, and no other", () => {
        file("server.yaml", "model-path: nvidia/Qwen3.5-397B-A17B-NVFP4\ntp-size: 4\n");
        const config = (path: string) =>
            deploymentFromCommand(file("config.sh", `sglang serve --config ${path} --model-path x/y`), { release });
        expect(config("/etc/sglang/server.yaml").loaded.problems.map(({ path }) => path)).not.toContain(
            "services.service.launch.--config",
        );
        expect(config("/etc/hostname").loaded.problems.map(({ path }) => path)).toContain(
            "services.service.launch.--config",
        );
    });
});
