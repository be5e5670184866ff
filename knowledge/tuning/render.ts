import { describeCondition, describeWindow } from "../rules/describe.ts";
import { computed } from "./computed.ts";
import type { Effect, TuningArea, TuningRow } from "./row.ts";
import { tuningAreas, tuningRows } from "./table/index.ts";

/** The rows as Markdown, `docs/tuning.md`. Ends with a newline. */
export function tuningMarkdown(): string {
    const parts = [
        "# What makes it fast",
        "Generated from `knowledge/tuning/table` by `npm run generate`; do not edit.",
        `${tuningRows.length} rows. A row is taken after the rules (docs/rules.md) and never against them: not where somebody decided one of its settings ` +
            "otherwise, where a rule or the memory plan would say anything of the result, or where what it asks for is not known. `objective` of a service " +
            "says which are tried; `accept: [{ rule: ROW, reason }]` turns one down, visibly. A row with advice sets nothing. Unless it says otherwise it is " +
            "about GPUs of compute capability 12.x. Nothing here was measured by this project on the hardware: the figures are public ones, each with its source.",
        ...tuningAreas.map(areaMarkdown),
    ];
    return `${parts.join("\n\n")}\n`;
}

/** What a row sets, a phrase each; a value that depends on the service by what it is. */
export function changesOfRow({ set = {}, environment = {} }: TuningRow): string[] {
    return Object.entries({ ...set, ...environment }).map(([name, value]) =>
        typeof value === "object" && "computed" in value
            ? `${name} to ${computed[value.computed].description}`
            : `${name} = ${value}`,
    );
}

/** One measurement as a phrase. */
export function describeEffect({ measure, before, after, at, on }: Effect): string {
    const percent = Math.round((after / before - 1) * 100);
    return `${measure} ${before} → ${after} (${percent < 0 ? "" : "+"}${percent} %), ${at}; ${on}`;
}

function areaMarkdown({ title, introduction, rows }: TuningArea): string {
    return [`## ${title}`, introduction, ...rows.map(rowMarkdown)].join("\n\n");
}

function rowMarkdown(row: TuningRow): string {
    const { id, reason, advice, objectives, window, confidence, risk, shown, contradicted, sources, gpu } = row;
    const changes = changesOfRow(row);
    const lines = [
        `- When: ${describeCondition(row.when)}${gpu === "any" ? " (any GPU)" : ""}`,
        ...(objectives === undefined ? [] : [`- Objective: ${objectives.join(", ")}`]),
        ...(window === undefined ? [] : [`- Window: ${describeWindow(window)}`]),
        ...(changes.length === 0 ? [] : [`- Sets: ${changes.map((change) => `\`${change}\``).join(", ")}`]),
        ...row.effects.map((effect) => `- Measured: ${describeEffect(effect)} (${effect.source})`),
        ...(risk === undefined ? [] : [`- Risk: ${risk}`]),
        ...(shown === undefined ? [] : [`- It works when: ${shown}`]),
        `- Confidence: ${confidence}. Sources: ${sources.join(", ")}`,
        ...(contradicted === undefined
            ? []
            : [`- Against it: ${contradicted.statement} (${contradicted.sources.join(", ")})`]),
    ];
    return `### \`${id}\`\n\n${[reason, advice].filter(Boolean).join(" ")}\n\n${lines.join("\n")}`;
}
