/** Runs an action and gives the seconds that it took. */
export async function secondsOf(action: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await action();
    return (performance.now() - start) / 1000;
}

export function median(values: readonly number[]): number {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Median seconds of each action. They take turns, so that a machine that is slow for a while slows all of them, and the
 * first turn is not counted.
 */
export async function compare<Name extends string>(
    rounds: number,
    actions: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
    const names = Object.keys(actions) as Name[];
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
    for (let round = 0; round <= rounds; round++) {
        for (const name of names) {
            const seconds = await secondsOf(actions[name]);
            if (round > 0) {
                times[name].push(seconds);
            }
        }
    }
    return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
}
