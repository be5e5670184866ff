import type { SettingValue } from "../base/settings.ts";
import type { Objective } from "../fields/service/objective.ts";
import type { Condition } from "../rules/condition.ts";
import type { Confidence, RuleWindow } from "../rules/rule.ts";
import type { ComputedName } from "./computed.ts";

/** Something that was measured before and after the change, or with and without it. */
export interface Effect {
    /** What was measured, with its unit: `output tokens/s`, `ms a token`. */
    readonly measure: string;
    readonly before: number;
    readonly after: number;
    /** At which load: concurrency, and context where it matters. */
    readonly at: string;
    /** Model, cards and engine. */
    readonly on: string;
    readonly source: string;
}

/** A value that is worked out from the service, by its name in `computed.ts`. */
export interface Computed {
    readonly computed: ComputedName;
}

/**
 * One thing that is known to make a service faster: data only, like a rule. It sets something (`set`, `environment`), or it is
 * advice about what no setting of the server decides.
 */
export interface TuningRow {
    /** Stable name in kebab case, apart from every rule's; `accept` turns it down by this name. */
    readonly id: string;
    /** When it applies, beside the window. What is not known of a model or machine is no yes. */
    readonly when: Condition;
    /** Versions in which it holds. Defaults to all. */
    readonly window?: RuleWindow;
    /** GPUs that it is about. Defaults to SM120 (compute capability 12.x). */
    readonly gpu?: "sm120" | "any";
    /** For which objectives. Defaults to all but `none`. */
    readonly objectives?: readonly Exclude<Objective, "none">[];
    /** Settings that it makes. Left out when anybody decided one of them otherwise. */
    readonly set?: Readonly<Record<string, SettingValue | Computed>>;
    /** Environment variables that it makes. */
    readonly environment?: Readonly<Record<string, string>>;
    /** What the operator can do, for a row that sets nothing. */
    readonly advice?: string;
    /** One sentence: why it is faster. */
    readonly reason: string;
    /** What was measured. Empty when nobody has: the reason says so then. */
    readonly effects: readonly Effect[];
    readonly confidence: Confidence;
    /** What can go wrong, and what undoes it. */
    readonly risk?: string;
    /** What shows on the running service that it works. */
    readonly shown?: string;
    /** Where it is known from: `owner/repo#number`, a file of the wheel, or `unverified`. */
    readonly sources: readonly string[];
    /** Evidence to the contrary, kept in view. */
    readonly contradicted?: { readonly statement: string; readonly sources: readonly string[] };
}

/** Rows of one area, in the order in which they are tried. */
export interface TuningArea {
    readonly title: string;
    readonly introduction: string;
    readonly rows: readonly TuningRow[];
}
