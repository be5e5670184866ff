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

/**
 * Sets what makes a service faster, row by row, where it is safe: a row is left out when somebody decided one of its settings
 * otherwise, and when the rules or the memory plan say anything of the result that they did not say before. Safe comes first: the
 * rules have corrected `start` already, and correct each step again.
 */
export function tune(rows: readonly TuningRow[], start: Omit<Tuned, "notes">, input: TuningInput): Tuned {
    const { objective, rules, accept, memory } = input;
    const declined = new Map(accept.map(({ rule, reason }) => [rule, reason]));
    const notes: TuningNote[] = [];
    let { context, findings } = start;
    let held = objective === "none" ? [] : memory(context);
    let known = said([...findings, ...held]);
    for (const row of rows) {
        if (objective === "none" || !(row.objectives?.includes(objective) ?? true) || !applies(row, context)) {
            continue;
        }
        const wanted = changesOf(row, context);
        if (wanted === undefined || (row.advice === undefined && holds(wanted, context))) {
            continue;
        }
        const note = (outcome: Outcome, because?: string) => notes.push(noteOf(row, wanted, outcome, because));
        const reason = declined.get(row.id);
        const taken = takenBy(wanted, context);
        if (reason !== undefined) {
            note("declined", reason);
        } else if (row.advice !== undefined) {
            note("advice");
        } else if (taken !== undefined) {
            note("decided", taken);
        } else {
            const next = evaluate(rules, changed(row, wanted, context), accept);
            const room = next.context.settings === context.settings ? held : memory(next.context);
            const now = [...next.findings, ...room];
            const against = now.find((finding) => finding.verdict !== "fix" && !known.has(sentenceOf(finding)));
            const undone = takenBy(wanted, next.context);
            if (against !== undefined || undone !== undefined) {
                note("unsafe", against ? `${against.rule}: ${against.message}` : undone);
                continue;
            }
            note("taken");
            context = next.context;
            findings = [...earlierFixes(findings, next.findings), ...next.findings];
            held = room;
            known = said(now);
        }
    }
    return { context, findings, notes };
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

/** Who decided otherwise, in words; nothing when nobody did. */
function takenBy({ settings, environment }: Changes, context: RuleContext): string | undefined {
    const said = [
        ...Object.keys(settings).map((name) => [name, settings[name], context.settings[name]] as const),
        ...Object.keys(environment).map((name) => [name, environment[name], context.environment[name]] as const),
    ];
    const other = said.find(([, wanted, held]) => held !== undefined && String(held.value) !== String(wanted));
    return other && `${other[0]} is ${other[2]!.value} (${other[2]!.origin})`;
}

function changed({ id, reason }: TuningRow, wanted: Changes, context: RuleContext): RuleContext {
    const added = Object.entries(wanted.settings).filter(([name]) => context.settings[name] === undefined);
    const made = added.map(([name, value]): [string, Setting] => [name, { value, origin: "tuning", rule: id }]);
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
