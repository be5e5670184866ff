import type { Figures, OracleEntry } from "../records/oracle.ts";

/** The distance between two servers over the same prompts. The agent has the same arithmetic in `gate/figures.py`; one file of examples holds both to it. */
export interface Distance {
    readonly figures: Figures;
    /** Tokens that were compared, of prompts and of answers. */
    readonly tokens: { readonly prompt: number; readonly answer: number };
    /** Mean distance of each prompt over its own tokens and its answer's, in the order of the prompts. */
    readonly byPrompt: readonly number[];
}

/** Tokens in a row that are looked at together: damage that begins at a place of a long prompt is in no mean of the whole. */
const stretchTokens = 16;

/** What {@link placesOf} collects of one prompt. */
interface Places {
    readonly prompt: number[];
    readonly answer: number[];
    readonly top: number[];
    readonly same: number[];
    readonly overlap: number[];
    readonly divergence: number[];
}

/** How far `other` is from `reference`; entries are of the same prompts in the same order, every number is one. */
export function distance(reference: readonly OracleEntry[], other: readonly OracleEntry[]): Distance {
    const places = reference.map((entry, index) => placesOf(entry, other[index]!));
    const all = (of: (one: Places) => readonly number[]) => places.flatMap(of);
    const prompt = all((one) => one.prompt);
    const answer = all((one) => one.answer);
    return {
        figures: {
            promptMean: mean(prompt),
            promptTail: tail(prompt),
            promptStretch: largest(places.map((one) => stretch(one.prompt))),
            promptLargest: largest(prompt),
            answerMean: mean(answer),
            answerTail: tail(answer),
            answerLargest: largest(answer),
            topMean: mean(all((one) => one.top)),
            topAgreement: mean(
                all((one) => one.same),
                1,
            ),
            topOverlap: mean(
                all((one) => one.overlap),
                1,
            ),
            topDivergence: mean(all((one) => one.divergence)),
        },
        tokens: { prompt: prompt.length, answer: answer.length },
        byPrompt: places.map((one) => mean([...one.prompt, ...one.answer])),
    };
}

/** An answer is comparable up to the first place where the two say something else, and with it: its best tokens follow the same text. */
function placesOf(reference: OracleEntry, other: OracleEntry): Places {
    const places: Places = { prompt: [], answer: [], top: [], same: [], overlap: [], divergence: [] };
    // one that was asked for its answer alone has no numbers of its prompt
    const known = Math.min(reference.logprobs.length, other.logprobs.length);
    for (let place = 1; place < known; place++) {
        places.prompt.push(Math.abs(reference.logprobs[place]! - other.logprobs[place]!));
    }
    const common = Math.min(reference.answerIds.length, other.answerIds.length);
    for (let place = 0; place < common; place++) {
        const same = reference.answerIds[place] === other.answerIds[place];
        const ours = ranked(reference, place);
        const theirs = ranked(other, place);
        places.same.push(same ? 1 : 0);
        if (same) {
            places.answer.push(Math.abs(reference.answerLogprobs[place]! - other.answerLogprobs[place]!));
        }
        const both = [...ours.keys()].filter((id) => theirs.has(id));
        const most = Math.min(ours.size, theirs.size);
        if (most > 0) {
            places.overlap.push(both.length / most);
            places.top.push(mean(both.map((id) => Math.abs(ours.get(id)! - theirs.get(id)!))));
            places.divergence.push(divergence(both, ours, theirs));
        }
        if (!same) {
            break;
        }
    }
    return places;
}

function ranked({ topIds, topLogprobs }: OracleEntry, place: number): Map<number, number> {
    return new Map((topIds[place] ?? []).map((id, rank) => [id, topLogprobs[place]![rank]!]));
}

/** Over the tokens that both have, and the rest as one more. */
function divergence(both: readonly number[], ours: Map<number, number>, theirs: Map<number, number>): number {
    const least = 1e-9;
    let sum = 0;
    let ourRest = 1;
    let theirRest = 1;
    for (const id of both) {
        const p = Math.exp(ours.get(id)!);
        const q = Math.exp(theirs.get(id)!);
        sum += p * (ours.get(id)! - theirs.get(id)!);
        ourRest -= p;
        theirRest -= q;
    }
    const p = Math.max(least, ourRest);
    return Math.max(0, sum + p * Math.log(p / Math.max(least, theirRest)));
}

function mean(values: readonly number[], ofNone = 0): number {
    return values.length === 0 ? ofNone : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** The 95th percentile. */
function tail(values: readonly number[]): number {
    return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
}

function largest(values: readonly number[]): number {
    return values.reduce((most, one) => Math.max(most, one), 0);
}

/** The largest mean of tokens in a row; a shorter end counts as if the others were right. */
function stretch(values: readonly number[]): number {
    let most = 0;
    for (let from = 0; from < values.length; from += stretchTokens) {
        const sum = values.slice(from, from + stretchTokens).reduce((total, one) => total + one, 0);
        most = Math.max(most, sum / stretchTokens);
    }
    return most;
}
