/** Turns what was read from a wheel into the shared tables in `knowledge/sglang/data`, and back. */

import { compareVersions } from "../knowledge/base/version.ts";
import { type Span, spanAt, spansOf } from "../knowledge/sglang/history.ts";
import type { ArchitectureData, OptionData, ReleaseData } from "../knowledge/sglang/releases.ts";

/** One option as `parser_harness.py options` prints it. */
export interface RawOption {
    readonly names: string[];
    readonly dest: string;
    readonly kind: string;
    readonly type: string | null;
    readonly nargs: number | string | null;
    readonly choices: (string | number)[] | null;
    readonly default: string | number | boolean | (string | number)[] | null;
    readonly required: boolean;
    readonly deprecated: boolean;
    readonly replacement?: string | null;
}

type OptionEntry = Omit<OptionData[string][number], keyof Span>;

/** All that is recorded of one release. */
export interface ReleaseTable {
    /** Its options, in any order. */
    readonly options: readonly OptionEntry[];
    /** Its requirements. */
    readonly pins: ReleaseData[string];
    /** Its model classes. */
    readonly architectures: readonly string[];
}

/** The three files of `knowledge/sglang/data`. */
export interface Tables {
    readonly releases: ReleaseData;
    readonly options: OptionData;
    readonly architectures: ArchitectureData;
}

/** An option as it is recorded: what the parser says, without the words of its help and without what is usual. */
export function recorded(raw: RawOption): OptionEntry {
    const takes = { "0": "nothing", "*": "any", "+": "some" }[String(raw.nargs)] ?? "one";
    return {
        names: raw.names,
        dest: raw.dest,
        takes: takes as OptionEntry["takes"],
        ...(takes === "nothing" ? {} : { type: raw.type ?? "str" }),
        ...(raw.choices === null ? {} : { choices: raw.choices }),
        ...(raw.default === null || (takes === "nothing" && !raw.default) ? {} : { default: raw.default }),
        ...(raw.required ? { required: true as const } : {}),
        ...(raw.deprecated ? { deprecated: true as const } : {}),
        ...(raw.kind === "DeprecatedAction" ? { ignored: true as const } : {}),
        ...(raw.replacement ? { replacedBy: raw.replacement } : {}),
    };
}

/** The table of one release, out of the shared ones. */
export function tableOf(tables: Tables, release: string): ReleaseTable {
    const releases = Object.keys(tables.releases);
    const at = <T extends Span>(history: T[]) => spanAt(releases, history, release);
    return {
        options: Object.values(tables.options).flatMap((history) => {
            const span = at(history);
            if (!span) {
                return [];
            }
            const { since: _, until: __, ...option } = span;
            return [option];
        }),
        pins: tables.releases[release]!,
        architectures: Object.keys(tables.architectures).filter((name) => at(tables.architectures[name]!)),
    };
}

/** The shared tables with one release added or replaced. Every release is worked out anew, so the order of additions does not matter. */
export function withRelease(tables: Tables, version: string, table: ReleaseTable): Tables {
    const all = new Map(Object.keys(tables.releases).map((release) => [release, tableOf(tables, release)]));
    all.set(version, table);
    const releases = [...all.keys()].sort(compareVersions);
    const bySetting = settingNames(releases.map((release) => all.get(release)!));
    const settings = [...new Set(bySetting.flatMap((options) => [...options.keys()]))].sort();
    const architectures = [...new Set([...all.values()].flatMap((one) => one.architectures))].sort();
    const indexOf = (release: string) => releases.indexOf(release);
    return {
        releases: Object.fromEntries(releases.map((release) => [release, all.get(release)!.pins])),
        options: Object.fromEntries(
            settings.map((setting) => [
                setting,
                spansOf(releases, (release) => bySetting[indexOf(release)]!.get(setting)),
            ]),
        ),
        architectures: Object.fromEntries(
            architectures.map((name) => [
                name,
                spansOf(releases, (release) => (all.get(release)!.architectures.includes(name) ? {} : undefined)),
            ]),
        ),
    };
}

/**
 * The setting name of every option, release by release: its first name in the newest release that has it, without
 * dashes. Two options are the same setting when they share a name.
 */
function settingNames(oldestFirst: readonly ReleaseTable[]): Map<string, OptionEntry>[] {
    const settingOf = new Map<string, string>();
    const result: Map<string, OptionEntry>[] = [];
    for (const { options } of [...oldestFirst].reverse()) {
        const own = new Map<string, OptionEntry>();
        for (const option of options) {
            const name = option.names.find((candidate) => settingOf.has(candidate)) ?? option.names[0]!;
            const setting = settingOf.get(name) ?? name.replace(/^-+/, "");
            if (own.has(setting)) {
                throw new Error(`two options are ${setting}: ${option.names} and ${own.get(setting)!.names}`);
            }
            own.set(setting, option);
        }
        for (const [setting, option] of own) {
            for (const name of option.names.filter((candidate) => !settingOf.has(candidate))) {
                settingOf.set(name, setting);
            }
        }
        result.unshift(own);
    }
    return result;
}

/** A table as text: one entry per line, so that a change reads well in a diff. */
export function tableText(table: Tables[keyof Tables]): string {
    const lines = Object.entries(table).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    return `{\n${lines.join(",\n")}\n}\n`;
}
