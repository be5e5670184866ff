import type { Figures, Oracle } from "../records/oracle.ts";
import { type Comparison, shown } from "./compare.ts";
import { itselfLimits, moreIsBetter } from "./limits.ts";

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

/** What an oracle was asked of, in one line. */
export function askedText({ asked, promptSet, entries }: Oracle): string {
    const { server, release, model, revision, quantization, kvCache } = asked;
    const weights = quantization === undefined ? "16-bit weights" : `${quantization} weights`;
    const cache = kvCache === undefined ? "" : `, ${kvCache} cache`;
    const at = revision === undefined ? "" : ` at ${revision.slice(0, 12)}`;
    const by = [server, ...(release === undefined ? [] : [release])].join(" ");
    return `${model}${at}, ${weights}${cache}, asked of ${by}, ${entries.length} prompts of set ${promptSet}`;
}

/** What was recorded, and how far the server is from itself: no other is held to more than that. */
export function recordText(oracle: Oracle): string {
    const { again, together } = oracle.spread;
    const tokens = oracle.entries.reduce((sum, { ids, answerIds }) => sum + ids.length + answerIds.length, 0);
    const runs = [
        ...(again ? [["asked again", again.figures] as const] : []),
        ...(together ? [["asked at once", together.figures] as const] : []),
    ];
    const lines = runs.map(([how, figures]) => `${how}: ${repeated(figures)}\n`);
    return `${askedText(oracle)}, ${tokens} tokens\n${lines.join("")}`;
}

function repeated(figures: Figures): string {
    const names = Object.keys(figures) as (keyof Figures)[];
    if (names.every((name) => Math.abs(figures[name] - (moreIsBetter.has(name) ? 1 : 0)) < 1e-9)) {
        return "the same numbers";
    }
    const { promptMean, promptLargest, answerMean, topAgreement } = figures;
    const beyond = names.some((name) =>
        moreIsBetter.has(name) ? figures[name] < itselfLimits[name] : figures[name] > itselfLimits[name],
    );
    return (
        `not the same numbers: prompt tokens are ${shown(promptMean)} apart, at most ${shown(promptLargest)}, answer tokens ` +
        `${shown(answerMean)}, the best token is the same at ${shown(topAgreement)} of the places; other servers may be as far off` +
        (beyond ? "\n  THAT IS MORE THAN A SOUND SERVER: do not hold others to it" : "")
    );
}
