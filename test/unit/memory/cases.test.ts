import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type MemoryInput, memoryPlan } from "../../../knowledge/memory/index.ts";
import { cards, model, rules } from "./support.ts";

interface Case {
    readonly id: string;
    readonly check_level: "full" | "cell" | "sanity" | "weights";
    readonly expect: string;
    readonly logged: Readonly<Record<string, number | null>>;
}

const cases: readonly Case[] = JSON.parse(
    readFileSync(new URL("../../fixtures/memory-cases.json", import.meta.url), "utf8"),
);

/** What was launched, in the planner's words. `freeGiB` is the log's free memory plus its weights where both are there. */
const launches: Readonly<Record<string, MemoryInput>> = {
    "glm5-nvfp4-8xrtx-092": {
        profile: model("glm-5"),
        repository: "festr2/GLM-5-NVFP4-MTP",
        release: "0.5.9",
        gpuMemoryMiB: cards(8),
        freeGiB: 93.99,
        tp: 8,
        kvCacheDtype: "bfloat16",
        memFractionStatic: 0.92,
        maxRunningRequests: 8,
        attentionBackend: "flashinfer",
    },
    "glm52-nvfp4-8xrtx-085-bf16kv": {
        profile: model("glm-5.2"),
        release: "0.5.15.post1",
        gpuMemoryMiB: cards(8),
        tp: 8,
        kvCacheDtype: "bfloat16",
        memFractionStatic: 0.85,
    },
    "qwen35-397b-nvfp4-4xrtx-080": {
        profile: model("qwen3.5-397b-a17b"),
        release: "0.5.16",
        gpuMemoryMiB: cards(4),
        tp: 4,
        kvCacheDtype: "fp8_e4m3",
        memFractionStatic: 0.8,
        maxRunningRequests: 128,
        chunkedPrefillSize: 32768,
        disableRadixCache: true,
        mamba: { ssmDtype: "bfloat16", strategy: "no_buffer" },
    },
    "qwen35-397b-nvfp4-mtp-4xrtx-080": {
        profile: model("qwen3.5-397b-a17b"),
        release: "0.5.16",
        gpuMemoryMiB: cards(4),
        tp: 4,
        kvCacheDtype: "fp8_e4m3",
        memFractionStatic: 0.8,
        maxRunningRequests: 16,
        disableRadixCache: true,
        mamba: { ssmDtype: "bfloat16", strategy: "no_buffer" },
        speculative: { algorithm: "EAGLE", draftTokens: 4 },
    },
    "glm52-fp8-8xrtx-080-refuse": {
        profile: model("glm-5.2"),
        repository: "zai-org/GLM-5.2-FP8",
        release: "0.5.13.post1",
        gpuMemoryMiB: cards(8),
        freeGiB: 94.08,
        tp: 8,
        memFractionStatic: 0.8,
        contextLength: 32768,
    },
    "glm52-fp8-8xrtx-098-min": {
        profile: model("glm-5.2"),
        repository: "zai-org/GLM-5.2-FP8",
        release: "0.5.13.post1",
        gpuMemoryMiB: cards(8),
        freeGiB: 94.08,
        tp: 8,
        memFractionStatic: 0.98,
        contextLength: 4096,
        maxTotalTokens: 4096,
        disableRadixCache: true,
    },
    "kimi-k25-int4-8xrtx-094": {
        profile: model("kimi-k2.5"),
        repository: "moonshotai/Kimi-K2.5",
        release: "0.5.9",
        gpuMemoryMiB: cards(8),
        tp: 8,
        kvCacheDtype: "bfloat16",
        memFractionStatic: 0.94,
        chunkedPrefillSize: 8092,
        cudaGraphMaxBs: 16,
        attentionBackend: "flashinfer",
    },
    "glm53flash-fp8-4xrtx-weights": {
        profile: model("glm-5.3-flash"),
        release: "0.5.23",
        gpuMemoryMiB: cards(4),
        freeGiB: 93.99,
        tp: 4,
        speculative: { algorithm: "NEXTN" },
    },
    "qwen38-27b-fp8-1xh100-085": {
        profile: model("qwen3.8-27b"),
        release: "0.5.18",
        gpuMemoryMiB: [81559],
        freeGiB: 50.01 + 28.47,
        tp: 1,
        memFractionStatic: 0.85,
        maxRunningRequests: 32,
    },
    "qwen38-27b-fp8-1xmi355x-085": {
        profile: model("qwen3.8-27b"),
        release: "0.5.17",
        gpuMemoryMiB: [294912],
        freeGiB: 258.78 + 28.49,
        weightsGiB: 28.49,
        tp: 1,
        memFractionStatic: 0.85,
        maxRunningRequests: 32,
        attentionBackend: "aiter",
    },
    "kimi-k25-int4-8xmi35x-auto": {
        profile: model("kimi-k2.5"),
        repository: "moonshotai/Kimi-K2.5",
        release: "0.5.9",
        gpuMemoryMiB: Array<number>(8).fill(294912),
        freeGiB: 209.96 + 73.58,
        tp: 8,
    },
    "qwen3-235b-fp8-4xh100-093": {
        profile: model("qwen3-235b-a22b"),
        repository: "Qwen/Qwen3-235B-A22B-FP8",
        release: "0.5.9",
        gpuMemoryMiB: Array<number>(4).fill(81559),
        tp: 4,
        memFractionStatic: 0.93,
        maxTotalTokens: 367404,
    },
    "qwen38-27b-nvfp4-2x5090-cell": {
        profile: model("qwen3.8-27b"),
        repository: "RadixArk/Qwen3.8-27B-NVFP4",
        release: "0.5.23",
        gpuMemoryMiB: [32607, 32607],
        weightsGiB: 9,
        tp: 2,
        kvCacheDtype: "fp8_e4m3",
        memFractionStatic: 0.9,
        maxTotalTokens: 454112,
    },
    "qwen36-27b-bf16-1xa100-092-eagle": {
        profile: model("qwen3.8-27b"),
        repository: "Qwen/Qwen3.6-27B",
        release: "0.5.17",
        gpuMemoryMiB: [81920],
        tp: 1,
        memFractionStatic: 0.92,
        contextLength: 169000,
        maxRunningRequests: 4,
        maxTotalTokens: 171008,
        mamba: { ssmDtype: "bfloat16", cacheSize: 43 },
        speculative: { algorithm: "EAGLE", draftTokens: 6, draftWeightsGiB: 0.8 },
    },
};

/** Full cases that do not come within 1 %, and why. */
const looser: Readonly<Record<string, { readonly within: number; readonly why: string }>> = {
    "qwen35-397b-nvfp4-4xrtx-080": {
        within: 0.03,
        why: "the log's figure is rounded to 2.2 million, and free memory before loading is not in it: 93.3 to 94.1 moves it by 4 %",
    },
};

/** Cases for which there is no formula here, and why. */
const unplanned: Readonly<Record<string, string>> = {
    "qwen38-flash-next-nvfp4-1xrtx-0992": "a fork's own model class and pool; its structure is not published",
};

const byId = (id: string) => cases.find((c) => c.id === id)!;
const planned = Object.keys(launches).map((id) => [id, launches[id]!] as const);

test("every recorded case is planned, or has a reason why not", () => {
    expect(cases.map((c) => c.id).sort()).toEqual([...Object.keys(launches), ...Object.keys(unplanned)].sort());
});

describe("full cases with logged weights", () => {
    const full = planned.filter(([id]) => byId(id).check_level === "full" && !byId(id).expect.startsWith("refuse"));

    test.each(full)("%s: tokens", (id, launch) => {
        const { logged } = byId(id);
        const tokens = (logged.kv_tokens ?? logged.max_total_num_tokens)!;
        const within = looser[id]?.within ?? 0.01;
        const computed = memoryPlan(launch);
        expect(Math.abs(computed.kvTokens / tokens - 1)).toBeLessThan(within);
        expect(computed.weightsGiBPerGpu).toBeCloseTo(logged.weights_gb_per_gpu!, 1);
    });

    test("the margin of a loose case covers the log", () => {
        for (const id of Object.keys(looser)) {
            const { margin } = memoryPlan(launches[id]!);
            expect(byId(id).logged.kv_tokens).toBeGreaterThan(margin.tokensLow);
            expect(byId(id).logged.kv_tokens).toBeLessThan(margin.tokensHigh);
        }
    });
});

describe("what the logs show beside tokens", () => {
    test("GLM-5: pool and free memory after it", () => {
        const { kvGiB, freeAfterPoolsGiB } = memoryPlan(launches["glm5-nvfp4-8xrtx-092"]!);
        expect(kvGiB).toBeCloseTo(29.32, 0);
        expect(freeAfterPoolsGiB).toBeCloseTo(7.43, 0);
    });

    test("GLM-5 with the logged token count: the pool to a hundredth", () => {
        const computed = memoryPlan({ ...launches["glm5-nvfp4-8xrtx-092"]!, maxTotalTokens: 314304 });
        expect(computed.kvGiB).toBeCloseTo(29.32, 2);
    });

    test("Kimi-K2.5: the automatic fraction, and the pool it leads to", () => {
        const computed = memoryPlan(launches["kimi-k25-int4-8xmi35x-auto"]!);
        expect(computed.memFractionStatic).toBeCloseTo(0.826, 4);
        expect(computed.kvGiB).toBeCloseTo(160.63, 1);
    });

    test("Qwen3.8-27B on an H100: state slots within one, requests within one", () => {
        const computed = memoryPlan(launches["qwen38-27b-fp8-1xh100-085"]!);
        expect(Math.abs(computed.mambaSlots! - 124)).toBeLessThanOrEqual(1);
        expect(Math.abs(computed.maxRunningRequests - 24)).toBeLessThanOrEqual(1);
        expect(computed.mambaGiB).toBeCloseTo(0.34 + 17.58, 0);
    });

    test("Qwen3.6-27B with a draft: recurrent states and those between draft tokens", () => {
        const computed = memoryPlan(launches["qwen36-27b-bf16-1xa100-092-eagle"]!);
        expect(computed.mambaGiB).toBeCloseTo(0.12 + 3.09 + 2.11, 0);
        expect(computed.maxRunningRequests).toBe(4);
    });
});

describe("cells", () => {
    test.each([
        ["qwen3-235b-fp8-4xh100-093", 48128],
        ["qwen38-27b-nvfp4-2x5090-cell", 16384],
    ])("%s: %d bytes, and the logged pool", (id, bytes) => {
        const computed = memoryPlan({ ...launches[id]!, freeGiB: 90, weightsGiB: 20 });
        expect(computed.kvBytesPerToken).toBe(bytes);
        expect(computed.kvTokens).toBe(byId(id).logged.kv_tokens);
        expect(computed.kvGiB).toBeCloseTo(byId(id).logged.kv_gb!, 1);
    });

    test("qwen36-27b-bf16-1xa100-092-eagle: the draft is a sixteenth of the target", () => {
        const computed = memoryPlan(launches["qwen36-27b-bf16-1xa100-092-eagle"]!);
        expect(computed.kvBytesPerToken).toBe(65536 + 4096);
        expect(computed.kvGiB).toBeCloseTo(10.44 + 0.66, 1);
    });
});

describe("sanity cases", () => {
    test("Kimi-K2.5 at 0.94: inside the reported 170K to 232K, and warned of", () => {
        const computed = memoryPlan(launches["kimi-k25-int4-8xrtx-094"]!);
        expect(computed.kvTokens).toBe(225835);
        expect(computed.fits).toBe(true);
        expect(rules(computed)).toContain("warn memory-headroom-thin");
    });

    test("Qwen3.5 with prediction: the reported 1.7M is between one request and 64", () => {
        const tokens = (requests: number) =>
            memoryPlan({ ...launches["qwen35-397b-nvfp4-mtp-4xrtx-080"]!, maxRunningRequests: requests }).kvTokens;
        expect(tokens(1) / 1e6).toBeCloseTo(1.94, 1);
        expect(tokens(16) / 1e6).toBeCloseTo(1.7, 1);
        expect(tokens(64) / 1e6).toBeCloseTo(1.0, 1);
    });

    test("GLM-5.3-Flash: weights and draft as logged", () => {
        const computed = memoryPlan(launches["glm53flash-fp8-4xrtx-weights"]!);
        expect(computed.weightsGiBPerGpu).toBe(75.42);
        expect(computed.draftWeightsGiBPerGpu).toBe(2.39);
        expect(computed.freeGiB - computed.weightsGiBPerGpu - computed.draftWeightsGiBPerGpu).toBeCloseTo(16.18, 1);
    });
});

describe("what must be refused", () => {
    test("GLM-5.2 FP8 at 0.80: nothing is left, and the least fraction is named", () => {
        const computed = memoryPlan(launches["glm52-fp8-8xrtx-080-refuse"]!);
        expect(computed.fits).toBe(false);
        expect(computed.kvTokens).toBe(0);
        const refusal = computed.findings.find((f) => f.rule === "memory-no-kv-pool")!;
        expect(refusal.verdict).toBe("refuse");
        expect(refusal.message).toContain("0.951");
    });

    test("GLM-5.2 FP8 at 0.98: the pool is allocated, but nothing is served", () => {
        const computed = memoryPlan(launches["glm52-fp8-8xrtx-098-min"]!);
        expect(computed.kvTokens).toBe(4096);
        expect(computed.kvGiB).toBeCloseTo(0.21, 2);
        expect(rules(computed)).toContain("refuse memory-headroom-too-small");
    });

    test("Qwen3.5 with a chunk of 32768 starts and dies on the first long prompt: warned of", () => {
        const computed = memoryPlan(launches["qwen35-397b-nvfp4-4xrtx-080"]!);
        expect(computed.fits).toBe(true);
        expect(rules(computed)).toContain("warn memory-headroom-thin");
    });
});
