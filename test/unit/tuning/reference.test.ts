import { describe, expect, it } from "vitest";
import { profiles } from "../../../knowledge/models/index.ts";
import { expectation } from "../../../knowledge/service/expect.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { references } from "../../../knowledge/tuning/reference/table.ts";
import { hostFacts, type SpecChanges, serviceSpec } from "../service/service-spec.ts";
import { GLM, KIMI_INT4, KIMI_NVFP4, QWEN } from "./cases.ts";

function expected(changes: SpecChanges) {
    const spec = serviceSpec(changes);
    return expectation(spec, resolve(spec));
}
const four = { nodes: [{ name: "host", facts: hostFacts(), gpus: [0, 1, 2, 3] }] };

describe("public figures", () => {
    it("are of models and formats that there are", () => {
        for (const { profile, format, speeds } of references) {
            const found = profiles().find(({ id }) => id === profile);
            const formats = found?.checkpoints.flatMap(({ formats: of }) => of.experts ?? of.denseMlp ?? []);
            expect(formats, profile).toContain(format);
            expect(speeds.length).toBeGreaterThan(0);
        }
    });

    it("come nearest first: same cards, engine, decoding and release", () => {
        const [nearest, ...others] = expected({ repository: QWEN, release: "0.5.16", ...four })!.references;
        expect(nearest).toMatchObject({ version: "0.5.16", speculation: true, cards: 4, differs: [] });
        for (const { differs } of others) {
            expect(differs.length).toBeGreaterThan(0);
        }
        const plain = { repository: QWEN, release: "0.5.16", ...four, fields: { objective: "throughput" as const } };
        expect(expected(plain)!.references[0]).toMatchObject({ speculation: false, differs: [] });
    });

    it("say in what they differ", () => {
        const [nearest] = expected({ repository: GLM, release: "0.5.23" })!.references;
        expect(nearest).toMatchObject({ cards: 8, speculation: false });
        expect(nearest!.differs).toEqual(["SGLang fork, not the published SGLang"]);
    });

    it("are of the checkpoint's own format, and none where nobody published one", () => {
        const formats = (repository: string) => expected({ repository })!.references.map(({ format }) => format);
        expect(formats(KIMI_INT4)).toEqual(["int4"]);
        expect(formats(KIMI_NVFP4)).toEqual(["nvfp4"]);
        expect(formats("nvidia/Qwen3-235B-A22B-NVFP4")).toEqual([]);
    });
});

describe("what the memory would hold", () => {
    const { choices } = expected({ repository: QWEN, release: "0.5.16" })!;
    const held = (choice: string) => choices.find((one) => one.choice === choice)!;

    it("is told as planned, by SGLang's own defaults, and with one choice changed", () => {
        expect(choices.map(({ choice }) => choice)).toEqual([
            "as planned",
            "SGLang's own defaults",
            "kv-cache-dtype bfloat16",
            "mamba-ssm-dtype float32",
            "without speculative decoding",
            "disable-radix-cache",
        ]);
        expect(held("as planned").kvTokens).toBeGreaterThan(held("SGLang's own defaults").kvTokens);
        expect(held("kv-cache-dtype bfloat16").kvTokens / held("as planned").kvTokens).toBeCloseTo(0.5, 2);
    });

    it("keeps the fraction that the user gave", () => {
        const fields = { kvCache: { memoryFraction: 0.7 } };
        const own = expected({ repository: QWEN, release: "0.5.16", fields })!.choices;
        expect(own.find(({ choice }) => choice === "disable-radix-cache")!.memFractionStatic).toBe(0.7);
    });
});

it("nothing is told of a service whose model is not known", () => {
    expect(expected({ repository: "nobody/nothing" })).toBeUndefined();
});
