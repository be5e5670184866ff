/** The candidate that differs least from the text, or `undefined` when none is near enough to be meant. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
    let best: string | undefined;
    let bestDistance = Math.max(Math.min(2, text.length - 2), Math.floor(text.length / 3)) + 1;
    for (const candidate of candidates) {
        const distance = editDistance(text, candidate);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

/** `did you mean "x"?` with a leading separator, or nothing. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
    const name = nearest(text, candidates);
    return name === undefined ? "" : `; did you mean ${JSON.stringify(name)}?`;
}

function editDistance(a: string, b: string): number {
    let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const row = [i];
        for (let j = 1; j <= b.length; j++) {
            const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
            row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, substitution));
        }
        previous = row;
    }
    return previous[b.length]!;
}
