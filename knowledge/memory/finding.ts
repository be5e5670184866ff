import type { Finding, SettingValue, Verdict } from "../base/settings.ts";

/** A finding of the memory planner. */
export function finding(
    rule: string,
    verdict: Exclude<Verdict, "fix">,
    message: string,
    sources: readonly string[],
    setting?: string,
    from?: SettingValue,
): Finding {
    return { rule, verdict, message, sources, ...(setting && { setting }), ...(from !== undefined && { from }) };
}

/** GiB with one decimal. */
export function gib(value: number): string {
    return `${value.toFixed(1)} GiB`;
}
