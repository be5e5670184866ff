/**
 * Between setting names and what one release calls them.
 *
 * A setting is named by the newest spelling (`dsa-decode-backend`); a release may know it under an older name, as a flag
 * in place of a value, or not at all. A spelling that the release calls deprecated is used only when it has no other.
 */

import type { SettingValue } from "../base/settings.ts";
import { findOption, newestOption, optionName, optionOf } from "./options.ts";
import type { Option } from "./releases.ts";
import { olderFlags, olderNames } from "./renames.ts";

/** A setting as one release takes it. */
export interface OwnSpelling {
    /** The release's long option without dashes. */
    readonly name: string;
    /** Its value there. */
    readonly value: SettingValue;
    /** The option. */
    readonly option: Option;
}

/** The long option, without dashes, that a release has for a setting with the same values; nothing when it has none. Not deprecated if there is a choice. */
export function spelling(setting: string, version: string): string | undefined {
    const renamed = [setting, ...(olderNames[setting] ?? [])].map((name) => findOption(version, name));
    const found = [optionOf(version, setting), ...renamed].filter((option) => option && !option.ignored);
    const option = found.find((candidate) => !candidate!.deprecated) ?? found[0];
    return option && longName(option);
}

/** The name to write for an option: its setting's where it has that name (`tp-size`), else its first. */
function longName(option: Option): string {
    return option.names.includes(`--${option.setting}`) ? option.setting : option.names[0]!.replace(/^-+/, "");
}

/** How a release writes a setting. `"default"`: it does that by itself and has no option for it. Nothing: it cannot. */
export function ownSpelling(
    setting: string,
    value: SettingValue,
    version: string,
): OwnSpelling | "default" | undefined {
    const name = spelling(setting, version);
    if (name !== undefined) {
        return { name, value, option: findOption(version, name)! };
    }
    for (const row of olderFlags.filter((candidate) => candidate.setting === setting && candidate.value === value)) {
        const flag = row.flag === undefined ? undefined : findOption(version, row.flag);
        if (row.flag === undefined) {
            return "default";
        }
        if (flag && !flag.ignored) {
            return { name: row.flag, value: true, option: flag };
        }
    }
    return undefined;
}

/** The settings that an option stands for, named in any spelling of any release: an older name becomes the newest, a flag becomes the value it means. */
export function canonicalSettings(name: string, value: SettingValue, version: string): Record<string, SettingValue> {
    const option = findOption(version, name) ?? newestOption(name);
    const own = option?.setting ?? optionName(name).slice(2);
    if (own === "disable-cuda-graph" && value === true) {
        const decodeOnly =
            findOption(version, "disable-piecewise-cuda-graph") && !spelling("cuda-graph-backend-prefill", version);
        return {
            "cuda-graph-backend-decode": "disabled",
            ...(decodeOnly ? {} : { "cuda-graph-backend-prefill": "disabled" }),
        };
    }
    const flag = value === true && !option?.ignored && olderFlags.find((row) => row.flag === own);
    if (flag) {
        return { [flag.setting]: flag.value };
    }
    const renamed = Object.keys(olderNames).find((setting) => olderNames[setting]!.includes(own));
    return { [renamed ?? own]: value };
}
