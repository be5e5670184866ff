/**
 * What a resolved service is made of: settings, each with its origin, and findings.
 *
 * A setting is named by SGLang's own long option in its **newest** spelling, without dashes in front
 * (`fp4-gemm-backend`, `dsa-decode-backend`, `tp-size`); `sglang/spelling` turns the name into the spelling of one release.
 */

/** Value of a setting. A flag without value is `true`; an option that takes several values is a list. */
export type SettingValue = string | number | boolean | readonly (string | number)[];

/** Who decided a setting. */
export type Origin = "user" | "profile" | "rule" | "tuning" | "topology" | "memory" | "placement" | "release default";

/** One effective setting and who decided it. */
export interface Setting {
    /** The value that the server gets. */
    readonly value: SettingValue;
    /** Who decided it. */
    readonly origin: Origin;
    /** Id of the rule or tuning row, when the origin is one. */
    readonly rule?: string;
}

/** Settings by canonical name. */
export type Settings = Readonly<Record<string, Setting>>;

/** What a rule says of a deployment: refuse it, correct it, or let it pass with a warning. */
export type Verdict = "refuse" | "fix" | "warn";

/** One thing that a rule found. */
export interface Finding {
    /** Id of the rule. */
    readonly rule: string;
    /** What it leads to. An accepted refusal or fix becomes a `warn` that says so. */
    readonly verdict: Verdict;
    /** Setting or environment variable concerned, when it is one. */
    readonly setting?: string;
    /** Value before a fix; absent when it was not set. */
    readonly from?: SettingValue;
    /** Value after a fix; absent when the fix removes the setting. */
    readonly to?: SettingValue;
    /** One or two sentences: what is wrong, why, and what to do. */
    readonly message: string;
    /** Where this is known from: `owner/repo#number`, a source file, or `unverified`. */
    readonly sources: readonly string[];
}

/** One mistake in the input: where it stands, and what was expected. */
export interface Problem {
    /** Path in the file, such as `services.qwen.backends.fp4Gemm`. */
    readonly path: string;
    /** What is wrong, what was expected, and what to do. */
    readonly message: string;
}

/** One environment variable of the server, with the reason that it is set. */
export interface EnvironmentVariable {
    /** Name, such as `NCCL_P2P_LEVEL`. */
    readonly name: string;
    /** Value, as the server's process sees it. */
    readonly value: string;
    /** Who decided it. */
    readonly origin: Origin;
    /** Why it has this value. */
    readonly reason: string;
}
