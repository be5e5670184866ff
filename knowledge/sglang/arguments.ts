/** Settings as the arguments of one release's server. */

import type { Problem, Settings, SettingValue } from "../base/settings.ts";
import { attentionDataParallel } from "./attention-data-parallel.ts";
import { explainMissing, findOption, nameHistory, optionName } from "./options.ts";
import { release } from "./releases.ts";
import { canonicalSettings, type OwnSpelling, ownSpelling } from "./spelling.ts";
import { valueProblem } from "./values.ts";

/** The command line of a server, and what is wrong with it. */
export interface LaunchArguments {
    /** The arguments, sorted by option: `["--model-path", "/models/x", "--tp-size", "8"]`. */
    readonly argv: readonly string[];
    /** The same by the release's long option without dashes; a flag is `true`, several values are a list. */
    readonly map: Readonly<Record<string, SettingValue>>;
    /** What the release would refuse, or would not mean the same. A setting with a problem is not among the arguments. */
    readonly problems: readonly Problem[];
    /** What works and is going away: deprecated options for which the release has no other. */
    readonly warnings: readonly Problem[];
}

/**
 * The arguments that give a server of this release these settings. Setting names may be in any release's spelling.
 * The path of a problem is the setting's name. Throws a RangeError for a release that is not supported.
 */
export function launchArguments(settings: Settings, version: string): LaunchArguments {
    release(version);
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    const map: Record<string, SettingValue> = {};
    const canonical = attentionDataParallel(merged(settings, version, problems), version);
    for (const setting of Object.keys(canonical).sort()) {
        const value = canonical[setting]!;
        const own = ownSpelling(setting, value, version);
        const knownAndOff = value === false && !own && nameHistory(setting) !== undefined;
        if (own === "default" || knownAndOff) {
            continue;
        }
        const message = own ? refusal(setting, own) : withoutOwn(setting, version);
        if (!own || message) {
            problems.push({ path: setting, message: message! });
            continue;
        }
        if (own.option.deprecated && value !== false) {
            warnings.push({ path: setting, message: deprecation(own.name) });
        }
        place(map, own);
    }
    return { argv: argvOf(map), map: sortedByKey(map), problems, warnings };
}

/** Settings under their newest names. Two spellings of one setting must agree. */
function merged(settings: Settings, version: string, problems: Problem[]): Record<string, SettingValue> {
    const values: Record<string, SettingValue> = {};
    for (const name of Object.keys(settings).sort()) {
        for (const [setting, value] of Object.entries(canonicalSettings(name, settings[name]!.value, version))) {
            const other = values[setting];
            if (other !== undefined && JSON.stringify(other) !== JSON.stringify(value)) {
                const message = `${optionName(name)} means ${setting} = ${JSON.stringify(value)}, but it is ${JSON.stringify(other)} already: give it once.`;
                problems.push({ path: name, message });
                continue;
            }
            values[setting] = value;
        }
    }
    return values;
}

function refusal(setting: string, own: OwnSpelling): string | undefined {
    const problem = valueProblem(own.option, own.value);
    return problem && `--${own.name}${own.name === setting ? "" : ` (${setting})`} ${problem}.`;
}

/** Why a release cannot have a setting: it has no such option, or one that does nothing. */
function withoutOwn(setting: string, version: string): string {
    const option = findOption(version, setting);
    return option?.ignored
        ? `--${setting} does nothing in SGLang ${version}${option.replacedBy ? `: use ${option.replacedBy}` : ""}.`
        : explainMissing(setting, version);
}

function deprecation(name: string): string {
    const { deprecatedSince, replacedBy, spans } = nameHistory(name)!;
    const until = spans.at(-1)!.until;
    const end = until ? `, gone after ${until}` : "";
    return `--${name} is deprecated since ${deprecatedSince}${end}${replacedBy ? `: ${replacedBy} takes its place` : ""}.`;
}

/** Puts an option into the map. A flag that is false is left out, or is its `--no-` name where it has one. */
function place(map: Record<string, SettingValue>, { name, value, option }: OwnSpelling): void {
    if (value !== false) {
        map[name] = value;
    } else if (option.names.includes(`--no-${name}`)) {
        map[`no-${name}`] = true;
    }
}

/** The words of a command line, sorted by option; `map` is by long option without dashes, as in {@link LaunchArguments}. */
export function argvOf(map: Readonly<Record<string, SettingValue>>): string[] {
    return Object.keys(map)
        .sort()
        .flatMap((name) => {
            const value = map[name]!;
            if (typeof value === "boolean") {
                return value ? [`--${name}`] : [];
            }
            if (Array.isArray(value)) {
                return [`--${name}`, ...value.map(String)];
            }
            const text = String(value);
            return text.startsWith("-") ? [`--${name}=${text}`] : [`--${name}`, text];
        });
}

function sortedByKey(map: Record<string, SettingValue>): Record<string, SettingValue> {
    return Object.fromEntries(
        Object.keys(map)
            .sort()
            .map((key) => [key, map[key]!]),
    );
}
