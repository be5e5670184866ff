import type { Figures, Oracle, OracleEntry } from "../records/oracle.ts";
import { distance } from "./figures.ts";
import { moreIsBetter } from "./limits.ts";
import { gapIn, tokensDiffer } from "./tokens.ts";

/** How far further runs are from the first, by the worst of them; nothing where there are none. */
export function spreadOf(
    first: readonly OracleEntry[],
    runs: readonly (readonly OracleEntry[])[],
): Oracle["spread"]["again"] {
    const found = runs.map((run) => ({ figures: distanceOr(first, run), broken: brokenIn(first, run) }));
    const broken = found.find((one) => one.broken !== undefined)?.broken;
    const [figures, ...others] = found.map((one) => one.figures);
    if (figures === undefined) {
        return undefined;
    }
    const worst = Object.fromEntries(
        (Object.keys(figures) as (keyof Figures)[]).map((name) => {
            const values = [figures, ...others].map((one) => one[name]);
            return [name, moreIsBetter.has(name) ? Math.min(...values) : Math.max(...values)];
        }),
    ) as unknown as Figures;
    return { figures: worst, ...(broken === undefined ? {} : { broken }) };
}

/** The figures of a run; of a broken one those of no distance, since it is told as broken. */
function distanceOr(first: readonly OracleEntry[], run: readonly OracleEntry[]): Figures {
    return distance(first, brokenIn(first, run) === undefined ? run : first).figures;
}

function brokenIn(first: readonly OracleEntry[], run: readonly OracleEntry[]): string | undefined {
    // a gap of the first run is told as that of the whole
    return gapIn(first) === undefined ? (tokensDiffer(first, run) ?? gapIn(run)) : undefined;
}
