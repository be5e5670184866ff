import { describe, expect, test } from "vitest";
import type { MemoryInput } from "../../../knowledge/memory/index.ts";
import { stagesOf } from "../../../knowledge/memory/parallel.ts";
import { cards, model, plan } from "./support.ts";

/** Bytes of a token, with a fraction that always leaves a pool. */
function cell(id: string, tp: number, kvCacheDtype: string, changes: Partial<MemoryInput> = {}): number {
    return plan({ profile: model(id), tp, kvCacheDtype, weightsGiB: 20, ...changes }).kvBytesPerToken;
}

describe("bytes per token", () => {
    test.each([
        ["glm-5", 8, 100152, 61464],
        ["glm-5.1", 4, 100152, 61464],
        ["glm-5.2", 8, 92628, 53940],
        ["kimi-k2.5", 8, 70272, 35136],
        ["qwen3.5-397b-a17b", 2, 15360, 7680],
        ["qwen3.5-397b-a17b", 8, 15360, 7680],
        ["qwen3-235b-a22b", 4, 48128, 24064],
        ["qwen3-235b-a22b", 8, 48128, 24064],
        ["minimax-m2.5", 2, 126976, 63488],
        ["minimax-m2.5", 4, 63488, 31744],
        ["minimax-m2.5", 8, 31744, 15872],
        ["glm-4.7", 4, 94208, 47104],
        ["glm-4.7", 8, 47104, 23552],
        ["qwen3-coder-next", 1, 24576, 12288],
        ["qwen3-coder-next", 2, 12288, 6144],
        ["qwen3.8-27b", 1, 65536, 32768],
        ["qwen3.8-27b", 2, 32768, 16384],
    ])("%s at tp %d: %d bf16, %d fp8", (id, tp, bf16, fp8) => {
        expect(cell(id, tp, "bfloat16")).toBe(bf16);
        expect(cell(id, tp, "fp8_e4m3")).toBe(fp8);
    });

    test("gpt-oss: windowed layers count 0.8, or what swa-full-tokens-ratio says", () => {
        const changes = { maxTotalTokens: 10000 };
        expect(cell("gpt-oss-120b", 1, "bfloat16", changes)).toBeCloseTo(66355.2, 1);
        expect(cell("gpt-oss-120b", 1, "bfloat16", { ...changes, swaFullTokensRatio: 0.5 })).toBe(2048 * (18 + 9));
        expect(plan({ profile: model("gpt-oss-120b"), tp: 1, ...changes }).swaTokens).toBe(8000);
    });

    test("four-bit caches: half, and a byte of scale per 16 values", () => {
        expect(cell("kimi-k2.5", 8, "fp4_e2m1", { release: "0.5.20" })).toBe((576 * 61) / 2 + 36 * 61);
        expect(cell("qwen3-235b-a22b", 4, "fp4_e2m1", { release: "0.5.15.post1" })).toBe(
            (256 * 94) / 2 + (128 * 94 * 2) / 16,
        );
    });
});

describe("sparse attention, release by release", () => {
    const glm = { profile: model("glm-5"), weightsGiB: 57 } as const;

    test("fp8 rows are 576 wide for trtllm, 656 for backends with scales", () => {
        expect(cell("deepseek-v3.2", 8, "fp8_e4m3")).toBe(61 * (576 + 132));
        expect(
            cell("deepseek-v3.2", 8, "fp8_e4m3", {
                dsaPrefillBackend: "flashmla_sparse",
                dsaDecodeBackend: "flashmla_kv",
            }),
        ).toBe(48068);
        expect(cell("glm-5", 8, "fp8_e4m3", { dsaPrefillBackend: "tilelang", dsaDecodeBackend: "tilelang" })).toBe(
            55224,
        );
        expect(cell("glm-5", 8, "fp8_e4m3", { dsaDecodeBackend: "trtllm" })).toBe(55224);
    });

    test("before 0.5.17 wide rows are sized narrow, and the difference comes out of the headroom", () => {
        const flashmla = {
            dsaPrefillBackend: "flashmla_kv",
            dsaDecodeBackend: "flashmla_kv",
            kvCacheDtype: "fp8_e4m3",
        };
        const old = plan({ ...glm, ...flashmla, release: "0.5.16", memFractionStatic: 0.85 });
        expect(old.kvBytesPerToken).toBe(55224);
        expect(old.findings.map((f) => f.rule)).toContain("memory-uncounted");
        expect(old.kvGiB).toBeGreaterThan((old.kvTokens * 61464) / 2 ** 30);
        const fresh = plan({ ...glm, ...flashmla, release: "0.5.17", memFractionStatic: 0.85 });
        expect(fresh.kvBytesPerToken).toBe(61464);
        expect(fresh.findings.map((f) => f.rule)).not.toContain("memory-uncounted");
    });

    test("from 0.5.18 only layers that compute top-k keep index keys", () => {
        const of = (release: string) => cell("glm-5.2", 8, "bfloat16", { release });
        expect(of("0.5.17")).toBe(100152);
        expect(of("0.5.18")).toBe(92628);
    });

    test("auto means fp8 for sparse attention and calibrated checkpoints, bf16 for others", () => {
        const dtype = (id: string, repository: string) =>
            plan({ profile: model(id), repository, weightsGiB: 20 }).kvCacheDtype;
        expect(dtype("glm-5", "lukealonso/GLM-5-NVFP4")).toBe("fp8_e4m3");
        expect(dtype("kimi-k2.5", "nvidia/Kimi-K2.5-NVFP4")).toBe("fp8_e4m3");
        expect(dtype("kimi-k2.5", "moonshotai/Kimi-K2.5")).toBe("bfloat16");
    });
});

describe("drafts", () => {
    const nextn = { speculative: { algorithm: "NEXTN" } } as const;

    test("from 0.5.14 the draft's layers are part of a token", () => {
        const of = (release: string) => cell("glm-4.7", 8, "bfloat16", { ...nextn, release });
        expect(of("0.5.13.post1")).toBe(47104);
        expect(of("0.5.14")).toBe(47104 + 512);
        expect(cell("qwen3.5-397b-a17b", 4, "fp8_e4m3", nextn)).toBe(8192);
    });

    test("a sparse draft has index keys of its own from 0.5.18", () => {
        expect(cell("glm-5.2", 8, "bfloat16", { ...nextn, release: "0.5.17" })).toBe(Math.floor((100152 * 79) / 78));
        expect(cell("glm-5.2", 8, "bfloat16", nextn)).toBe(92628 + 1152 + 132);
    });

    test("before 0.5.14 draft weights and cache come out of the headroom", () => {
        const old = plan({
            profile: model("glm-5"),
            repository: "festr2/GLM-5-NVFP4-MTP",
            release: "0.5.12.post1",
            ...nextn,
        });
        const late = old.findings.find((f) => f.rule === "memory-uncounted")!;
        expect(late.message).toContain("0.5.12.post1");
        const fresh = plan({
            profile: model("glm-5"),
            repository: "festr2/GLM-5-NVFP4-MTP",
            release: "0.5.14",
            ...nextn,
        });
        expect(fresh.findings.map((f) => f.rule)).not.toContain("memory-uncounted");
        expect(fresh.kvTokens).toBeLessThan(old.kvTokens);
    });

    test("NGRAM has no draft", () => {
        expect(cell("glm-4.7", 8, "bfloat16", { speculative: { algorithm: "NGRAM" } })).toBe(47104);
    });
});

describe("how GPUs are divided", () => {
    test("pipeline stages: the largest stage decides, and its layers are counted", () => {
        const staged = plan({
            profile: model("glm-5"),
            tp: 2,
            pp: 3,
            gpuMemoryMiB: cards(6),
            kvCacheDtype: "bfloat16",
            memFractionStatic: 0.9,
        });
        expect(staged.kvBytesPerToken).toBe(26 * 1284);
        expect(cell("qwen3-235b-a22b", 2, "bfloat16", { pp: 4 })).toBe(24 * 2 * 256 * 2);
    });

    test("where stages do not divide, the last ones are longer", () => {
        const lengths = stagesOf(model("glm-5").structure, 4).map(({ start, end }) => [start, end]);
        expect(lengths).toEqual([
            [0, 19],
            [19, 38],
            [38, 58],
            [58, 78],
        ]);
    });

    test("attention data-parallelism keeps more heads per GPU, and gives latent attention nothing", () => {
        expect(cell("glm-4.7", 8, "bfloat16", { dp: 4, dpAttention: true })).toBe(94208 * 2);
        expect(cell("kimi-k2.5", 8, "bfloat16", { dp: 8, dpAttention: true })).toBe(70272);
    });
});
