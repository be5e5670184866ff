import type { Finding, Problem, Settings, SettingValue } from "../base/settings.ts";
import { launchArguments } from "../sglang/index.ts";
import { boundSettings, placedSettings } from "./placed.ts";
import type { UserSettings } from "./settings.ts";
import type { ServiceSpec } from "./spec.ts";

/** Settings in one release's spelling. */
export interface ServiceArguments {
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly findings: readonly Finding[];
}

/**
 * The arguments of the server without what the placement adds. What the user asked for and the release cannot do is a problem at
 * the user's own path; on a build that is not stock it passes, since nobody knows that build's options.
 */
export function serviceArguments(
    spec: ServiceSpec,
    settings: Settings,
    { paths }: UserSettings,
    problems: Problem[],
): ServiceArguments {
    const own = Object.fromEntries(
        Object.entries(settings).filter(([name]) => !placedSettings.includes(name) && !boundSettings.includes(name)),
    );
    const launched = launchArguments(own, spec.build.release);
    const passed: Record<string, SettingValue> = {};
    const findings: Finding[] = [];
    for (const { path: name, message } of launched.problems) {
        if (spec.build.stock === false && own[name] !== undefined) {
            passed[name] = own[name].value;
            findings.push(
                option("option-not-stock", name, `${message} Passed as it is, since the build is not stock.`),
            );
        } else if (own[name]?.origin === "profile") {
            findings.push(option("option-not-in-release", name, `${message} Left out.`));
        } else {
            problems.push({ path: paths[name] ?? "settings", message });
        }
    }
    for (const { path: name, message } of launched.warnings) {
        findings.push(option("option-deprecated", name, message));
    }
    return { arguments: sorted({ ...launched.map, ...passed }), findings };
}

function option(rule: string, setting: string, message: string): Finding {
    return { rule, verdict: "warn", setting, message, sources: ["the release's own option table"] };
}

function sorted(map: Record<string, SettingValue>): Record<string, SettingValue> {
    return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
