import type { Figures } from "../records/oracle.ts";
import { type Comparison, shown } from "./compare.ts";
import { moreIsBetter } from "./limits.ts";

const rows: readonly (readonly [string, keyof Figures])[] = [
    ["prompt tokens: mean", "promptMean"],
    ["  95 %", "promptTail"],
    ["  worst 16 in a row", "promptStretch"],
    ["  largest", "promptLargest"],
    ["answer tokens: mean", "answerMean"],
    ["  95 %", "answerTail"],
    ["  largest", "answerLargest"],
    ["best tokens: distance", "topMean"],
    ["  same first (top-1)", "topAgreement"],
    ["  both have (top-k)", "topOverlap"],
    ["  KL", "topDivergence"],
];

/** A comparison as a short table and a verdict. Distances are of natural log-probabilities. */
export function reportOf({ verdict, decided, limits, distance, worst }: Comparison): string {
    const line = (...[name, value, limit]: readonly [string, string, string]) =>
        `${name.padEnd(24)}${value.padStart(10)}  ${limit}\n`;
    const table = distance
        ? [
              line("distance", "found", "sound"),
              ...rows.map(([name, figure]) =>
                  line(
                      name,
                      shown(distance.figures[figure]),
                      `${moreIsBetter.has(figure) ? ">=" : "<="} ${shown(limits[figure])}`,
                  ),
              ),
              `${distance.tokens.prompt} prompt tokens and ${distance.tokens.answer} answer tokens compared`,
              worst ? `; worst prompt ${JSON.stringify(worst.prompt.slice(0, 60))}, worst kind ${worst.kind}` : "",
              "\n",
          ]
        : [];
    return `${table.join("")}${verdict}: ${decided.reason}\n`;
}
