import type { SettingValue, Verdict } from "../base/settings.ts";
import type { VersionWindow } from "../base/version.ts";
import type { Condition } from "./condition.ts";
import type { Detail } from "./details.ts";

/** Versions between which a rule holds. All named ones must match; of the windows of one thing, any. */
export interface RuleWindow {
    /** SGLang release. */
    readonly sglang?: readonly VersionWindow[];
    /** FlashInfer: the release's own pin unless `build.versions` says otherwise. */
    readonly flashinfer?: readonly VersionWindow[];
    /** NCCL, when `build.versions` names one. */
    readonly nccl?: readonly VersionWindow[];
    /** NVIDIA driver; the oldest of the nodes counts. */
    readonly driver?: readonly VersionWindow[];
    /** CUDA toolkit that compiles kernels at run time; the oldest of the nodes counts. */
    readonly cuda?: readonly VersionWindow[];
}

/** How sure a rule is: `high` from source code or several reports, `medium` from one, `low` from hearsay or another engine. */
export type Confidence = "high" | "medium" | "low";

/** What notices the fault after the start when no check before it can. */
export type DetectedBy = "gate" | "memory plan" | "topology" | "host probe";

/** One row of the rule table: data only, so that the whole table can be printed. */
export interface Rule {
    /** Stable name in kebab case; `accept` refers to it. */
    readonly id: string;
    /** `refuse`: nothing is deployed. `fix`: `set` and `environment` are applied. `warn`: deployed and said. */
    readonly verdict: Verdict;
    /** When it applies, beside the window. */
    readonly when: Condition;
    /** GPUs that it is about. Defaults to SM120 (compute capability 12.x) on every node. */
    readonly gpu?: "sm120" | "any";
    /** Settings that a fix makes; `null` leaves the setting to the release. */
    readonly set?: Readonly<Record<string, SettingValue | null>>;
    /** Environment variables that a fix makes; `null` removes one. */
    readonly environment?: Readonly<Record<string, string | null>>;
    /** What the placement (unit, pod) does about it, for a fix that is no setting of the server; shown in the plan. */
    readonly placed?: { readonly name: string; readonly to: string };
    /** One sentence: what is wrong and why. */
    readonly reason: string;
    /** True for a fix that is a refusal to whoever asked for the setting in a typed field: they would look for what it says. */
    readonly refusesTyped?: boolean;
    /** What only the service at hand can tell, said after the reason. */
    readonly detail?: Detail;
    /** What the user can do about it, when `set` does not say it. */
    readonly remedy?: string;
    /** Where it is known from: `owner/repo#number`, a file of the wheel, or `unverified`. */
    readonly sources: readonly string[];
    /** Versions in which it holds. Defaults to all. */
    readonly window?: RuleWindow;
    readonly confidence: Confidence;
    /** Evidence to the contrary, kept in view. */
    readonly contradicted?: { readonly statement: string; readonly sources: readonly string[] };
    /** What notices it after the start. */
    readonly detectedBy?: DetectedBy;
}

/** Rules of one area, in the order in which they are applied. */
export interface RuleArea {
    /** Short title for the documentation. */
    readonly title: string;
    /** One or two sentences that introduce the area. */
    readonly introduction: string;
    readonly rules: readonly Rule[];
}
