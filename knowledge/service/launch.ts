import type { Finding, Problem, SettingValue } from "../base/settings.ts";
import {
    canonicalSettings,
    completions,
    findOption,
    type LaunchArgument,
    type LaunchNote,
    parseLaunchCommand,
    settingsFromLaunch,
} from "../sglang/index.ts";
import { placedSettings } from "./placed.ts";

/** A launch command, taken apart. */
export interface ExpandedLaunch {
    /** Settings by canonical name, without what the placement decides. */
    readonly settings: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The model that it names: a path or a repository. */
    readonly model?: string;
    /** What became of each argument. */
    readonly notes: readonly LaunchNote[];
    /** What the release would refuse; the path begins with `launch`. */
    readonly problems: readonly Problem[];
    /** A warning for each argument that is not taken as it stands. */
    readonly findings: readonly Finding[];
}

/**
 * A launch command as settings of one release. On a build that is not stock an option or a choice that the release does not have passes.
 * Throws a RangeError for a release that is not supported.
 */
export function expandLaunch(text: string, release: string, stock = true): ExpandedLaunch {
    const command = parseLaunchCommand(text);
    const foreign = stock ? [] : command.arguments.filter((argument) => isForeign(argument, release));
    const own = command.arguments.filter((argument) => !foreign.includes(argument));
    const { settings, notes, problems } = settingsFromLaunch({ ...command, arguments: own }, release);
    const values = Object.entries(settings).map(([name, { value }]) => [name, value] as const);
    const model = settings["model-path"]?.value;
    return {
        settings: {
            ...Object.fromEntries(values.filter(([name]) => !placedSettings.includes(name))),
            ...Object.assign(
                {},
                ...foreign.map((argument) => canonicalSettings(argument.name, foreignValue(argument), release)),
            ),
        },
        environment: command.environment,
        ...(typeof model === "string" ? { model } : {}),
        notes,
        problems,
        findings: [...notes.flatMap(noteFindings), ...command.notes.map(readFinding)],
    };
}

function isForeign({ name, values }: LaunchArgument, release: string): boolean {
    const option = findOption(release, name);
    if (option === undefined) {
        return completions(release, name).length === 0;
    }
    return values.some((value) => option.choices?.some((choice) => String(choice) === value) === false);
}

function foreignValue({ values }: LaunchArgument): SettingValue {
    return values.length === 0 ? true : values.length === 1 ? values[0]! : values;
}

/** What reading the text took for granted or left out. */
function readFinding(note: string): Finding {
    return { rule: "launch-read", verdict: "warn", message: `${sentence(note)}.`, sources: ["the launch"] };
}

function sentence(clause: string): string {
    return /^[a-z]+\s/.test(clause) ? clause[0]!.toUpperCase() + clause.slice(1) : clause;
}

/** Arguments that become another setting, or that the placement decides. */
function noteFindings({ argument, verdict, settings, message }: LaunchNote): Finding[] {
    const placed = settings.filter((name) => placedSettings.includes(name) && name !== "model-path");
    const [setting] = settings;
    const sources = ["the release's own option table"];
    if (placed.length > 0) {
        const left = `${argument} is left out: the placement decides it.`;
        return [{ rule: "launch-placed", verdict: "warn", setting: placed[0]!, message: left, sources }];
    }
    return verdict === "translated" && setting !== undefined && setting !== "model-path"
        ? [{ rule: "launch-translated", verdict: "warn", setting, message, sources }]
        : [];
}
