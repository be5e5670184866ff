import type { Command } from "commander";
import { deploymentSchema } from "../deployment/schema.ts";
import { nearest } from "../knowledge/base/nearest.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { fallbackOf, plainType } from "../knowledge/fields/plain-type.ts";
import { allFields, fieldsOf, type PlacedField } from "../knowledge/fields/walk.ts";
import { describeCondition, describeWindow } from "../knowledge/rules/describe.ts";
import { derivedRules, type Rule, rules } from "../knowledge/rules/index.ts";
import {
    canonicalSettings,
    completions,
    describeOptions,
    nameHistory,
    nearestOption,
    newestRelease,
    releases,
} from "../knowledge/sglang/index.ts";
import { changesOfRow, describeEffect, tuningRows } from "../knowledge/tuning/index.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { wrap } from "./text.ts";

/** One thing that is explained, as rows of a name and a text. */
export interface Explained {
    readonly kind: "field" | "setting" | "rule" | "tuning";
    readonly name: string;
    readonly says: string;
    readonly rows: readonly (readonly [string, string])[];
}

/** Declares `explain NAME`. */
export function declare(verb: Command): void {
    verb.argument(
        "<NAME>",
        "a field such as kvCache.dtype, a setting such as tp-size or --tp, or the id of a rule or tuning row",
    )
        .allowUnknownOption()
        .option(...jsonOption)
        .action(ending(run));
}

/** `explain NAME`: everything of that name. Exit 2 for a name that nothing has. */
function run(name: string, values: JsonOption): number {
    const found = explained(name);
    process.stdout.write(values.json ? `${JSON.stringify(found, null, 4)}\n` : found.map(text).join("\n"));
    return 0;
}

/** Every field, setting and rule of that name. Throws a {@link ProblemsError} for a name that nothing has. */
export function explained(name: string): Explained[] {
    const bare = name.replace(/^--/, "");
    const fields = allFields(fieldsOf(deploymentSchema));
    const found = [...fieldsNamed(name, fields).map(field), ...setting(bare, fields), ...rule(name), ...tuning(name)];
    if (found.length === 0) {
        throw new ProblemsError("There is nothing to explain:", [{ path: name, message: unknown(bare, fields) }]);
    }
    return found;
}

function text({ kind, name, says, rows }: Explained): string {
    const width = Math.max(0, ...rows.map(([left]) => left.length));
    const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${wrap(right, width + 4).trimStart()}`);
    return `${name} (${kind})\n${wrap(says, 2)}${lines.join("")}`;
}

/** Fields whose path ends so; names of maps and lists may be left out. */
function fieldsNamed(name: string, fields: readonly PlacedField[]): PlacedField[] {
    const plain = (path: readonly string[]) => path.filter((key) => key !== "*" && key !== "[]");
    const wanted = plain(name.split(".")).join(".");
    const paths = fields.filter(({ path }) => `.${plain(path).join(".")}`.endsWith(`.${wanted}`));
    const exact = paths.filter(({ path }) => plain(path).join(".") === wanted);
    return exact.length > 0 ? exact : paths;
}

function field({ path, schema, row, required, fields }: PlacedField): Explained {
    const inner = fields.map((one) => one.path.at(-1)).join(", ");
    const rows: [string, string | undefined][] = [
        ["type", fields.length > 0 ? `map with ${inner}` : plainType(schema)],
        ["unit", row?.unit],
        ["default", row?.default ?? fallbackOf(schema) ?? (required ? "none: required" : undefined)],
        ["one of", row?.decides && choicesOf(row.decides.setting)],
        ["decides", row?.decides && `${row.decides.setting}${row.decides.how ? `, ${row.decides.how}` : ""}`],
        ["example", row?.examples?.[0] === undefined ? undefined : JSON.stringify(row.examples[0])],
    ];
    return { kind: "field", name: path.join("."), says: `${row?.says ?? ""}.`, rows: given(rows) };
}

/** Values that the newest release takes for a setting; nothing where it takes any. */
function choicesOf(name: string): string | undefined {
    const release = newestRelease();
    return has(release, name) ? describeOptions(release, `--${name}`)[0]!.choices?.join(", ") : undefined;
}

function setting(written: string, fields: readonly PlacedField[]): Explained[] {
    const complete = completions(newestRelease(), `--${written}`);
    const name = complete.length === 1 ? complete[0]!.replace(/^--/, "") : written;
    const release = releases().findLast((version) => has(version, name));
    if (release === undefined) {
        return [];
    }
    const [option] = describeOptions(release, `--${name}`);
    const [canonical = name] = Object.keys(canonicalSettings(name, true, release));
    const own = fields.find(({ row }) => row?.decides?.setting === canonical);
    const aboutIt = rules.filter((one) => JSON.stringify([one.when, one.set ?? {}]).includes(`"${canonical}"`));
    const rows: [string, string | undefined][] = [
        ["names", option!.names.join(", ")],
        ["takes", option!.takes],
        ["one of", option!.choices?.join(", ")],
        ["default", option!.default === null ? "what the server decides" : JSON.stringify(option!.default)],
        ["since", option!.since],
        ["until", option!.until],
        [
            "field",
            own?.path
                .filter((key) => key !== "*")
                .slice(1)
                .join(".") ?? "none: extraArgs",
        ],
        ["rules", aboutIt.map(({ id }) => id).join(", ") || undefined],
        [
            "tuning",
            tuningRows
                .filter(({ set }) => set && canonical in set)
                .map(({ id }) => id)
                .join(", ") || undefined,
        ],
    ];
    const says = `An option of SGLang, as ${release} declares it.`;
    return [{ kind: "setting", name: canonical, says, rows: given(rows) }];
}

function has(version: string, name: string): boolean {
    try {
        return describeOptions(version, `--${name}`).length > 0;
    } catch {
        return false;
    }
}

function rule(name: string): Explained[] {
    const found: Rule | undefined = rules.find(({ id }) => id === name);
    if (!found) {
        const derived = Object.hasOwn(derivedRules, name) ? derivedRules[name] : undefined;
        const rows = [["override", `accept: [{ rule: ${name}, reason: WHY }]`]] as const;
        return derived === undefined ? [] : [{ kind: "rule", name, says: derived, rows }];
    }
    const { verdict, reason, remedy, when, window, set, environment, confidence, sources } = found;
    const changes = Object.entries({ ...set, ...environment }).map(
        ([key, value]) => `${key} = ${value ?? "(not set)"}`,
    );
    const plain = (words: string) => words.replaceAll("`", "");
    const rows: [string, string | undefined][] = [
        ["verdict", verdict],
        ["when", plain(describeCondition(when))],
        ["window", window && plain(describeWindow(window))],
        ["sets", changes.join(", ") || undefined],
        ["remedy", remedy],
        ["confidence", confidence],
        ["sources", sources.join(", ")],
        ["override", verdict === "warn" ? undefined : `accept: [{ rule: ${name}, reason: WHY }]`],
    ];
    return [{ kind: "rule", name, says: reason, rows: given(rows) }];
}

/** A row of what makes it fast. */
function tuning(name: string): Explained[] {
    const found = tuningRows.find(({ id }) => id === name);
    if (found === undefined) {
        return [];
    }
    const { reason, advice, when, window, objectives, effects, risk, shown, confidence, sources } = found;
    const plain = (words: string) => words.replaceAll("`", "");
    const rows: [string, string | undefined][] = [
        ["when", plain(describeCondition(when))],
        ["window", window && plain(describeWindow(window))],
        ["objective", objectives?.join(", ")],
        ["sets", changesOfRow(found).join(", ") || undefined],
        ["advice", advice],
        ...effects.map((effect): [string, string] => ["measured", `${describeEffect(effect)} (${effect.source})`]),
        ["risk", risk],
        ["works when", shown],
        ["confidence", confidence],
        ["sources", sources.join(", ")],
        ["turn down", advice === undefined ? `accept: [{ rule: ${name}, reason: WHY }]` : undefined],
    ];
    return [{ kind: "tuning", name, says: reason, rows: given(rows) }];
}

function given(rows: readonly (readonly [string, string | undefined])[]): (readonly [string, string])[] {
    return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function unknown(name: string, fields: readonly PlacedField[]): string {
    const keys = fields.map(({ path }) => path.at(-1)!);
    const ids = [...rules, ...tuningRows].map(({ id }) => id).concat(Object.keys(derivedRules));
    const option = nameHistory(`--${name}`) ? undefined : nearestOption(`--${name}`, newestRelease());
    const meant = nearest(name, [...new Set([...keys, ...ids, ...(option ? [option.replace(/^--/, "")] : [])])]);
    return `is no field, setting, rule or tuning row${meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`}`;
}
