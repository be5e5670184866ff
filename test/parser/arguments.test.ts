import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import type { Settings, SettingValue } from "../../knowledge/base/settings.ts";
import { parseLaunchCommand } from "../../knowledge/launch/launch-command.ts";
import { launchArguments } from "../../knowledge/sglang/arguments.ts";
import { settingsFromLaunch } from "../../knowledge/sglang/launch-settings.ts";
import { type Option, release, releases } from "../../knowledge/sglang/releases.ts";
import { checkArguments } from "../support/real-parser.ts";

const user = (values: Record<string, SettingValue>): Settings =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, origin: "user" as const }]));

/** Settings as a careful user of these machines writes them, in the newest spelling. */
const typical: Record<string, SettingValue> = {
    "attention-backend": "flashinfer",
    "chunked-prefill-size": 8192,
    "cuda-graph-backend-decode": "disabled",
    "cuda-graph-backend-prefill": "disabled",
    "cuda-graph-bs-decode": [1, 2, 4, 8],
    "cuda-graph-max-bs-decode": 32,
    "disable-custom-all-reduce": true,
    "dsa-decode-backend": "flashmla_sparse",
    "dsa-prefill-backend": "flashmla_sparse",
    "ep-size": 1,
    "flashinfer-allreduce-fusion-backend": "auto",
    "fp4-gemm-backend": "flashinfer_cudnn",
    "fp8-gemm-backend": "cutlass",
    host: "0.0.0.0",
    "kv-cache-dtype": "fp8_e4m3",
    "mamba-radix-cache-strategy": "no_buffer",
    "mem-fraction-static": 0.85,
    "model-path": "/models/some owner--name",
    "moe-runner-backend": "flashinfer_cutlass",
    port: 8000,
    "pp-size": 1,
    quantization: "modelopt_fp4",
    "reasoning-parser": "glm45",
    "served-model-name": "-starts with a dash",
    "tool-call-parser": "glm47",
    "tp-size": 8,
    "trust-remote-code": true,
    "watchdog-timeout": -1,
};

test.each(releases())("SGLang %s takes whatever settings pass our own check", (version) => {
    const samples = [typical, launched(version), ...fc.sample(settingsOf(version), { numRuns: 200, seed: 20 })];
    const checked = samples.map((values) => launchArguments(user(values), version));
    const verdicts = checkArguments(
        version,
        checked.map(({ argv }) => argv),
    );
    expect(checked[0]!.warnings).toEqual([]);
    checked.forEach(({ argv, problems }, index) => {
        expect(problems, JSON.stringify(samples[index])).toEqual([]);
        expect(verdicts[index], argv.join(" ")).toEqual({ ok: true, problems: [] });
    });
});

test("the parser names every argument that it refuses", () => {
    const [verdict] = checkArguments("0.5.20", [
        ["--model-path", "x", "--tp", "8", "--nsa-decode-backend", "trtllm", "--moe-runner-backend", "nonsense"],
    ]);
    expect(verdict!.ok).toBe(false);
    const refused = verdict!.problems.map(({ argument }) => argument);
    expect(refused).toEqual(expect.arrayContaining(["--tp", "--nsa-decode-backend", "--moe-runner-backend"]));
});

/** Settings of a launch that people wrote for an older release, as far as this one can have them. */
function launched(version: string): Record<string, SettingValue> {
    const text = readFileSync(join(packageRoot, "test/fixtures/launch/glm-5.txt"), "utf8");
    const { settings } = settingsFromLaunch(parseLaunchCommand(text), version);
    return Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value]));
}

/** Random valid settings of a release, deprecated options left out, always with a model. */
function settingsOf(version: string): fc.Arbitrary<Record<string, SettingValue>> {
    const options = release(version).options.filter((option) => !option.deprecated && option.setting !== "model-path");
    return fc
        .subarray(options, { maxLength: 12 })
        .chain((chosen) =>
            fc.tuple(...chosen.map((option) => anyValue(option).map((value) => [option.setting, value] as const))),
        )
        .map((pairs) => ({ "model-path": "/models/m", ...Object.fromEntries(pairs) }));
}

function anyValue(option: Option): fc.Arbitrary<SettingValue> {
    if (option.takes === "nothing") {
        return fc.boolean();
    }
    const item = anyItem(option);
    const inList = item.filter((value) => !String(value).startsWith("-"));
    return option.takes === "one"
        ? item
        : fc.array(inList, { minLength: option.takes === "some" ? 1 : 0, maxLength: 4 });
}

function anyItem(option: Option): fc.Arbitrary<string | number> {
    if (option.choices) {
        return fc.constantFrom(...option.choices);
    }
    switch (option.type) {
        case "int":
            return fc.integer();
        case "float":
            return fc.double({ noNaN: true, noDefaultInfinity: true });
        case "human_readable_int":
            return fc.oneof(fc.nat(), fc.constantFrom("64k", "1Mi", "25.6k"));
        case "loads":
            return fc.json();
        case "json_list_type":
            return fc.array(fc.jsonValue()).map((value) => JSON.stringify(value));
        case "parse_cuda_graph_config_arg":
            return fc.constant('{"decode":{"backend":"full"}}');
        default:
            return fc.string();
    }
}
