/** A launch command as settings: what is kept, what is written differently today, what the release would refuse. */

import { withoutSecrets } from "../base/secrets.ts";
import type { Problem, Setting, Settings, SettingValue } from "../base/settings.ts";
import { compareVersions } from "../base/version.ts";
import type { LaunchArgument, LaunchCommand } from "../launch/launch-command.ts";
import { completions, explainMissing, findOption, nameHistory, newestOption } from "./options.ts";
import { type Option, release } from "./releases.ts";
import { canonicalSettings, ownSpelling } from "./spelling.ts";
import { valueProblem } from "./values.ts";

/** What became of one argument of a launch command. */
export interface LaunchNote {
    /** The argument as written; the value of a secret is left out. */
    readonly argument: string;
    /** Taken as it is, taken in another spelling, or not taken. */
    readonly verdict: "kept" | "translated" | "refused";
    /** Whether the release's own parser takes the argument as it is written, abbreviations included. */
    readonly accepted: boolean;
    /** Names of the settings that it became. */
    readonly settings: readonly string[];
    /** Why. */
    readonly message: string;
}

/** Settings of a launch command for one release. */
export interface LaunchSettings {
    /** Settings by canonical name, with origin `user`. */
    readonly settings: Settings;
    /** One note for each argument, in order. */
    readonly notes: readonly LaunchNote[];
    /** Everything that is not taken, and what could not be read. */
    readonly problems: readonly Problem[];
}

/** First release whose `sglang serve` takes the model by position (`sglang/cli/serve.py`). */
const firstPositional = "0.5.16";

const secrets = ["admin-api-key", "api-key", "ssl-keyfile-password"];

/** Takes over the arguments of a launch command; of an option that is given twice the last counts. Throws a RangeError for a release that is not supported. */
export function settingsFromLaunch(command: LaunchCommand, version: string): LaunchSettings {
    release(version);
    const settings: Record<string, Setting> = {};
    const problems = [...command.problems];
    if (command.model !== undefined && compareVersions(version, firstPositional) < 0) {
        const message = `sglang serve takes the model by position from ${firstPositional} on: write --model-path ${command.model}.`;
        problems.push({ path: "launch", message });
    }
    const model = command.model === undefined ? [] : [{ name: "--model-path", values: [command.model] }];
    const notes = [...model, ...command.arguments].map((argument) => {
        const { values, ...note } = take(argument, version);
        for (const [name, value] of Object.entries(values)) {
            settings[name] = { value, origin: "user" };
        }
        return { ...note, settings: Object.keys(values).sort() };
    });
    const refused = notes.filter(({ verdict }) => verdict === "refused");
    problems.push(...refused.map(({ argument, message }) => ({ path: `launch.${argument.split(" ")[0]}`, message })));
    return { settings, notes, problems };
}

type Taken = Omit<LaunchNote, "settings"> & { readonly values: Record<string, SettingValue> };

function take(argument: LaunchArgument, version: string): Taken {
    const { name } = argument;
    const own = findOption(version, name);
    const exact = own?.names.includes(name) ? own : undefined;
    const complete = exact ? [] : completions(version, name);
    const option = exact ?? (complete.length === 1 ? findOption(version, complete[0]!) : undefined) ?? own;
    const accepted = exact !== undefined || complete.length === 1;
    const other = option ?? (complete.length === 0 ? newestOption(name) : undefined);
    const refuse = (message: string, taken = false): Taken => ({
        argument: written(argument, other),
        verdict: "refused",
        accepted: taken,
        values: {},
        message,
    });
    if (!other) {
        return refuse(explainMissing(name, version));
    }
    if (secrets.includes(other.setting)) {
        return refuse(`${name} is a secret: give it as a secret of the service, not on a command line.`, accepted);
    }
    if (option?.ignored) {
        return refuse(`${name} does nothing in SGLang ${version}: leave it out.`, accepted);
    }
    const value = givenValue(argument, other);
    const problem = typeof value === "object" && "problem" in value ? value.problem : valueProblem(other, value);
    if (problem) {
        return refuse(option ? `${name} ${problem}.` : explainMissing(name, version));
    }
    const values = canonicalSettings(option ? option.names[0]! : name, value as SettingValue, version);
    const impossible = option ? undefined : withoutPlace(values, name, version);
    if (impossible) {
        return refuse(impossible);
    }
    const names = Object.keys(values);
    const kept = exact && names.length === 1 && `--${names[0]}` === name;
    return {
        argument: written(argument, other),
        verdict: kept ? "kept" : "translated",
        accepted,
        values,
        message: kept ? "Taken as it is." : `${reason(argument, option, complete, version)} Taken as ${list(values)}.`,
    };
}

/** Why settings that came from another release's option cannot be given to this one. */
function withoutPlace(values: Record<string, SettingValue>, name: string, version: string): string | undefined {
    for (const [setting, value] of Object.entries(values)) {
        const own = ownSpelling(setting, value, version);
        const problem = own === undefined ? "" : own === "default" ? undefined : valueProblem(own.option, own.value);
        if (problem !== undefined) {
            return [explainMissing(name, version), problem && `--${setting} ${problem}.`].filter(Boolean).join(" ");
        }
    }
    return undefined;
}

function reason(
    argument: LaunchArgument,
    option: Option | undefined,
    complete: readonly string[],
    version: string,
): string {
    const { name } = argument;
    if (!option) {
        return explainMissing(name, version);
    }
    if (complete.length === 1) {
        return `${name} is an abbreviation that the parser completes to ${complete[0]}.`;
    }
    if (!option.names.includes(name)) {
        return `${name} is written ${option.names[0]}.`;
    }
    const since = option.deprecated && nameHistory(name)?.deprecatedSince;
    if (since) {
        return `${name} is deprecated since ${since}.`;
    }
    return option.names[0] === name
        ? `${name} is how SGLang ${version} writes it.`
        : `${name} is another name of ${option.names[0]}.`;
}

/** The words after an option as its value, or what is wrong with their number. */
function givenValue({ values }: LaunchArgument, option: Option): SettingValue | { problem: string } {
    if (option.takes === "nothing") {
        return values.length === 0 ? true : { problem: `takes no value, but ${JSON.stringify(values[0])} follows it` };
    }
    const typed = values.map((text) => scalar(text, option));
    if (option.takes !== "one") {
        return typed;
    }
    const count =
        values.length === 0 ? "none follows it" : `${values.length} follow it: ${withoutSecrets(values.join(" "))}`;
    return typed.length === 1 ? typed[0]! : { problem: `takes one value, but ${count}` };
}

function scalar(text: string, option: Option): string | number {
    const numeric = option.type === "int" || option.type === "float" || option.type === "human_readable_int";
    return numeric && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : text;
}

function written({ name, values }: LaunchArgument, option: Option | undefined): string {
    const secret = secrets.some((one) => one === option?.setting || `--${one}`.startsWith(name));
    return secret ? name : [name, ...values].join(" ");
}

function list(values: Record<string, SettingValue>): string {
    return Object.entries(values)
        .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
        .join(", ");
}
