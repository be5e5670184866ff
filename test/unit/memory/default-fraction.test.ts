import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultFraction } from "../../../knowledge/memory/index.ts";
import { cards, input, model } from "./support.ts";

interface Row {
    readonly release: string;
    readonly model: string;
    readonly tp: number;
    readonly speculative: boolean;
    readonly graphsOff: boolean;
    readonly fraction: number;
}

/** What the releases themselves resolve on eight cards, run in their own argument resolution. */
const rows: readonly Row[] = JSON.parse(
    readFileSync(new URL("../../fixtures/default-fractions.json", import.meta.url), "utf8"),
);

test.each(
    rows.map(
        (r) =>
            [
                `${r.release} ${r.model} tp${r.tp}${r.speculative ? " NEXTN" : ""}${r.graphsOff ? " no graphs" : ""}`,
                r,
            ] as const,
    ),
)("%s", (_, row) => {
    const fraction = defaultFraction({
        profile: model(row.model),
        release: row.release,
        gpuMemoryMiB: cards(8),
        tp: row.tp,
        ...(row.speculative && { speculative: { algorithm: "NEXTN" } }),
        ...(row.graphsOff && { cudaGraphMaxBs: 0 }),
    });
    expect(fraction).toBeCloseTo(row.fraction, 9);
});

describe("the smallest card decides", () => {
    const fraction = (memoryMiB: number, tp: number, release: string) =>
        defaultFraction(input({ profile: model("qwen3-235b-a22b"), gpuMemoryMiB: [200000, memoryMiB], tp, release }));

    test.each([
        [97887, 1, "0.5.9", 0.863],
        [97887, 2, "0.5.9", 0.861],
        [97887, 4, "0.5.9", 0.854],
        [32607, 2, "0.5.9", 0.88],
        [32607, 2, "0.5.23", 0.77],
        [81559, 8, "0.5.9", 0.817],
        [183359, 8, "0.5.9", 0.852],
    ])("%d MiB, tp %d, %s", (memory, tp, release, expected) => {
        expect(fraction(memory, tp, release)).toBeCloseTo(expected, 2);
    });
});

describe("what moves the fraction", () => {
    const base = { profile: model("qwen3-235b-a22b"), release: "0.5.23" } as const;

    test("a larger chunk and attention data-parallelism lower it", () => {
        const plain = defaultFraction(input(base));
        expect(defaultFraction(input({ ...base, chunkedPrefillSize: 16384 }))).toBeLessThan(plain - 0.1);
        expect(defaultFraction(input({ ...base, dp: 8, dpAttention: true }))).toBeLessThan(plain - 0.15);
        expect(defaultFraction(input({ ...base, moeA2aBackend: "deepep" }))).toBeLessThan(plain);
    });

    test("a limit on requests caps the graphs from 0.5.22", () => {
        const capped = (release: string) => defaultFraction(input({ ...base, release, maxRunningRequests: 8 }));
        expect(capped("0.5.21")).toBeCloseTo(0.844, 3);
        expect(capped("0.5.22")).toBeGreaterThan(0.85);
    });

    test("pipeline stages have prefill graphs from 0.5.15 to 0.5.18 only", () => {
        const staged = (release: string) => defaultFraction(input({ ...base, release, tp: 4, pp: 2 }));
        expect(staged("0.5.14")).toBeCloseTo(0.848, 3);
        expect(staged("0.5.18")).toBeCloseTo(0.844, 3);
        expect(staged("0.5.19")).toBeCloseTo(0.848, 3);
    });

    test("a vision tower lowers it, unless it is not used", () => {
        const qwen = { profile: model("qwen3.5-397b-a17b"), release: "0.5.23" } as const;
        expect(defaultFraction(input({ ...qwen, languageOnly: true })) / defaultFraction(input(qwen))).toBeCloseTo(
            1 / 0.92477,
            4,
        );
    });
});
