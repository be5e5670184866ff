import type { SettingValue } from "../base/settings.ts";
import { inWindow, isVersion, type VersionWindow } from "../base/version.ts";
import type { Condition, SettingTest, ValueTest, VariableTest } from "./condition.ts";
import { allSm120, numberOf, type RuleContext } from "./context.ts";
import { modelTraits } from "./model-traits.ts";
import { predicates } from "./predicates.ts";
import type { Rule, RuleWindow } from "./rule.ts";

/** Yes, no, or `undefined`: not known. */
type Answer = boolean | undefined;

/** Whether a rule, or a row that is written like one, applies: right GPUs, inside its window, condition met for certain. */
export function applies(rule: Pick<Rule, "gpu" | "window" | "when">, context: RuleContext): boolean {
    return (
        (rule.gpu === "any" || allSm120(context)) &&
        inRuleWindow(rule.window, context) &&
        matches(rule.when, context) === true
    );
}

/** Whether the versions lie in the window. A version that is not known lies in no window. */
export function inRuleWindow(window: RuleWindow | undefined, { versions }: RuleContext): boolean {
    return Object.entries(window ?? {}).every(([name, windows]) => {
        const version = versions[name as keyof RuleWindow];
        return version !== undefined && inAny(version, windows);
    });
}

/** Answers already given: the same few versions meet the same few windows for every service. */
const answers = new Map<string, boolean>();

function inAny(version: string, windows: readonly VersionWindow[]): boolean {
    return windows.some((window) => {
        const key = `${version} ${window.since} ${window.before}`;
        const answer = answers.get(key) ?? (isVersion(version) && inWindow(version, window));
        answers.set(key, answer);
        return answer;
    });
}

/** Whether a condition is met. What is not known of the model or the machines makes the answer `undefined`, unless the rest decides. */
export function matches(condition: Condition, context: RuleContext): Answer {
    if ("all" in condition) {
        return first(condition.all, context, false);
    }
    if ("any" in condition) {
        return first(condition.any, context, true);
    }
    if ("not" in condition) {
        const answer = matches(condition.not, context);
        return answer === undefined ? undefined : !answer;
    }
    if ("setting" in condition) {
        return settingMatches(condition, context);
    }
    if ("variable" in condition) {
        return variableMatches(condition, context);
    }
    if ("release" in condition) {
        return inAny(context.versions.sglang, [condition.release]);
    }
    if ("placement" in condition) {
        return context.placement === condition.placement;
    }
    if ("stock" in condition) {
        return context.stock === condition.stock;
    }
    if ("patched" in condition) {
        return context.patches.includes(condition.patched);
    }
    if ("pinned" in condition) {
        return context.pinned.has(condition.pinned);
    }
    if ("count" in condition) {
        const count = countOf(condition.count, context);
        return count > (condition.above ?? -1) && count < (condition.below ?? Number.POSITIVE_INFINITY);
    }
    if ("predicate" in condition) {
        return predicates[condition.predicate].test(context);
    }
    return modelMatches(condition, context);
}

/** The answer that decides when one part has it; else not known when one part is, else the opposite. */
function first(parts: readonly Condition[], context: RuleContext, decisive: boolean): Answer {
    let otherwise: Answer = !decisive;
    for (const part of parts) {
        const answer = matches(part, context);
        if (answer === decisive) {
            return decisive;
        }
        otherwise = answer === undefined ? undefined : otherwise;
    }
    return otherwise;
}

/** The leaves that ask about the model. */
type ModelCondition = Extract<
    Condition,
    | { method: unknown }
    | { format: unknown }
    | { algorithm: unknown }
    | { attention: unknown }
    | { architecture: unknown }
    | { model: unknown }
>;

function modelMatches(condition: ModelCondition, { model }: RuleContext): Answer {
    if (model === undefined) {
        return undefined;
    }
    const { checkpoint, profile } = model;
    if ("method" in condition) {
        return condition.method.includes(checkpoint.method);
    }
    if ("format" in condition) {
        const { of } = condition;
        const sparse = profile.structure.experts !== undefined;
        const parts = Object.entries(checkpoint.formats).filter(
            ([part]) => (of === undefined || part === of) && (sparse || !/experts$/i.test(part)),
        );
        const held = parts.flatMap(([, formats]) => formats);
        return held.some((format) => condition.format.includes(format));
    }
    if ("algorithm" in condition) {
        return checkpoint.algorithms?.some((name) => condition.algorithm.includes(name));
    }
    if ("attention" in condition) {
        return condition.attention.includes(model.profile.structure.attention);
    }
    if ("architecture" in condition) {
        return condition.architecture.includes(model.profile.architecture);
    }
    return modelTraits[condition.model](model);
}

function settingMatches(test: SettingTest, context: RuleContext): boolean {
    const names = typeof test.setting === "string" ? [test.setting] : test.setting;
    const values = names.map((name) => context.settings[name]?.value);
    return "unset" in test
        ? values.every((value) => value === undefined || value === "auto")
        : values.some((value) => valueMatches<SettingValue>(test, value === "auto" ? undefined : value));
}

function variableMatches(test: VariableTest, context: RuleContext): boolean {
    return valueMatches<string>(test, context.environment[test.variable]?.value);
}

function valueMatches<T extends SettingValue>(test: ValueTest<T>, value: T | undefined): boolean {
    if ("unset" in test) {
        return value === undefined;
    }
    if (value === undefined) {
        return false;
    }
    if ("in" in test) {
        return test.in.includes(value);
    }
    if ("notIn" in test) {
        return !test.notIn.includes(value);
    }
    if ("above" in test) {
        return Number(value) > test.above;
    }
    if ("below" in test) {
        return Number(value) < test.below;
    }
    return true;
}

function countOf(what: Extract<Condition, { count: unknown }>["count"], context: RuleContext): number {
    switch (what) {
        case "tensor":
            return numberOf(context, "tp-size", 1);
        case "expert":
            return numberOf(context, "ep-size", 1);
        case "data":
            return numberOf(context, "dp-size", 1);
        case "nodes":
            return context.nodes.length;
        case "gpus":
            return context.gpus.length;
    }
}
