import type { EnvironmentVariable, Finding, Setting, SettingValue } from "../base/settings.ts";
import type { Objective } from "../fields/service/objective.ts";
import type { RuleContext } from "../rules/context.ts";
import { type Accepted, evaluate } from "../rules/evaluate.ts";
import { applies } from "../rules/match.ts";
import type { Rule } from "../rules/rule.ts";
import { computed } from "./computed.ts";
import type { Effect, TuningRow } from "./row.ts";

/**
 * What became of a row that applies: `taken`; `advice`, which no setting decides; `declined` by the user's `accept`; `decided` otherwise
 * by somebody; `unsafe`, since a rule or the memory speaks against it here.
 */
export type Outcome = "taken" | "advice" | "declined" | "decided" | "unsafe";

/** A row that applies to a service, and what became of it. */
export interface TuningNote {
    readonly row: string;
    readonly outcome: Outcome;
    /** What it set, or would have. */
    readonly set: Readonly<Record<string, SettingValue>>;
    /** Why it is faster; for advice, what to do as well. */
    readonly reason: string;
    /** Why it was not taken: who decided otherwise, or what speaks against it. */
    readonly because?: string;
    readonly effects: readonly Effect[];
    readonly confidence: TuningRow["confidence"];
    readonly risk?: string;
    readonly shown?: string;
    readonly sources: readonly string[];
}

/** A service tuned: its settings, what the rules say of them, and what was considered. */
export interface Tuned {
    readonly context: RuleContext;
    readonly findings: readonly Finding[];
    readonly notes: readonly TuningNote[];
}

/** What judges a change. */
export interface TuningInput {
    readonly objective: Objective;
    readonly rules: readonly Rule[];
    readonly accept: Accepted;
    /** What the memory plan finds with these settings. */
    readonly memory: (context: RuleContext) => readonly Finding[];
}

/** A service on the way, with what its memory plan says. */
type State = Omit<Tuned, "notes"> & { readonly memory: readonly Finding[] };

/**
 * Sets what makes a service faster, row by row, where it is safe: a row is left out when somebody decided one of its settings
 * otherwise, and when the rules or the memory plan say anything of the result that they did not say before. Safe comes first: the
 * rules have corrected `start` already, and correct each step again.
 */
export function tune(rows: readonly TuningRow[], start: Omit<Tuned, "notes">, input: TuningInput): Tuned {
    const { objective } = input;
    if (objective === "none") {
        return { ...start, notes: [] };
    }
    const notes: TuningNote[] = [];
    let state: State = { ...start, memory: input.memory(start.context) };
    for (const row of rows.filter(({ objectives }) => objectives?.includes(objective) ?? true)) {
        const wanted = applies(row, state.context) ? changesOf(row, state.context) : undefined;
        if (wanted === undefined || (row.advice === undefined && holds(wanted, state.context))) {
            continue;
        }
        const { outcome, because, next } = decide(row, wanted, state, input);
        notes.push(noteOf(row, wanted, outcome, because));
        state = next ?? state;
    }
    return { context: state.context, findings: state.findings, notes };
}

/** What becomes of a row that applies, and the service with it where it is taken. */
function decide(
    row: TuningRow,
    wanted: Changes,
    { context, findings, memory }: State,
    { accept, rules, memory: memoryOf }: TuningInput,
): { readonly outcome: Outcome; readonly because?: string | undefined; readonly next?: State } {
    const declined = accept.find(({ rule }) => rule === row.id);
    if (declined !== undefined) {
        return { outcome: "declined", because: declined.reason };
    }
    if (row.advice !== undefined) {
        return { outcome: "advice" };
    }
    const otherwise = decidedOtherwise(wanted, context);
    if (otherwise !== undefined) {
        return { outcome: "decided", because: otherwise };
    }
    const judged = evaluate(rules, changed(row, wanted, context), accept);
    const held = judged.context.settings === context.settings ? memory : memoryOf(judged.context);
    const known = said([...findings, ...memory]);
    const against = [...judged.findings, ...held].find(
        (finding) => finding.verdict !== "fix" && !known.has(sentenceOf(finding)),
    );
    const undone = decidedOtherwise(wanted, judged.context);
    if (against !== undefined || undone !== undefined) {
        return { outcome: "unsafe", because: against ? `${against.rule}: ${against.message}` : undone };
    }
    const all = [...earlierFixes(findings, judged.findings), ...judged.findings];
    return { outcome: "taken", next: { context: judged.context, findings: all, memory: held } };
}

/** What was corrected before and is not said again. */
function earlierFixes(earlier: readonly Finding[], now: readonly Finding[]): Finding[] {
    const again = said(now);
    return earlier.filter((finding) => finding.verdict === "fix" && !again.has(sentenceOf(finding)));
}

function said(findings: readonly Finding[]): Set<string> {
    return new Set(findings.map(sentenceOf));
}

/** A finding by its rule: the figures in its sentence move with every change. */
function sentenceOf({ rule, verdict, setting }: Finding): string {
    return [rule, verdict, setting ?? ""].join(" ");
}

interface Changes {
    readonly settings: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
}

/** What the row sets here; nothing when a value cannot be worked out. */
function changesOf({ set = {}, environment = {} }: TuningRow, context: RuleContext): Changes | undefined {
    const settings: Record<string, SettingValue> = {};
    for (const [name, value] of Object.entries(set)) {
        const own = typeof value === "object" && "computed" in value ? computed[value.computed].value(context) : value;
        if (own === undefined) {
            return undefined;
        }
        settings[name] = own;
    }
    return { settings, environment };
}

/** Whether all of it is so already, whoever decided it. */
function holds({ settings, environment }: Changes, context: RuleContext): boolean {
    return (
        Object.entries(settings).every(([name, value]) => String(context.settings[name]?.value) === String(value)) &&
        Object.entries(environment).every(([name, value]) => context.environment[name]?.value === value)
    );
}

/** Who decided otherwise, in words; nothing when nobody did. `auto` decides nothing: it leaves the choice to SGLang. */
function decidedOtherwise({ settings, environment }: Changes, context: RuleContext): string | undefined {
    const pairs = [
        ...Object.entries(settings).map(([name, value]) => [name, value, context.settings[name]] as const),
        ...Object.entries(environment).map(([name, value]) => [name, value, context.environment[name]] as const),
    ];
    const other = pairs.find(([, wanted, held]) => !isOpen(held) && String(held!.value) !== String(wanted));
    return other && `${other[0]} is ${other[2]!.value} (${other[2]!.origin})`;
}

function isOpen(held: Pick<Setting, "value"> | undefined): boolean {
    return held === undefined || held.value === "auto";
}

function changed({ id, reason }: TuningRow, wanted: Changes, context: RuleContext): RuleContext {
    const open = Object.entries(wanted.settings).filter(([name]) => isOpen(context.settings[name]));
    const made = open.map(([name, value]): [string, Setting] => [name, { value, origin: "tuning", rule: id }]);
    const settings = made.length === 0 ? context.settings : { ...context.settings, ...Object.fromEntries(made) };
    const environment: Record<string, EnvironmentVariable> = { ...context.environment };
    for (const [name, value] of Object.entries(wanted.environment)) {
        environment[name] ??= { name, value, origin: "tuning", reason };
    }
    return { ...context, settings, environment };
}

function noteOf(row: TuningRow, wanted: Changes, outcome: Outcome, because: string | undefined): TuningNote {
    const { id, reason, advice, effects, confidence, risk, shown, sources } = row;
    return {
        row: id,
        outcome,
        set: { ...wanted.settings, ...wanted.environment },
        reason: [reason, advice].filter(Boolean).join(" "),
        ...(because === undefined ? {} : { because }),
        effects,
        confidence,
        ...(risk === undefined ? {} : { risk }),
        ...(shown === undefined ? {} : { shown }),
        sources,
    };
}
