import { describe, expect, test } from "vitest";
import { memoryPlan } from "../../../knowledge/memory/index.ts";
import { cards, input, model, plan, rules } from "./support.ts";

describe("divisions that cannot be made", () => {
    test.each([
        ["heads", { profile: model("glm-5"), tp: 6 }, "memory-tp-heads"],
        ["key/value heads", { profile: model("glm-4.7"), tp: 3 }, "memory-tp-kv-heads"],
        ["linear heads", { profile: model("qwen3.5-397b-a17b"), tp: 6 }, "memory-tp-linear-heads"],
        ["experts", { ep: 3 }, "memory-ep-experts"],
        ["attention groups", { dp: 3, dpAttention: true }, "memory-dp-attention"],
        ["stages", { pp: 100, gpuMemoryMiB: cards(800) }, "memory-pp-layers"],
        ["GPUs", { gpuMemoryMiB: cards(4) }, "memory-gpus-missing"],
        ["minimum", { profile: model("kimi-k2.5"), tp: 4 }, "memory-below-minimum-gpus"],
        ["minimum", { profile: model("qwen3.5-397b-a17b"), tp: 2 }, "memory-below-minimum-gpus"],
    ] as const)("%s: %o is refused as %s", (_, changes, rule) => {
        const computed = plan(changes);
        expect(computed.fits).toBe(false);
        expect(rules(computed)).toContain(`refuse ${rule}`);
    });

    test("what divides is not refused", () => {
        expect(plan().fits).toBe(true);
        expect(plan({ profile: model("qwen3.5-397b-a17b"), ep: 8, memFractionStatic: 0.77 }).fits).toBe(true);
        expect(plan({ profile: model("glm-4.7"), tp: 16, gpuMemoryMiB: cards(16) }).fits).toBe(true);
    });

    test("larger cards need fewer of them", () => {
        const h200 = plan({ tp: 4, gpuMemoryMiB: [143771, 143771, 143771, 143771], memFractionStatic: 0.88 });
        expect(rules(h200)).not.toContain("refuse memory-below-minimum-gpus");
        expect(h200.freeGiB).toBeCloseTo(138.3, 1);
    });

    test("replicas take GPUs of their own; attention groups do not", () => {
        expect(rules(plan({ dp: 2 }))).toContain("refuse memory-gpus-missing");
        expect(rules(plan({ dp: 2, gpuMemoryMiB: cards(16) }))).not.toContain("refuse memory-gpus-missing");
        expect(rules(plan({ dp: 2, dpAttention: true }))).not.toContain("refuse memory-gpus-missing");
    });
});

describe("headroom", () => {
    test.each([
        [0.81, []],
        [0.9, ["warn memory-headroom-thin"]],
        [0.95, ["warn memory-fraction-high", "warn memory-headroom-thin"]],
        [0.985, ["refuse memory-headroom-too-small"]],
    ])("fraction %d: %o", (memFractionStatic, expected) => {
        expect(rules(plan({ memFractionStatic }))).toEqual(expected);
    });

    test("a fraction that was stable on four cards is not warned of with a chunk of 4096", () => {
        const stable = plan({
            profile: model("qwen3.5-397b-a17b"),
            tp: 4,
            memFractionStatic: 0.7,
            chunkedPrefillSize: 4096,
        });
        expect(rules(stable)).toEqual([]);
    });

    test("no fraction for a model with pictures is warned of; with the tower off it is not", () => {
        const { memFractionStatic: _, ...bare } = input({ profile: model("kimi-k2.5") });
        expect(rules(memoryPlan(bare))).toContain("warn memory-fraction-not-explicit");
        expect(rules(memoryPlan({ ...bare, languageOnly: true }))).not.toContain("warn memory-fraction-not-explicit");
    });

    test("who decided the fraction is in the plan", () => {
        const { memFractionStatic: _, ...bare } = input();
        expect(memoryPlan(bare).memFractionOrigin).toBe("release default");
        expect(plan().memFractionOrigin).toBe("user");
        expect(plan({ memFractionOrigin: "memory" }).memFractionOrigin).toBe("memory");
    });
});

describe("what fits but disappoints", () => {
    test("a context longer than the pool is warned of, with the number that would do", () => {
        const computed = plan({ profile: model("glm-5.2"), memFractionStatic: 0.81 });
        const warning = computed.findings.find((f) => f.rule === "memory-context-exceeds-pool")!;
        expect(warning.verdict).toBe("warn");
        expect(warning.message).toContain(String(computed.kvTokens));
        expect(rules(plan({ profile: model("glm-5.2"), contextLength: 65536 }))).toEqual([]);
    });

    test("an unverified calibration is said, unless the cache is given", () => {
        const qwen = { profile: model("qwen3-235b-a22b"), tp: 4 } as const;
        expect(rules(plan(qwen))).toContain("warn memory-kv-dtype-unverified");
        expect(rules(plan({ ...qwen, kvCacheDtype: "bfloat16" }))).toEqual([]);
    });

    test("a window pool below one window is refused", () => {
        const tiny = plan({ profile: model("gpt-oss-120b"), tp: 1, maxTotalTokens: 150 });
        expect(rules(tiny)).toContain("refuse memory-window-pool-too-small");
    });
});

describe("HiCache", () => {
    const hosts = { hostMemoryBytes: 512 * 2 ** 30 } as const;

    test("the ratio mirrors the device pool of every rank", () => {
        const mirrored = plan({ ...hosts, hicache: { ratio: 2 } });
        expect(mirrored.hostPinnedGiB).toBeCloseTo(mirrored.kvGiB * 2 * 8, 3);
        expect(mirrored.fits).toBe(true);
    });

    test("a size is GB per rank, and overrides the ratio", () => {
        const sized = plan({ ...hosts, hicache: { sizeGB: 40, ratio: 9 } });
        expect(sized.hostPinnedGiB).toBeCloseTo((40e9 * 8) / 2 ** 30, 6);
        expect(
            plan({ ...hosts, tp: 8, pp: 2, nodes: 2, gpuMemoryMiB: cards(16), hicache: { sizeGB: 40 } }).hostPinnedGiB,
        ).toBeCloseTo((40e9 * 8) / 2 ** 30, 6);
    });

    test("more than the host has, less 10 GiB, is refused at its own setting", () => {
        const over = plan({ ...hosts, hicache: { sizeGB: 68 } });
        expect(over.fits).toBe(false);
        expect(over.findings.find((f) => f.rule === "memory-hicache-exceeds-host")!.setting).toBe("hicache-size");
        expect(plan({ ...hosts, hicache: { sizeGB: 67 } }).fits).toBe(true);
        const ratio = plan({ ...hosts, hicache: { ratio: 4 } });
        expect(ratio.findings.find((f) => f.rule === "memory-hicache-exceeds-host")!.setting).toBe("hicache-ratio");
    });

    test("an unknown host is not judged", () => {
        expect(plan({ hicache: { sizeGB: 900 } }).fits).toBe(true);
    });
});

describe("a plan", () => {
    test("is the same every time, and its findings name rules of this planner with sources", () => {
        const once = plan({ memFractionStatic: 0.95, kvCacheDtype: "bfloat16" });
        expect(once).toEqual(plan({ memFractionStatic: 0.95, kvCacheDtype: "bfloat16" }));
        for (const f of once.findings) {
            expect(f.rule).toMatch(/^memory-[a-z-]+$/);
            expect(f.sources.length).toBeGreaterThan(0);
        }
    });

    test("never has more tokens for a lower fraction, a wider cache or fewer GPUs", () => {
        const tokens = (changes: Parameters<typeof plan>[0]) => plan(changes).kvTokens;
        expect(tokens({ memFractionStatic: 0.7 })).toBeLessThan(tokens({ memFractionStatic: 0.8 }));
        expect(tokens({ kvCacheDtype: "bfloat16" })).toBeLessThan(tokens({ kvCacheDtype: "fp8_e4m3" }));
        expect(tokens({ profile: model("minimax-m2.5"), tp: 2 })).toBeLessThan(
            tokens({ profile: model("minimax-m2.5"), tp: 4 }),
        );
    });

    test("the margin encloses the plan and is narrower with a log's numbers", () => {
        const guessed = plan({ repository: "lukealonso/GLM-5-NVFP4" });
        const logged = plan({ freeGiB: 94, weightsGiB: 57.06 });
        for (const { margin, kvTokens } of [guessed, logged]) {
            expect(margin.tokensLow).toBeLessThanOrEqual(kvTokens);
            expect(margin.tokensHigh).toBeGreaterThanOrEqual(kvTokens);
        }
        expect(logged.margin.gib).toBeLessThan(guessed.margin.gib);
    });

    test("requests: capped by the pool, the states and the attention groups", () => {
        expect(plan().maxRunningRequests).toBe(2048);
        expect(plan({ maxRunningRequests: 64 }).maxRunningRequests).toBe(64);
        expect(plan({ maxRunningRequests: 64, dp: 2, dpAttention: true, weightsGiB: 57 }).maxRunningRequests).toBe(32);
        expect(plan({ speculative: { algorithm: "NEXTN" } }).maxRunningRequests).toBe(48);
        expect(plan({ maxTotalTokens: 128 }).maxRunningRequests).toBe(64);
    });
});
