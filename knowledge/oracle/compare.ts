import type { Problem } from "../base/settings.ts";
import type { Figures, Oracle, OracleEntry } from "../records/oracle.ts";
import { type Distance, distance } from "./figures.ts";
import { type Limits, limitsFor, moreIsBetter } from "./limits.ts";
import { gapIn, quoted, tokensDiffer } from "./tokens.ts";

/** Where a figure was taken: against the reference, or of the other server against itself. */
export type Against = "reference" | "again" | "together";

/** What decided. */
export interface Decided {
    readonly against: Against;
    /** The figure, or what is no matter of figures. */
    readonly figure: keyof Figures | "tokens" | "numbers";
    readonly value?: number;
    readonly limit?: number;
    /** In words. */
    readonly reason: string;
}

/** Whether a server computes what the reference computes. */
export interface Comparison {
    readonly verdict: "yes" | "no";
    /** The figure that is farthest beyond its limit, or nearest to it. */
    readonly decided: Decided;
    readonly limits: Limits;
    /** Absent where the numbers cannot be compared at all. */
    readonly distance?: Distance;
    /** The prompt and the kind of prompts that are farthest off. */
    readonly worst?: { readonly prompt: string; readonly kind: string };
}

/** Why two recordings are not of the same questions; none when they are. */
export function differentPrompts(reference: Oracle, other: Oracle): Problem[] {
    const names = (oracle: Oracle) => oracle.entries.map(({ name }) => name);
    const [ours, theirs] = [names(reference), names(other)];
    const lacking = ours.filter((name) => !theirs.includes(name));
    const added = theirs.filter((name) => !ours.includes(name));
    const again = ours.filter((name, index) => ours.indexOf(name) !== index);
    return [
        ...listed("prompts", "are in the reference and not in the other", lacking),
        ...listed("prompts", "are in the other and not in the reference", added),
        ...listed("prompts", "stand in the reference twice", again),
    ];
}

function listed(path: string, what: string, names: readonly string[]): Problem[] {
    const shown = names.slice(0, 3).map((name) => quoted(name));
    const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
    return names.length === 0
        ? []
        : [{ path, message: `${shown.join(", ")}${more} ${what}: record both with the same prompts` }];
}

/** Places of a reference without a number, which nothing can be held against. */
export function gaps(oracle: Oracle): Problem[] {
    const gap = gapIn(oracle.entries) ?? oracle.spread.again?.broken ?? oracle.spread.together?.broken;
    return gap === undefined ? [] : [{ path: "numbers", message: `${gap}: such a server is no reference` }];
}

/** Holds a server against a reference of the same prompts ({@link differentPrompts} says whether they are). */
export function compare(reference: Oracle, other: Oracle, tolerance = 1): Comparison {
    const limits = limitsFor(reference, other.asked, tolerance);
    const byName = new Map(other.entries.map((entry) => [entry.name, entry]));
    const theirs = reference.entries.map(({ name }) => byName.get(name)!);
    const otherIds = tokensDiffer(reference.entries, theirs);
    if (otherIds !== undefined) {
        return refused("reference", "tokens", `tokenizer or template changed: ${otherIds}`, limits);
    }
    const broken = gapIn(theirs);
    if (broken !== undefined) {
        return refused("reference", "numbers", broken, limits);
    }
    const found = distance(reference.entries, theirs);
    const { again, together } = other.spread;
    for (const [against, own] of [["again", again] as const, ["together", together] as const]) {
        if (own?.broken !== undefined) {
            return { ...refused(against, "numbers", own.broken, limits), distance: found };
        }
    }
    const taken: readonly (readonly [Against, Figures])[] = [
        ["reference", found.figures],
        ...(again ? [["again", again.figures] as const] : []),
        ...(together ? [["together", together.figures] as const] : []),
    ];
    const [worst] = taken
        .flatMap(([against, figures]) => measured(against, figures, limits))
        .toSorted((a, b) => b.share - a.share);
    const { share, ...decided } = worst!;
    return {
        verdict: share > 1 ? "no" : "yes",
        decided,
        limits,
        distance: found,
        worst: worstOf(reference.entries, found),
    };
}

function refused(against: Against, figure: "tokens" | "numbers", reason: string, limits: Limits): Comparison {
    return { verdict: "no", decided: { against, figure, reason }, limits };
}

/** Every figure with the share of its limit that it takes: above 1 it is beyond. */
function measured(against: Against, figures: Figures, limits: Limits): (Decided & { readonly share: number })[] {
    return (Object.keys(limits) as (keyof Figures)[]).map((figure) => {
        const [value, limit] = [figures[figure], limits[figure]];
        const [part, whole] = moreIsBetter.has(figure) ? [1 - value, 1 - limit] : [value, limit];
        const side = moreIsBetter.has(figure) ? "at least" : "at most";
        const reason = `${inWords[figure]} ${whereInWords[against]} is ${shown(value)}, ${side} ${shown(limit)} is sound`;
        return { against, figure, value, limit, reason, share: part / Math.max(whole, 1e-12) };
    });
}

/** A figure as a message gives it. */
export function shown(value: number): string {
    return value === 0 || value >= 0.001 ? String(Number(value.toFixed(4))) : value.toExponential(1);
}

/** What each figure is called. */
export const inWords: Readonly<Record<keyof Figures, string>> = {
    promptMean: "the mean distance of prompt tokens",
    promptTail: "the 95th percentile of prompt tokens",
    promptStretch: "the mean distance of the worst 16 prompt tokens in a row",
    promptLargest: "the largest distance of a prompt token",
    answerMean: "the mean distance of answer tokens",
    answerTail: "the 95th percentile of answer tokens",
    answerLargest: "the largest distance of an answer token",
    topMean: "the mean distance of the best tokens",
    topAgreement: "the share of places with the same best token",
    topOverlap: "the share of best tokens that both have",
    topDivergence: "the divergence (KL) over the best tokens",
};

const whereInWords: Readonly<Record<Against, string>> = {
    reference: "from the reference",
    again: "from its own first run, asked again",
    together: "from its own first run, asked all at once",
};

function worstOf(entries: readonly OracleEntry[], { byPrompt }: Distance): { prompt: string; kind: string } {
    const at = byPrompt.indexOf(Math.max(...byPrompt));
    const kinds = [...new Set(entries.map(({ kind }) => kind))];
    const meanOf = (kind: string) => {
        const own = byPrompt.filter((_, index) => entries[index]!.kind === kind);
        return own.reduce((sum, one) => sum + one, 0) / own.length;
    };
    const [kind] = kinds.toSorted((a, b) => meanOf(b) - meanOf(a));
    return { prompt: entries[at]!.name, kind: kind! };
}
