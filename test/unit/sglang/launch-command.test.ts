import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { compareVersions } from "../../../knowledge/base/version.ts";
import { parseLaunchCommand } from "../../../knowledge/launch/launch-command.ts";
import { settingsFromLaunch } from "../../../knowledge/sglang/launch-settings.ts";
import { newestRelease, releases } from "../../../knowledge/sglang/releases.ts";

const launch = (name: string) => readFileSync(join(packageRoot, `test/fixtures/launch/${name}.txt`), "utf8");
const between = (version: string, first: string, last: string) =>
    compareVersions(version, first) >= 0 && compareVersions(version, last) <= 0;
const read = (text: string, version: string) => settingsFromLaunch(parseLaunchCommand(text), version);
const values = (text: string, version: string) =>
    Object.fromEntries(Object.entries(read(text, version).settings).map(([name, { value }]) => [name, value]));

describe("the text of a launch", () => {
    test("gives environment, program and arguments", () => {
        const command = parseLaunchCommand(launch("glm-5"));
        expect(command.problems).toEqual([]);
        expect(command.program).toBe("sglang.launch_server");
        expect(Object.keys(command.environment)).toEqual([
            "CUDA_HOME",
            "NCCL_IB_DISABLE",
            "NCCL_P2P_LEVEL",
            "NCCL_ALLOC_P2P_NET_LL_BUFFERS",
            "NCCL_MIN_NCHANNELS",
            "OMP_NUM_THREADS",
            "SAFETENSORS_FAST_GPU",
        ]);
        expect(command.environment.NCCL_P2P_LEVEL).toBe("PHB");
        expect(command.arguments).toHaveLength(20);
        expect(command.arguments[0]).toEqual({ name: "--model", values: ["lukealonso/GLM-5-NVFP4"] });
        expect(command.arguments.at(-1)).toEqual({ name: "--port", values: ["8000"] });
    });

    test("may be flags alone", () => {
        const command = parseLaunchCommand(launch("qwen3.5"));
        expect(command).toEqual({
            environment: {},
            arguments: [
                { name: "--moe-runner-backend", values: ["flashinfer_cutlass"] },
                { name: "--fp4-gemm-runner-backend", values: ["flashinfer_cudnn"] },
            ],
            notes: [],
            problems: [],
        });
    });

    test.each([
        [
            "exports on lines of their own",
            'export A=1\nexport B="two words" # why\n\nsglang serve --port 1',
            { A: "1", B: "two words" },
        ],
        [
            "a container",
            "docker run --gpus all -e A=1 --env B=2 -v /m:/m --label C=3 img sglang serve --port 1",
            { A: "1", B: "2" },
        ],
        ["a unit file", "Environment=A=1\nExecStart=/opt/bin/python -m sglang.launch_server --port 1", { A: "1" }],
        [
            "a whole unit file",
            "[Unit]\nAfter=network.target\n[Service]\nUser=sglang\nEnvironment=A=1 B=2\nEnvironmentFile=/etc/x\n" +
                "ExecStart=/opt/bin/python -m sglang.launch_server \\\n  --port 1\nRestart=always\n",
            { A: "1", B: "2" },
        ],
        [
            "a shell in a container",
            'docker run -e A=1 img bash -lc "cd /x && B=2 python3 -m sglang.launch_server --port 1"',
            { A: "1", B: "2" },
        ],
        ["variables of the shell", "PORT=1\nA=2\nsglang serve --port $PORT", {}],
        [
            "nohup, env and redirections",
            "nohup env A=1 python3 -m sglang.launch_server --port=1 > log 2>&1 &",
            { A: "1" },
        ],
        ["a Markdown fence", "```bash\nA=1 sglang serve --port 1\n```", { A: "1" }],
        ["another command in front", "cd /x && NOT=mine ls; A=1 sglang serve --port 1", { A: "1" }],
    ])("%s", (_, text, environment) => {
        const command = parseLaunchCommand(text);
        expect(command.problems).toEqual([]);
        expect(command.environment).toEqual(environment);
        expect(command.arguments).toEqual([{ name: "--port", values: ["1"] }]);
    });

    test("quotes, negative numbers and several values", () => {
        const { arguments: found } = parseLaunchCommand(
            `sglang serve --json-model-override-args '{"a": "b c"}' --watchdog-timeout -1 \\\n --cuda-graph-bs 1 2 4 --chat-template "<|x|>"`,
        );
        expect(found.map(({ values: words }) => words)).toEqual([['{"a": "b c"}'], ["-1"], ["1", "2", "4"], ["<|x|>"]]);
    });

    test.each([
        ["", /no launch of SGLang found/],
        ["echo hello", /no launch of SGLang found/],
        ["sglang serve --host 'open", /opened and not closed/],
        ["python3 -m sglang.launch_server model --port 1", /"model" stands before any option/],
        ["sglang serve --port 1\nsglang serve --port 2", /more than one launch/],
        ["sglang serve --port 1 # why \\\n --tp 2", /--tp begins a command of its own/],
        ["sglang serve –port 1", /--port is written with a typographic dash/],
        ["vllm serve model --port 1", /no launch of SGLang found.*starts vLLM/],
    ])("says what it cannot read: %j", (text, message) => {
        expect(parseLaunchCommand(text).problems.map((problem) => problem.message)).toEqual([
            expect.stringMatching(message),
        ]);
    });

    test("an output that only the machine knows is said, not planned", () => {
        const { arguments: found, problems } = parseLaunchCommand(
            "sglang serve --tp $(nvidia-smi -L | wc -l) --port `echo 1`",
        );
        expect(found).toEqual([{ name: "--port", values: ["1"] }]);
        expect(problems).toEqual([
            {
                path: "launch.--tp",
                message: expect.stringContaining("$(nvidia-smi -L | wc -l) is known only where it runs"),
            },
        ]);
    });

    test.each([
        "HF_TOKEN=s3cret sglang serve --port 1",
        "docker run -e A=1 --env OPENAI_API_KEY=s3cret img sglang serve --port 1",
        "sglang serve --port 1 --api-key 's3cret",
        `sglang serve hf_${"s3cret".repeat(6)} --port 1`,
        `LOGIN=sk-${"s3cret".repeat(6)} sglang serve --port 1`,
    ])("a secret is refused and not repeated: %s", (text) => {
        const command = parseLaunchCommand(text);
        expect(command.problems).toHaveLength(1);
        expect(JSON.stringify([command.environment, command.problems])).not.toContain("s3cret");
    });

    test("rubbish never throws", () => {
        const word = fc.constantFrom(
            "'",
            '"',
            "\\",
            "\n",
            " ",
            "#",
            "--tp",
            "=",
            "-",
            "sglang serve",
            "$",
            "&&",
            ">",
            "|",
            "8",
        );
        fc.assert(
            fc.property(
                fc.oneof(fc.string(), fc.string({ unit: word })),
                fc.constantFrom(...releases()),
                (text, version) => {
                    read(text, version);
                    read(`sglang serve ${text}`, version);
                },
            ),
            { numRuns: 500 },
        );
    });
});

describe.each(releases())("the GLM-5 launch on %s", (version) => {
    const { notes, problems } = read(launch("glm-5"), version);
    const refusedByParser = notes.filter(({ accepted }) => !accepted).map(({ argument }) => argument);

    test("the parser's own verdict", () => {
        const accepted = between(version, "0.5.9", "0.5.19");
        expect(refusedByParser).toEqual(
            accepted ? [] : ["--nsa-decode-backend trtllm", "--nsa-prefill-backend trtllm"],
        );
    });

    test("only a missing choice is refused; a name that is gone is translated", () => {
        expect(problems.map(({ path }) => path)).toEqual(
            version === "0.5.8.post1" ? ["launch.--nsa-decode-backend", "launch.--nsa-prefill-backend"] : [],
        );
    });

    test("means the same settings", () => {
        expect(values(launch("glm-5"), version)).toMatchObject({
            "model-path": "lukealonso/GLM-5-NVFP4",
            "tp-size": 8,
            "mem-fraction-static": 0.85,
            "trust-remote-code": true,
            "fp8-gemm-backend": "cutlass",
            "cuda-graph-backend-decode": "disabled",
            "flashinfer-allreduce-fusion-backend": "auto",
            ...(version === "0.5.8.post1" ? {} : { "dsa-decode-backend": "trtllm", "dsa-prefill-backend": "trtllm" }),
        });
    });
});

test("the Qwen3.5 flags are refused as written by every release, and taken with the right name", () => {
    for (const version of releases()) {
        const wrong = read(launch("qwen3.5"), version);
        expect(wrong.problems).toEqual([
            {
                path: "launch.--fp4-gemm-runner-backend",
                message: expect.stringMatching(/never existed .* did you mean --fp4-gemm-backend\?/),
            },
        ]);
        const right = launch("qwen3.5").replace("--fp4-gemm-runner-backend", "--fp4-gemm-backend");
        expect(read(right, version).problems).toEqual([]);
        expect(values(right, version)).toEqual({
            "fp4-gemm-backend": "flashinfer_cudnn",
            "moe-runner-backend": "flashinfer_cutlass",
        });
    }
});

describe("each argument says what became of it", () => {
    const note = (text: string, version = newestRelease()) => read(text, version).notes[0]!;

    test.each([
        ["--tp 8", "0.5.17", "translated", true, /abbreviation .* --tp-size\. Taken as tp-size = 8\./],
        ["--model x", "0.5.17", "translated", true, /another name of --model-path/],
        ["--pp 2", "0.5.17", "refused", false, /several options/],
        ["--port 1", "0.5.17", "kept", true, /as it is/],
        ["--nsa-decode-backend trtllm", "0.5.17", "translated", true, /deprecated since 0\.5\.13/],
        ["--nsa-decode-backend trtllm", "0.5.23", "translated", false, /gone since 0\.5\.20/],
        ["--dsa-decode-backend flashinfer_sparse_mla", "0.5.9", "refused", false, /does not take/],
        ["--enable-nan-detection", "0.5.17", "refused", false, /SGLANG_SANITIZE_NAN_LOGITS/],
        ["--tp_size 8", "0.5.17", "translated", false, /is written --tensor-parallel-size|is written --tp-size/],
        ["--disable-radix-cache yes", "0.5.17", "refused", false, /takes no value/],
        ["--port", "0.5.17", "refused", false, /takes one value, but none/],
        ["--port x", "0.5.17", "refused", false, /whole number/],
        ["--prefill-round-robin-balance", "0.5.17", "refused", true, /does nothing/],
    ])("%s on %s: %s", (text, version, verdict, accepted, message) => {
        expect(note(text, version)).toMatchObject({ verdict, accepted, message: expect.stringMatching(message) });
    });

    test.each(["--api-key=s3cret", "--api-k s3cret", "--admin-api-key s3cret"])(
        "a secret is not repeated: %s",
        (text) => {
            const result = read(text, newestRelease());
            expect(JSON.stringify(result)).not.toContain("s3cret");
            expect(result.problems[0]!.message).toContain("secret");
        },
    );
});
