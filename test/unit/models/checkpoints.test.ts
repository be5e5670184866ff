import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stageBytes } from "../../../knowledge/memory/weights.ts";
import { checkpointOf, loadedCheckpoint, profileFromConfig } from "../../../knowledge/models/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { input } from "../memory/support.ts";
import { fixture, hostFacts, serviceSpec } from "../service/service-spec.ts";

const folder = new URL("../../fixtures/checkpoints/", import.meta.url);
const names = readdirSync(folder).sort();

const load = (name: string) => {
    const config = JSON.parse(fixture(`checkpoints/${name}/config.json`));
    const expected = JSON.parse(fixture(`checkpoints/${name}/expect.json`));
    const flag = / --quantization (\S+)/.exec(expected.launch)?.[1];
    const profile = profileFromConfig(config, { repository: expected.repository });
    return { config, expected, flag, profile, checkpoint: loadedCheckpoint(checkpointOf(profile), flag) };
};

/** The service of a checkpoint, with a flag or without. */
const served = (name: string, release: string, quantization?: string) => {
    const { config, expected } = load(name);
    return resolve(
        serviceSpec({
            release,
            model: { repository: expected.repository, config },
            facts: hostFacts({ count: 8 }),
            fields: quantization === undefined ? {} : { backends: { quantization } },
        }),
    );
};

describe("checkpoints as people export them", () => {
    test.each(names)("%s: who wrote it", (name) => {
        const { expected, profile } = load(name);
        const method = expected.method.split(" ")[0];
        expect(checkpointOf(profile).method).toBe(expected.method.includes("online") ? "bf16" : method);
    });

    test.each(names)("%s: weights within 1 %% of a count over every module", (name) => {
        const { expected, profile, checkpoint } = load(name);
        const whole = { start: 0, end: profile.structure.layers };
        const bytes = stageBytes(input({ profile, tp: 1 }), checkpoint, whole);
        const copies = profile.structure.mla ? bytesOfCopies(profile.structure) : 0;
        expect(Math.abs((bytes - copies) / 2 ** 30 / expected.gibWithoutMtp - 1)).toBeLessThan(0.01);
    });

    test.each(names)("%s: formats of each part", (name) => {
        const { expected, checkpoint } = load(name);
        const of = (...patterns: RegExp[]) =>
            [
                ...new Set(
                    Object.entries<string | Record<string, number>>(expected.formats)
                        .filter(([module]) => patterns.some((pattern) => pattern.test(module)))
                        .flatMap(([, format]) => (typeof format === "string" ? [format] : Object.keys(format)))
                        .map((format) => format.replace(/_.*/, "")),
                ),
            ].sort();
        const text = /layers\.N\./;
        expect(checkpoint.formats.attention).toEqual(of(/^(?!mtp).*layers\.N\.self_attn\.(?!indexer)/));
        expect(checkpoint.formats.head).toEqual(of(/lm_head/));
        if (Object.keys(expected.formats).some((module) => module.includes(".experts."))) {
            expect(checkpoint.formats.experts).toEqual(of(new RegExp(`^(?!mtp).*${text.source}mlp\\.experts\\.`)));
        }
    });

    test.each(names.flatMap((name) => ["0.5.16", "0.5.23"].map((release) => [name, release] as const)))(
        "%s on %s: flags that SGLang refuses are refused, and the others are not",
        (name, release) => {
            const flags = Object.entries<string | null>(load(name).expected.flags[release]);
            for (const [flag, outcome] of flags) {
                const service = served(name, release, flag === "None" ? undefined : flag);
                const rules = service.findings.filter(({ verdict }) => verdict === "refuse").map(({ rule }) => rule);
                expect(rules.includes("quantization-mismatch"), `${flag}: ${rules}`).toBe(outcome === "refused");
            }
            const left = served(name, release);
            const passed = left.arguments.quantization;
            expect(
                passed === undefined || flags.some(([flag, outcome]) => flag === passed && outcome !== "refused"),
            ).toBe(true);
        },
    );
});

/** What SGLang adds for latent attention after loading: a 16-bit copy of the up-projection. */
function bytesOfCopies({ mla, heads, vHeadDim, fullLayers }: ReturnType<typeof load>["profile"]["structure"]): number {
    return mla ? fullLayers.length * mla.kvLora * heads * (mla.nope + vHeadDim) * 2 : 0;
}
