/** How a fact changes from release to release: what the generated tables in `data/` are made of. */

/** Part of a history: from one release to another, both inside. */
export interface Span {
    /** First release for which this holds. */
    readonly since: string;
    /** Last release for which it holds. Absent: it still holds in the newest. */
    readonly until?: string;
}

/** The span that covers a release, if any. `releases` is every release, oldest first. */
export function spanAt<T extends Span>(
    releases: readonly string[],
    history: readonly T[],
    release: string,
): T | undefined {
    const at = releases.indexOf(release);
    return history.find(
        (span) =>
            releases.indexOf(span.since) <= at && (span.until === undefined || at <= releases.indexOf(span.until)),
    );
}

/** Joins equal values of neighbouring releases into spans. `valueAt` gives nothing where the fact is absent. */
export function spansOf<T extends object>(
    releases: readonly string[],
    valueAt: (release: string) => T | undefined,
): (T & Span)[] {
    const spans: { value: string; first: number; last: number }[] = [];
    for (const [index, release] of releases.entries()) {
        const found = valueAt(release);
        if (found === undefined) {
            continue;
        }
        const value = JSON.stringify(found);
        const previous = spans.at(-1);
        if (previous && previous.last === index - 1 && previous.value === value) {
            previous.last = index;
        } else {
            spans.push({ value, first: index, last: index });
        }
    }
    return spans.map(({ value, first, last }) => ({
        since: releases[first]!,
        ...(last === releases.length - 1 ? {} : { until: releases[last]! }),
        ...(JSON.parse(value) as T),
    }));
}
