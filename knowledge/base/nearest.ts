import { distance } from "fastest-levenshtein";

/** The candidate that differs least from the text, or `undefined` when none is near enough to be meant. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
    let best: string | undefined;
    let fewest = Math.max(Math.min(2, text.length - 2), Math.floor(text.length / 3)) + 1;
    for (const candidate of candidates) {
        const changes = distance(text, candidate);
        if (changes < fewest) {
            best = candidate;
            fewest = changes;
        }
    }
    return best;
}

/** `did you mean "x"?` with a leading separator, or nothing. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
    const name = nearest(text, candidates);
    return name === undefined ? "" : `; did you mean ${JSON.stringify(name)}?`;
}
