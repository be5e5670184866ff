import type { Finding } from "../base/settings.ts";
import type { Accepted } from "./evaluate.ts";

/** Findings from outside the table, and the settings that they may not change. */
export interface AcceptedFindings {
    /** Those that the user accepts are warnings that say so. */
    readonly findings: readonly Finding[];
    /** Names of settings and variables whose fix the user overrides. */
    readonly kept: readonly string[];
}

/** Overrides findings that are not made by the table. */
export function acceptFindings(findings: readonly Finding[], accept: Accepted): AcceptedFindings {
    const reasons = new Map(accept.map(({ rule, reason }) => [rule, reason]));
    const overridden = findings.filter(({ rule, verdict }) => reasons.has(rule) && verdict !== "warn");
    return {
        findings: findings.map((finding) =>
            overridden.includes(finding)
                ? { ...finding, verdict: "warn", message: `${finding.message} Accepted: ${reasons.get(finding.rule)}` }
                : finding,
        ),
        kept: overridden.flatMap(({ verdict, setting }) =>
            verdict === "fix" && setting !== undefined ? [setting] : [],
        ),
    };
}
