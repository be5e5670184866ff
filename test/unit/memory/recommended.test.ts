import { describe, expect, test } from "vitest";
import { memoryPlan, memoryReport, recommendedFraction } from "../../../knowledge/memory/index.ts";
import { profiles } from "../../../knowledge/models/index.ts";
import { cards, input, model, plan } from "./support.ts";

describe("recommendedFraction", () => {
    test("keeps the room that graphs and a prefill chunk need: no warning follows", () => {
        const { fraction, reason } = recommendedFraction(input());
        expect(fraction).toBe(0.81);
        expect(reason).toContain("prefill chunk of 8192 tokens");
        expect(plan({ memFractionStatic: fraction }).findings).toEqual([]);
    });

    test("a larger chunk lowers it", () => {
        const smaller = recommendedFraction(input({ chunkedPrefillSize: 16384 })).fraction;
        expect(smaller).toBeLessThan(recommendedFraction(input()).fraction);
    });

    test("rises as far as one long request needs, and says that it did", () => {
        const kimi = input({ profile: model("kimi-k2.5"), repository: "moonshotai/Kimi-K2.5" });
        const { fraction, reason } = recommendedFraction(kimi);
        expect(fraction).toBeGreaterThan(0.82);
        expect(fraction).toBeLessThanOrEqual(0.92);
        expect(reason).toContain("131072");
        expect(memoryPlan({ ...kimi, memFractionStatic: fraction }).kvTokens).toBeGreaterThanOrEqual(131072);
        expect(memoryPlan({ ...kimi, memFractionStatic: fraction - 0.01 }).kvTokens).toBeLessThan(131072);
    });

    test("never goes above 0.92, even where nothing fits", () => {
        const { fraction, reason } = recommendedFraction(input({ repository: "zai-org/GLM-5-FP8" }));
        expect(fraction).toBe(0.92);
        expect(reason).toContain("does not fit");
    });

    test.each(profiles().map((p) => [p.id, p] as const))("%s starts with it on its fewest cards", (_, profile) => {
        const tp = profile.checkpoints[0]!.minimumGpus === 6 ? 8 : profile.checkpoints[0]!.minimumGpus;
        const bare = { profile, release: "0.5.23", gpuMemoryMiB: cards(tp), tp };
        const { fraction } = recommendedFraction(bare);
        expect(Math.round(fraction * 100) / 100).toBe(fraction);
        expect(memoryPlan({ ...bare, memFractionStatic: fraction }).fits).toBe(true);
    });
});

describe("memoryReport", () => {
    test("shows pools, margin and every input with its source", () => {
        const computed = plan({ profile: model("qwen3.5-397b-a17b"), tp: 4, memFractionStatic: 0.77 });
        const text = memoryReport(computed);
        expect(text).toContain("weights               56.12 GiB");
        expect(text).toMatch(/KV cache +[\d.]+ GiB +1,190,\d{3} tokens of 7,680 bytes, fp8_e4m3/);
        expect(text).toMatch(/recurrent states +[\d.]+ GiB +\d+ slots/);
        expect(text).toMatch(/margin .* tokens/);
        for (const [name, { source }] of Object.entries(computed.inputs)) {
            expect(text).toContain(name);
            expect(text).toContain(source);
        }
    });

    test("says first when it does not fit", () => {
        const text = memoryReport(plan({ repository: "zai-org/GLM-5-FP8", memFractionStatic: 0.8 }));
        expect(text.split("\n")[0]).toContain("does not fit");
    });
});
