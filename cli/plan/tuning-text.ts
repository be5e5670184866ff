import { describeEffect, type TuningNote } from "../../knowledge/tuning/index.ts";
import { wrap } from "../text.ts";

/** How each outcome is called in a plan. */
const words: Readonly<Record<TuningNote["outcome"], string>> = {
    taken: "taken",
    advice: "advice",
    declined: "declined",
    decided: "kept",
    unsafe: "unsafe",
};

/** Every row that applies to a service: what it set and what was measured, or why it was left out. */
export function tuningText(notes: readonly TuningNote[]): string {
    return notes.map(noteText).join("");
}

function noteText({ row, outcome, set, reason, because, effects, risk, shown, sources }: TuningNote): string {
    const changes = Object.entries(set).map(([name, value]) => `${name} ${[value].flat().join(" ")}`);
    const left = outcome === "taken" || outcome === "advice" ? undefined : `Left out: ${because}`;
    return [
        `  ${words[outcome].padEnd(9)} ${row}\n`,
        changes.length === 0 ? "" : wrap(changes.join(", "), 12),
        left === undefined ? "" : wrap(left, 12),
        wrap(reason, 12),
        ...(left === undefined ? effects.map((effect) => wrap(`Measured: ${describeEffect(effect)}.`, 12)) : []),
        left === undefined && risk !== undefined ? wrap(`Risk: ${risk}`, 12) : "",
        left === undefined && shown !== undefined ? wrap(`It works when: ${shown}`, 12) : "",
        wrap(sources.join(", "), 12),
    ].join("");
}
