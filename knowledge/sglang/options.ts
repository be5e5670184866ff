/** Finds options by any of their names, and tells what became of one that a release does not have. */

import { nearest } from "../base/nearest.ts";
import { type Span, spanAt, spansOf } from "./history.ts";
import { type Option, optionHistory, release, releases } from "./releases.ts";
import { withoutOption } from "./replacements.ts";

/** What is known of one spelling of an option over all supported releases. */
export interface NameHistory {
    /** The spelling, with dashes: `--nsa-decode-backend`. */
    readonly name: string;
    /** Releases that have it, oldest first. More than one span when it went and came back. */
    readonly spans: readonly Span[];
    /** First release that calls it deprecated. Absent: none does. */
    readonly deprecatedSince?: string;
    /** What the newest release that has it says to use instead. */
    readonly replacedBy?: string;
}

/** One entry of `pulumi-sglang options RELEASE --json`. */
export interface OptionDescription {
    /** Every name, with dashes. */
    readonly names: readonly string[];
    /** How many values of what type, in words. */
    readonly takes: string;
    /** Accepted values, sorted; `null`: any of the option's type. */
    readonly choices: readonly (string | number)[] | null;
    /** Value when not given; `null`: the server decides. */
    readonly default: Option["default"] | null;
    /** The release says that it is going away. */
    readonly deprecated?: true;
    /** What the release says to use instead. */
    readonly replacedBy?: string;
    /** First supported release with it. Absent: already the oldest supported one. */
    readonly since?: string;
    /** Last release with it. Absent: the newest still has it. */
    readonly until?: string;
}

const byName = new Map<string, ReadonlyMap<string, Option>>();

/** The name as an option: `fp4_gemm_backend`, `fp4-gemm-backend` and `--fp4-gemm-backend` are all `--fp4-gemm-backend`. */
export function optionName(name: string): string {
    return `--${name.trim().replace(/^-+/, "").replaceAll("_", "-")}`;
}

function namesOf(version: string): ReadonlyMap<string, Option> {
    const found =
        byName.get(version) ??
        new Map(release(version).options.flatMap((option) => option.names.map((name) => [name, option] as const)));
    byName.set(version, found);
    return found;
}

/** The option of a release with this name, alias included; dashes in front may be left out. Abbreviations are not names. Throws a RangeError for a release that is not supported. */
export function findOption(version: string, name: string): Option | undefined {
    return namesOf(version).get(optionName(name));
}

/** The option that a release has for a setting, under whatever name. */
export function optionOf(version: string, setting: string): Option | undefined {
    return release(version).options.find((option) => option.setting === setting);
}

/** The option with this name in the newest release that has one. */
export function newestOption(name: string): Option | undefined {
    const version = releases().findLast((candidate) => findOption(candidate, name));
    return version === undefined ? undefined : findOption(version, name);
}

/** The long names of a release that argparse would complete this one to: none, one, or several when it is ambiguous. */
export function completions(version: string, name: string): readonly string[] {
    const start = optionName(name);
    const names = [...namesOf(version).keys()].filter(
        (candidate) => candidate !== start && candidate.startsWith(start),
    );
    return names.sort();
}

/** The name of the release's option that the writer most likely meant, if there is one like it. */
export function nearestOption(name: string, version: string): string | undefined {
    const dest = optionName(name).slice(2).replaceAll("-", "_");
    const sameDest = release(version).options.find((option) => option.dest === dest && !option.deprecated);
    return sameDest?.names[0] ?? nearest(optionName(name), namesOf(version).keys());
}

/** What became of one spelling over the supported releases; nothing when no release has it. */
export function nameHistory(name: string): NameHistory | undefined {
    const own = optionName(name);
    const optionAt = (version: string) => findOption(version, own);
    const spans = spansOf(releases(), (version) => (optionAt(version) ? {} : undefined));
    if (spans.length === 0) {
        return undefined;
    }
    const deprecatedSince = releases().find((version) => optionAt(version)?.deprecated);
    const replacedBy = newestOption(own)?.replacedBy;
    return { name: own, spans, ...(deprecatedSince && { deprecatedSince }), ...(replacedBy && { replacedBy }) };
}

/** One or two sentences on an option that the release does not have: gone since when, not yet there, shortened, or never there; and what to write. */
export function explainMissing(name: string, version: string): string {
    const own = optionName(name);
    const history = nameHistory(own);
    if (history) {
        return explainHistory(history, version);
    }
    const complete = completions(version, own);
    if (complete.length === 1) {
        return `${own} is an abbreviation of ${complete[0]}: write the whole name.`;
    }
    if (complete.length > 1) {
        return `${own} is an abbreviation of several options of SGLang ${version}: ${complete.join(", ")}. Write one whole name.`;
    }
    const nearest = nearestOption(own, version);
    return nearest
        ? `${own} never existed in SGLang ${releases()[0]} to ${releases().at(-1)}: did you mean ${nearest}?`
        : `${own} never existed in SGLang ${releases()[0]} to ${releases().at(-1)}, and no option is like it.`;
}

function explainHistory(history: NameHistory, version: string): string {
    const order = releases();
    const at = order.indexOf(version);
    const next = history.spans.find((span) => order.indexOf(span.since) > at);
    const previous = history.spans.findLast((span) => order.indexOf(span.since) <= at);
    const gone = previous?.until && order[order.indexOf(previous.until) + 1];
    const parts = [
        ...(gone ? [`is gone since ${gone}`] : []),
        ...(next ? [gone ? `and is back since ${next.since}` : `exists only since ${next.since}`] : []),
    ];
    const older = release(version).options.find((option) => nameHistory(option.names[0]!)?.replacedBy === history.name);
    const use = older?.names[0] ?? withoutOption[history.name]?.use ?? history.replacedBy;
    const instead = use && (older || gone) ? `: use ${use}` : `; SGLang ${version} does not have it`;
    return `${history.name} ${parts.join(" ")}${instead}.`;
}

/** The release's options as the command `options` prints them: all, or the one with this name. Throws a RangeError that explains a name the release does not have. */
export function describeOptions(version: string, name?: string): OptionDescription[] {
    if (name === undefined) {
        return release(version).options.map((option) => describe(option, version));
    }
    const option = findOption(version, name);
    if (!option) {
        throw new RangeError(explainMissing(name, version));
    }
    return [describe(option, version)];
}

/** How many values an option takes, and of what type. */
function takesInWords({ takes, type = "str" }: Option): string {
    const kinds: Readonly<Record<string, readonly [string, string]>> = {
        str: ["text", "texts"],
        int: ["whole number", "whole numbers"],
        float: ["number", "numbers"],
        human_readable_int: ["whole number, also as 4k or 2Mi", "whole numbers, also as 4k or 2Mi"],
        loads: ["JSON", "JSON"],
        json_list_type: ["JSON list", "JSON lists"],
        parse_cuda_graph_config_arg: ["JSON object", "JSON objects"],
    };
    const [one, many] = kinds[type] ?? ["text", "texts"];
    return takes === "nothing"
        ? "nothing: a switch"
        : takes === "one"
          ? one
          : `${takes === "some" ? "one or more" : "any number of"} ${many}`;
}

function describe(option: Option, version: string): OptionDescription {
    const order = releases();
    const history = optionHistory[option.setting]!;
    const spans = spansOf(order, (other) => (spanAt(order, history, other) ? {} : undefined));
    const span = spanAt(order, spans, version)!;
    return {
        names: option.names,
        takes: takesInWords(option),
        choices: option.choices ?? null,
        default: option.default ?? (option.takes === "nothing" ? false : null),
        ...(option.deprecated && { deprecated: true }),
        ...(option.replacedBy && { replacedBy: option.replacedBy }),
        ...(span.since !== order[0] && { since: span.since }),
        ...(span.until && { until: span.until }),
    };
}
