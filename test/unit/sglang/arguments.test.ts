import { describe, expect, test } from "vitest";
import type { Settings, SettingValue } from "../../../knowledge/base/settings.ts";
import { argvOf, launchArguments } from "../../../knowledge/sglang/arguments.ts";
import { releases } from "../../../knowledge/sglang/releases.ts";

const user = (values: Record<string, SettingValue>): Settings =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, origin: "user" as const }]));
const map = (values: Record<string, SettingValue>, version: string) => launchArguments(user(values), version).map;
const problems = (values: Record<string, SettingValue>, version: string) =>
    launchArguments(user(values), version).problems.map(({ path, message }) => `${path}: ${message}`);

describe("settings in a release's own spelling", () => {
    test("long names, sorted, the same in whatever order they come", () => {
        const values = { "tp-size": 8, "trust-remote-code": true, "model-path": "/m", "cuda-graph-bs-decode": [1, 2] };
        const backwards = Object.fromEntries(Object.entries(values).reverse());
        const expected = "--cuda-graph-bs-decode 1 2 --model-path /m --tp-size 8 --trust-remote-code";
        expect(launchArguments(user(values), "0.5.17").argv.join(" ")).toBe(expected);
        expect(launchArguments(user(backwards), "0.5.17").argv.join(" ")).toBe(expected);
    });

    test.each([
        ["0.5.12", { "nsa-decode-backend": "trtllm" }],
        ["0.5.13", { "dsa-decode-backend": "trtllm" }],
        ["0.5.20", { "dsa-decode-backend": "trtllm" }],
    ])("sparse attention on %s", (version, expected) => {
        expect(map({ "dsa-decode-backend": "trtllm" }, version)).toEqual(expected);
        expect(map({ "nsa-decode-backend": "trtllm" }, version)).toEqual(expected);
    });

    const off = { "cuda-graph-backend-decode": "disabled", "cuda-graph-backend-prefill": "disabled" };
    test.each([
        ["0.5.9", { "disable-cuda-graph": true }],
        ["0.5.13", { "disable-cuda-graph": true, "disable-piecewise-cuda-graph": true }],
        ["0.5.14", off],
        ["0.5.23", off],
    ])("no CUDA graphs on %s", (version, expected) => {
        expect(map(off, version)).toEqual(expected);
    });

    test.each([
        [
            "0.5.13",
            {
                "cuda-graph-max-bs": 8,
                "mamba-scheduler-strategy": "no_buffer",
                "enable-flashinfer-allreduce-fusion": true,
            },
        ],
        [
            "0.5.14",
            {
                "cuda-graph-max-bs-decode": 8,
                "mamba-radix-cache-strategy": "no_buffer",
                "flashinfer-allreduce-fusion-backend": "auto",
            },
        ],
    ])("renamed options on %s", (version, expected) => {
        const canonical = {
            "cuda-graph-max-bs-decode": 8,
            "mamba-radix-cache-strategy": "no_buffer",
            "flashinfer-allreduce-fusion-backend": "auto",
        };
        expect(map(canonical, version)).toEqual(expected);
        expect(map(expected, version)).toEqual(expected);
    });

    test("data-parallel attention", () => {
        const old = { "dp-size": 4, "enable-dp-attention": true };
        expect(map(old, "0.5.21")).toEqual(old);
        expect(map({ "attn-dp-size": 4 }, "0.5.21")).toEqual(old);
        expect(map(old, "0.5.22")).toEqual({ "attn-dp-size": 4 });
        expect(map({ "attn-dp-size": 4 }, "0.5.22")).toEqual({ "attn-dp-size": 4 });
    });

    test("an option that shares a name with a newer one", () => {
        expect(map({ "smg-http-sidecar-port": 1 }, "0.5.15")).toEqual({ "grpc-http-sidecar-port": 1 });
    });

    test("a flag that is off is left out, or negated where the release can", () => {
        expect(map({ "trust-remote-code": false }, "0.5.17")).toEqual({});
        expect(map({ "dllm-fdfo": false }, "0.5.17")).toEqual({ "no-dllm-fdfo": true });
    });

    test("a value that begins with a dash is not mistaken for an option", () => {
        expect(argvOf({ "served-model-name": "-x", "watchdog-timeout": -1 })).toEqual([
            "--served-model-name=-x",
            "--watchdog-timeout=-1",
        ]);
    });
});

describe("what a release would refuse", () => {
    test("every mistake is named, with what to do", () => {
        expect(
            problems(
                {
                    "fp4-gemm-backend": "flashinfer",
                    "fp4-gemm-runner-backend": "auto",
                    "mem-fraction-static": "most",
                    "enable-nan-detection": true,
                    "tp-size": [8],
                    "cuda-graph-bs-decode": [],
                    "trust-remote-code": "yes",
                    tp: 8,
                },
                "0.5.17",
            ),
        ).toEqual([
            "cuda-graph-bs-decode: --cuda-graph-bs-decode needs at least one value.",
            expect.stringMatching(/^enable-nan-detection: .*gone since 0\.5\.13: use the environment variable/),
            expect.stringMatching(/^fp4-gemm-backend: .*does not take "flashinfer"; it takes auto, flashinfer_cudnn/),
            expect.stringMatching(/^fp4-gemm-runner-backend: .*did you mean --fp4-gemm-backend\?$/),
            'mem-fraction-static: --mem-fraction-static needs a number, not "most".',
            "tp: --tp is an abbreviation of --tp-size: write the whole name.",
            "tp-size: --tp-size takes one value, not a list: [8].",
            'trust-remote-code: --trust-remote-code takes no value: give true, not "yes".',
        ]);
    });

    test("the older name is shown where the setting's own is unknown", () => {
        expect(problems({ "dsa-decode-backend": "trtllm" }, "0.5.8.post1")).toEqual([
            expect.stringMatching(/--nsa-decode-backend \(dsa-decode-backend\) does not take "trtllm"/),
        ]);
    });

    test("a value that an older release has no flag for", () => {
        expect(problems({ "flashinfer-allreduce-fusion-backend": "trtllm" }, "0.5.9")).toEqual([
            expect.stringMatching(/exists only since 0\.5\.14/),
        ]);
    });

    test("two spellings of one setting that disagree", () => {
        const two = { "dsa-decode-backend": "trtllm", "nsa-decode-backend": "tilelang" };
        expect(problems(two, "0.5.17")).toEqual([
            expect.stringMatching(/dsa-decode-backend = "tilelang".*give it once/),
        ]);
    });

    test("a problem keeps the setting out of the arguments", () => {
        expect(map({ "tp-size": "many", port: 1 }, "0.5.17")).toEqual({ port: 1 });
    });

    test("a deprecated option without another one is a warning", () => {
        const { map: own, problems: none, warnings } = launchArguments(user({ "elastic-ep-rejoin": true }), "0.5.17");
        expect([own, none]).toEqual([{ "elastic-ep-rejoin": true }, []]);
        expect(warnings[0]!.message).toMatch(/deprecated since 0\.5\.16, gone after 0\.5\.20/);
    });

    test("a release that is not supported", () => {
        expect(() => launchArguments({}, "0.4.0")).toThrow(releases().join(", "));
    });
});
