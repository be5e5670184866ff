import { describe, expect, test } from "vitest";
import {
    describeOptions,
    explainMissing,
    findOption,
    nameHistory,
    nearestOption,
} from "../../../knowledge/sglang/options.ts";
import { releases } from "../../../knowledge/sglang/releases.ts";

describe("an option is found by any of its names", () => {
    test.each(["tp-size", "--tp-size", "--tensor-parallel-size", "tensor_parallel_size"])("%s", (name) => {
        for (const version of releases()) {
            expect(findOption(version, name)?.setting).toBe("tp-size");
        }
    });

    test("an abbreviation is not a name", () => {
        expect(findOption("0.5.17", "--tp")).toBeUndefined();
    });

    test("--ep is a name of its own", () => {
        expect(findOption("0.5.17", "--ep")?.setting).toBe("ep-size");
    });
});

describe("choices follow the releases", () => {
    const choices = (version: string, name: string) => findOption(version, name)?.choices;

    test("FP4 GEMM backends", () => {
        expect(choices("0.5.8.post1", "fp4-gemm-backend")).toEqual([
            "auto",
            "flashinfer_cudnn",
            "flashinfer_cutlass",
            "flashinfer_trtllm",
        ]);
        expect(findOption("0.5.9", "fp4-gemm-backend")?.default).toBe("flashinfer_cutlass");
        expect(findOption("0.5.10.post1", "fp4-gemm-backend")?.default).toBe("auto");
        expect(choices("0.5.15", "fp4-gemm-backend")).toContain("cutlass");
        expect(choices("0.5.16", "fp4-gemm-backend")).not.toContain("cutlass");
    });

    test("sparse attention in the main attention option, and its own backends", () => {
        expect(choices("0.5.12", "attention-backend")).not.toContain("dsa");
        expect(choices("0.5.13", "attention-backend")).toEqual(expect.arrayContaining(["dsa", "nsa"]));
        expect(choices("0.5.16", "dsa-decode-backend")).not.toContain("flashinfer_sparse_mla");
        expect(choices("0.5.17", "dsa-decode-backend")).toContain("flashinfer_sparse_mla");
    });

    test("speculative algorithms are checked by the parser only up to 0.5.11", () => {
        expect(choices("0.5.11", "speculative-algorithm")).toContain("DFLASH");
        expect(choices("0.5.12", "speculative-algorithm")).toBeUndefined();
    });
});

describe("what became of an option", () => {
    test.each([
        ["--nsa-decode-backend", "0.5.21", "--nsa-decode-backend is gone since 0.5.20: use --dsa-decode-backend."],
        ["--dsa-decode-backend", "0.5.9", "--dsa-decode-backend exists only since 0.5.13: use --nsa-decode-backend."],
        ["ssl-keyfile", "0.5.9", "--ssl-keyfile exists only since 0.5.10; SGLang 0.5.9 does not have it."],
        ["--torchao-config", "0.5.18", "--torchao-config is gone since 0.5.18; SGLang 0.5.18 does not have it."],
        ["--tp", "0.5.20", "--tp is an abbreviation of --tp-size: write the whole name."],
    ])("%s in %s", (name, version, message) => {
        expect(explainMissing(name, version)).toBe(message);
    });

    test("a removed flag whose place an environment variable took", () => {
        expect(explainMissing("--enable-nan-detection", "0.5.17")).toContain("SGLANG_SANITIZE_NAN_LOGITS");
    });

    test("an ambiguous abbreviation names all it could be", () => {
        expect(explainMissing("--pp", "0.5.17")).toMatch(/several options.*--pp-max-micro-batch-size, --pp-size/);
    });

    test.each(releases())("--fp4-gemm-runner-backend never existed (%s)", (version) => {
        expect(explainMissing("--fp4-gemm-runner-backend", version)).toMatch(
            /^--fp4-gemm-runner-backend never existed .*did you mean --fp4-gemm-backend\?$/,
        );
    });

    test("a misspelt name has a nearest one, nonsense has none", () => {
        expect(nearestOption("--kv-cache-type", "0.5.17")).toBe("--kv-cache-dtype");
        expect(nearestOption("--qqqqqqqqqqqqqqqq", "0.5.17")).toBeUndefined();
    });

    test("the history of a spelling", () => {
        expect(nameHistory("nsa-prefill-backend")).toEqual({
            name: "--nsa-prefill-backend",
            spans: [{ since: "0.5.8.post1", until: "0.5.19" }],
            deprecatedSince: "0.5.13",
            replacedBy: "--dsa-prefill-backend",
        });
        expect(nameHistory("--never-there")).toBeUndefined();
    });
});

describe("the options command", () => {
    test("describes one option", () => {
        expect(describeOptions("0.5.14", "nsa-decode-backend")).toMatchObject([
            { deprecated: true, replacedBy: "--dsa-decode-backend", until: "0.5.19", default: null },
        ]);
        expect(describeOptions("0.5.14", "--tp-size")).toEqual([
            { names: ["--tp-size", "--tensor-parallel-size"], takes: "whole number", choices: null, default: 1 },
        ]);
        expect(describeOptions("0.5.14", "dsa-decode-backend")).toMatchObject([{ since: "0.5.13" }]);
    });

    test("lists all options of a release", () => {
        expect(describeOptions("0.5.8.post1")).toHaveLength(328);
        expect(describeOptions("0.5.23")).toHaveLength(531);
    });

    test("explains a name that the release does not have", () => {
        expect(() => describeOptions("0.5.20", "nsa-decode-backend")).toThrow(/gone since 0\.5\.20/);
        expect(() => describeOptions("0.4.0")).toThrow(RangeError);
    });
});
