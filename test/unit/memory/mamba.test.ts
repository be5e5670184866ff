import { describe, expect, test } from "vitest";
import type { MemoryInput } from "../../../knowledge/memory/index.ts";
import { model, plan } from "./support.ts";

const qwen = (changes: Partial<MemoryInput> = {}) =>
    plan({ profile: model("qwen3.5-397b-a17b"), tp: 4, memFractionStatic: 0.77, ...changes });

const perRequest = (changes: Partial<MemoryInput>) => qwen(changes).inputs.mambaPerRequest!.value;

describe("states of one request", () => {
    test.each([
        ["qwen3.5-397b-a17b", 4, "float32", 45.79],
        ["qwen3.5-397b-a17b", 4, "bfloat16", 23.29],
        ["qwen3.5-397b-a17b", 8, "float32", 22.9],
        ["qwen3.8-27b", 1, "float32", 146.81],
    ] as const)("%s at tp %d, %s: %d MiB", (id, tp, ssmDtype, expected) => {
        expect(perRequest({ profile: model(id), tp, mamba: { ssmDtype } })).toBeCloseTo(expected, 2);
    });

    test("pipeline stages keep the states of their own layers from 0.5.17", () => {
        const whole = perRequest({ pp: 2, release: "0.5.16" }) as number;
        expect((perRequest({ pp: 2, release: "0.5.17" }) as number) / whole).toBeCloseTo(23 / 45, 6);
    });
});

describe("slots", () => {
    test("the pool takes 0.9 of what the cache gets, or what the ratio says", () => {
        const shared = qwen();
        expect(shared.mambaGiB! / shared.kvGiB).toBeCloseTo(0.9, 1);
        const half = qwen({ mamba: { fullMemoryRatio: 0.5 } });
        expect(half.mambaGiB! / half.kvGiB).toBeCloseTo(0.5, 1);
    });

    test("without prefix cache: one slot per request, and a padding slot from 0.5.17", () => {
        const of = (release: string) => qwen({ release, disableRadixCache: true, maxRunningRequests: 100 });
        expect(of("0.5.16").mambaSlots).toBe(100);
        expect(of("0.5.16").maxRunningRequests).toBe(100);
        expect(of("0.5.17").mambaGiB! - of("0.5.16").mambaGiB!).toBeCloseTo(45.79 / 1024, 3);
    });

    test.each([
        ["0.5.12.post1", {}, 3],
        ["0.5.23", {}, 5],
        ["0.5.23", { mamba: { strategy: "no_buffer" } }, 3],
        ["0.5.23", { mamba: { strategy: "extra_buffer_lazy" } }, 4],
        ["0.5.23", { disableOverlapSchedule: true }, 3],
    ] as const)("%s with %o: %d slots a request", (release, changes, slots) => {
        const computed = qwen({ release, ...changes });
        expect(computed.maxRunningRequests).toBe(Math.floor(computed.mambaSlots! / slots));
    });

    test("draft tokens have states of their own; SGLang counts 48 requests when none are given", () => {
        const drafted = { speculative: { algorithm: "NEXTN", draftTokens: 4 }, disableRadixCache: true } as const;
        const some = qwen({ ...drafted, maxRunningRequests: 10 });
        expect(some.mambaGiB).toBeCloseTo(((11 + 11 * 4) * 45.79) / 1024, 2);
        expect(qwen(drafted).mambaSlots).toBe(48);
    });

    test("too many requests for the memory: no pool is left", () => {
        const crowded = qwen({ disableRadixCache: true, maxRunningRequests: 1000 });
        expect(crowded.fits).toBe(false);
    });

    test("less than one slot: refused with what to do", () => {
        const tight = qwen({ memFractionStatic: 0.599 });
        const refusal = tight.findings.find((f) => f.rule === "memory-mamba-pool-empty")!;
        expect(refusal.verdict).toBe("refuse");
        expect(refusal.message).toContain("mamba-ssm-dtype bfloat16");
    });
});
