import type { SettingValue } from "../base/settings.ts";
import type { VersionWindow } from "../base/version.ts";
import type { Condition, ValueTest } from "./condition.ts";
import { predicates } from "./predicates.ts";
import type { RuleWindow } from "./rule.ts";

/** Names of things with versions, as people write them. */
const things: Readonly<Record<keyof RuleWindow, string>> = {
    sglang: "SGLang",
    flashinfer: "FlashInfer",
    nccl: "NCCL",
    driver: "driver",
    cuda: "CUDA toolkit",
};

/** A condition as a phrase for people; Markdown code for names and values. */
export function describeCondition(condition: Condition): string {
    if ("all" in condition) {
        return condition.all.length === 0 ? "always" : joined(condition.all, " and ");
    }
    if ("any" in condition) {
        return joined(condition.any, " or ");
    }
    if ("not" in condition) {
        return `not (${describeCondition(condition.not)})`;
    }
    if ("setting" in condition) {
        const names = typeof condition.setting === "string" ? [condition.setting] : condition.setting;
        return `${names.map(code).join(" or ")} ${describeTest(condition, "left to SGLang")}`;
    }
    if ("variable" in condition) {
        return `${code(condition.variable)} ${describeTest(condition, "not in the environment")}`;
    }
    if ("release" in condition) {
        return `SGLang ${describeSpan(condition.release)}`;
    }
    if ("method" in condition) {
        return `the checkpoint's method is ${condition.method.map(code).join(" or ")}`;
    }
    if ("format" in condition) {
        const what = condition.of === undefined ? "weights" : `weights of the part ${code(condition.of)}`;
        return `${what} are ${condition.format.map(code).join(" or ")}`;
    }
    if ("algorithm" in condition) {
        return `the quantization configuration names ${condition.algorithm.map(code).join(" or ")}`;
    }
    if ("attention" in condition) {
        return `attention is of the kind ${condition.attention.map(code).join(" or ")}`;
    }
    if ("architecture" in condition) {
        return `the model is a ${condition.architecture.map(code).join(" or ")}`;
    }
    if ("model" in condition) {
        return `the model is ${code(condition.model)}`;
    }
    if ("placement" in condition) {
        return condition.placement === "pool" ? "it runs in a pool" : "it runs on hosts";
    }
    if ("stock" in condition) {
        return condition.stock ? "the build is stock" : "the build is not stock";
    }
    if ("patched" in condition) {
        return `the build has the patch ${code(condition.patched)}`;
    }
    if ("pinned" in condition) {
        return `the build pins ${code(condition.pinned)}`;
    }
    if ("count" in condition) {
        const { count, above, below } = condition;
        const bounds = [above === undefined ? [] : `above ${above}`, below === undefined ? [] : `below ${below}`];
        return `${count} size ${bounds.flat().join(" and ")}`;
    }
    return predicates[condition.predicate].description;
}

/** A window as a phrase: `SGLang from 0.5.11 to before 0.5.15, or from 0.5.16 on`. */
export function describeWindow(window: RuleWindow): string {
    return Object.entries(window)
        .map(([name, spans]) => `${things[name as keyof RuleWindow]} ${spans.map(describeSpan).join(", or ")}`)
        .join("; ");
}

function describeSpan({ since, before }: VersionWindow): string {
    if (since === undefined) {
        return `before ${before}`;
    }
    return before === undefined ? `from ${since} on` : `from ${since} to before ${before}`;
}

function describeTest(test: ValueTest<SettingValue>, unset: string): string {
    if ("in" in test) {
        return `is ${test.in.map((value) => code(String(value))).join(" or ")}`;
    }
    if ("notIn" in test) {
        return `is something else than ${test.notIn.map((value) => code(String(value))).join(" or ")}`;
    }
    if ("above" in test) {
        return `is above ${test.above}`;
    }
    if ("below" in test) {
        return `is below ${test.below}`;
    }
    return "unset" in test ? `is ${unset}` : "is set";
}

function joined(parts: readonly Condition[], word: string): string {
    const phrases = parts.map((part) =>
        "all" in part || "any" in part ? `(${describeCondition(part)})` : describeCondition(part),
    );
    return phrases.join(word);
}

function code(text: string): string {
    return `\`${text}\``;
}
