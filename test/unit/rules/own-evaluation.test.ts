import { describe, expect, it } from "vitest";
import type { Settings, SettingValue } from "../../../knowledge/base/settings.ts";
import { profiles } from "../../../knowledge/models/index.ts";
import type { RuleContext } from "../../../knowledge/rules/context.ts";
import { evaluate, rules } from "../../../knowledge/rules/index.ts";
import { applies } from "../../../knowledge/rules/match.ts";
import { packagesOf, ruleContext } from "../../../knowledge/service/context.ts";
import { loadedModel, servedModel } from "../../../knowledge/service/model.ts";
import { filledSettings } from "../../../knowledge/service/settings.ts";
import { release as releaseOf, releases } from "../../../knowledge/sglang/index.ts";
import { serviceSpec } from "../service/service-spec.ts";

/** Every value that some rule asks a setting for: what a user may write, and what a fix makes of it. */
const asked: readonly (readonly [string, SettingValue])[] = distinct(
    rules.flatMap(({ when, set }) => [
        ...valuesIn(when),
        ...Object.entries(set ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    ]),
);

type Asked = readonly (readonly [string, SettingValue])[];

function valuesIn(condition: unknown): Asked {
    if (typeof condition !== "object" || condition === null) {
        return [];
    }
    const { setting, in: values = [true] } = condition as { setting?: string | string[]; in?: SettingValue[] };
    const own = [setting ?? []].flat().flatMap((name) => values.map((value) => [name, value] as const));
    return [...own, ...Object.values(condition).flatMap(valuesIn)];
}

function distinct(values: Asked): Asked {
    return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** A service of one checkpoint with what a user wrote, before any rule. */
function start(repository: string, version: string, user: Asked): RuleContext {
    const spec = serviceSpec({ repository, release: version });
    const release = releaseOf(version);
    const settings: Settings = Object.fromEntries(user.map(([name, value]) => [name, { value, origin: "user" }]));
    const stored = servedModel(spec, release, [])!;
    const fabric = { pcieOnly: true, customAllReduceUnfit: true };
    const filled = filledSettings(spec, settings, stored);
    return ruleContext(spec, packagesOf(release), loadedModel(stored, settings), fabric, filled, {});
}

const repositories = profiles().flatMap(({ checkpoints }) => checkpoints.map(({ repository }) => repository));

/** Services: every checkpoint bare on every release, and every asked value on some of them. */
const services: readonly (readonly [string, string, Asked])[] = [
    ...repositories.flatMap((repository) => releases().map((version) => [repository, version, []] as const)),
    ...asked.flatMap((value, index) =>
        repositories.flatMap((repository, at) =>
            [0, 9].map(
                (step) => [repository, releases()[(index + 5 * at + step) % releases().length]!, [value]] as const,
            ),
        ),
    ),
];

/** Warnings about what a fix leads to that name another way out than the setting that was fixed. */
const hazards: Readonly<Record<string, string>> = {
    "moe-cutlass-race": "The only runner for NVFP4 experts; the way out is another FlashInfer.",
    "mxfp4-triton-kernels-driver": "The only runner for MXFP4 experts there; the way out is another driver.",
};

describe("a fix is followed by its own evaluation", () => {
    it("no fix leads to a refusal, and no plan warns of its own choice", () => {
        const found = new Map<string, string>();
        for (const [repository, version, user] of services) {
            const before = start(repository, version, user);
            const { context, findings } = evaluate(rules, before);
            if (context === before) {
                continue;
            }
            for (const { rule: id, verdict } of findings.filter(({ verdict: each }) => each !== "fix")) {
                const rule = rules.find((each) => each.id === id);
                if ((rule === undefined || !applies(rule, before)) && hazards[id] === undefined) {
                    found.set(`${verdict} ${id}`, `${repository} on ${version} with ${JSON.stringify(user)}`);
                }
            }
        }
        expect(Object.fromEntries(found)).toEqual({});
    }, 60_000);
});
