import { describe, expect, it } from "vitest";
import type { SettingValue } from "../../../knowledge/base/settings.ts";
import type { Condition } from "../../../knowledge/rules/condition.ts";
import type { RuleContext } from "../../../knowledge/rules/context.ts";
import { conflictId, evaluate } from "../../../knowledge/rules/evaluate.ts";
import { matches } from "../../../knowledge/rules/match.ts";
import type { Rule } from "../../../knowledge/rules/rule.ts";

const context = (settings: Record<string, SettingValue>, variables: Record<string, string> = {}): RuleContext => ({
    versions: { sglang: "0.5.17", flashinfer: "0.6.15.post1" },
    packages: {},
    pinned: new Set(["torch"]),
    stock: true,
    patches: ["redact-credentials"],
    hasApiKey: false,
    placement: "hosts",
    nodes: [],
    gpus: [],
    fabric: { pcieOnly: undefined, customAllReduceUnfit: false },
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, { value, origin: "user" }])),
    environment: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, { name, value, origin: "user", reason: "" }]),
    ),
});

const rule = (id: string, parts: Partial<Rule>): Rule => ({
    id,
    verdict: "fix",
    gpu: "any",
    when: { all: [] },
    reason: `The reason of ${id}.`,
    sources: ["unverified"],
    confidence: "low",
    ...parts,
});

describe("applying rules", () => {
    it("lets one fix call for another, whatever their order", () => {
        const rules = [
            rule("second", { when: { setting: "b", in: [1] }, set: { c: 2 } }),
            rule("first", { when: { setting: "a", in: ["x"] }, set: { b: 1, a: null } }),
        ];
        const { context: after, findings } = evaluate(rules, context({ a: "x" }));
        expect(after.settings).toEqual({
            b: { value: 1, origin: "rule", rule: "first" },
            c: { value: 2, origin: "rule", rule: "second" },
        });
        expect(findings.map(({ setting, from, to }) => [setting, from, to])).toEqual([
            ["b", undefined, 1],
            ["a", "x", undefined],
            ["c", undefined, 2],
        ]);
    });

    it("refuses what remains after the fixes, not what they took away", () => {
        const rules = [
            rule("no-x", { verdict: "refuse", when: { setting: "a", in: ["x"] } }),
            rule("x-to-y", { when: { setting: "a", in: ["x"] }, set: { a: "y" } }),
            rule("no-y", { verdict: "refuse", when: { setting: "a", in: ["y"] } }),
        ];
        expect(evaluate(rules, context({ a: "x" })).findings.map(({ rule: id, verdict }) => [id, verdict])).toEqual([
            ["x-to-y", "fix"],
            ["no-y", "refuse"],
        ]);
    });

    it("refuses, and ends, when two rules undo one another", () => {
        const rules = [
            rule("to-y", { when: { setting: "a", in: ["x"] }, set: { a: "y" } }),
            rule("to-x", { when: { setting: "a", in: ["y"] }, set: { a: "x" } }),
        ];
        const { findings } = evaluate(rules, context({ a: "x" }));
        expect(findings.at(-1)).toMatchObject({ rule: conflictId, verdict: "refuse" });
    });

    it("keeps the origin of a setting that already has the value", () => {
        const { context: after, findings } = evaluate([rule("same", { set: { a: "x" } })], context({ a: "x" }));
        expect(after.settings.a).toEqual({ value: "x", origin: "user" });
        expect(findings).toEqual([]);
    });

    it("changes the environment, and says what the placement does", () => {
        const rules = [
            rule("variables", { environment: { OLD: null, NEW: "1" } }),
            rule("placed", { placed: { name: "/dev/shm", to: "a volume" } }),
        ];
        const { context: after, findings } = evaluate(rules, context({}, { OLD: "0" }));
        expect(Object.keys(after.environment)).toEqual(["NEW"]);
        expect(after.environment.NEW).toMatchObject({ value: "1", origin: "rule", reason: "The reason of variables." });
        expect(findings.at(-1)).toMatchObject({ rule: "placed", verdict: "fix", setting: "/dev/shm", to: "a volume" });
    });

    it("applies no SM120 rule without an SM120 card, and none outside its window or of an unknown version", () => {
        const rules = [
            rule("sm120", { gpu: "sm120", set: { a: 1 } }),
            rule("older", { window: { sglang: [{ before: "0.5.17" }] }, set: { a: 2 } }),
            rule("unknown", { window: { nccl: [{ since: "2.0" }] }, set: { a: 3 } }),
            rule("both", {
                window: { sglang: [{ since: "0.5.17" }], flashinfer: [{ before: "0.6.15" }] },
                set: { a: 4 },
            }),
        ];
        expect(evaluate(rules, context({})).findings).toEqual([]);
    });
});

describe("conditions", () => {
    const given = context({ a: "x", n: 3, auto: "auto", flag: true }, { V: "1" });
    it.each<[string, Condition, boolean | undefined]>([
        ["one of", { setting: "a", in: ["x", "y"] }, true],
        ["one of several settings", { setting: ["b", "a"], in: ["x"] }, true],
        ["none of", { setting: "a", notIn: ["y"] }, true],
        ["none of, but not set", { setting: "b", notIn: ["y"] }, false],
        ["none of, but auto", { setting: "auto", notIn: ["y"] }, false],
        ["auto is unset", { setting: "auto", unset: true }, true],
        ["set", { setting: "flag", set: true }, true],
        ["above", { setting: "n", above: 2 }, true],
        ["not above", { setting: "n", above: 3 }, false],
        ["below, but not set", { setting: "b", below: 9 }, false],
        ["variable", { variable: "V", in: ["1"] }, true],
        ["variable that is not there", { variable: "W", unset: true }, true],
        ["release", { release: { since: "0.5.16", before: "0.5.18" } }, true],
        ["pinned", { pinned: "torch" }, true],
        ["patched", { patched: "redact-credentials" }, true],
        ["no model", { method: ["fp8"] }, undefined],
        ["not, of no model", { not: { format: ["nvfp4"] } }, undefined],
        ["all, one of no model", { all: [{ stock: true }, { model: "experts" }] }, undefined],
        ["all, one of no model and one that is not so", { all: [{ model: "experts" }, { stock: false }] }, false],
        ["any, one of no model", { any: [{ stock: false }, { attention: ["gqa"] }] }, undefined],
        ["any, one of no model and one that is so", { any: [{ attention: ["gqa"] }, { stock: true }] }, true],
        ["connections that no table shows", { not: { predicate: "pcie-only" } }, undefined],
        ["not", { not: { stock: true } }, false],
        ["all of nothing", { all: [] }, true],
        ["any of nothing", { any: [] }, false],
    ])("%s", (_, condition, expected) => {
        expect(matches(condition, given)).toBe(expected);
    });
});
