import { changesOf } from "./changes.ts";
import { type Effect, effectOf } from "./effects.ts";
import { nameOf, previewSteps, type Step } from "./preview.ts";

/** One resource of a change. */
interface Row {
    readonly name: string;
    readonly kind: string;
    readonly operation: string;
    readonly changes: readonly string[];
    readonly effect: Effect;
}

/**
 * What a change means, as Markdown: what is touched, which settings change, which services restart, what is downloaded.
 * Throws a `ProblemsError` when the document is no preview, or that of one that failed.
 */
export function reviewMarkdown(document: unknown): string {
    const steps = previewSteps(document);
    const rows = steps.filter(({ op }) => op !== "same" && op !== "read").map((step) => rowOf(step, steps));
    if (rows.length === 0) {
        return "## No change\n";
    }
    const lines = rows.map(
        ({ operation, kind, name, changes, effect }) =>
            `| ${operation} | ${kind} | ${name} | ${changes.map(cell).join("<br>")} | ${effect.text} |`,
    );
    return [
        "## Change\n",
        `${summary(rows)}.\n`,
        "| | kind | name | what changes | effect |",
        "| --- | --- | --- | --- | --- |",
        ...lines,
        "",
    ].join("\n");
}

function summary(rows: readonly Row[]): string {
    const count = (kind: Effect["kind"]) => rows.filter(({ effect }) => effect.kind === kind).length;
    const services = (kind: Effect["kind"], one: string, many: string) => {
        const number = count(kind);
        return number === 0 ? [] : [`${number} ${number === 1 ? `service ${one}` : `services ${many}`}`];
    };
    const downloads = rows.filter(({ effect }) => effect.kind === "download").map(({ effect }) => effect.text);
    const restarts = services("restart", "restarts", "restart");
    return [
        rows.length === 1 ? "1 resource changes" : `${rows.length} resources change`,
        ...services("start", "starts", "start"),
        ...services("move", "moves", "move"),
        ...services("stop", "stops", "stop"),
        ...(restarts.length === 0 ? ["no service restarts"] : restarts),
        ...(downloads.length === 0 ? ["nothing is downloaded"] : downloads),
    ].join("; ");
}

function rowOf(step: Step, steps: readonly Step[]): Row {
    const type = (step.newState ?? step.oldState)?.type ?? "";
    const replaced = step.replaceReasons?.length ? [`replaced because of ${step.replaceReasons.join(", ")}`] : [];
    return {
        name: nameOf(step),
        kind: type.split(":").at(-1)!,
        operation: step.op,
        changes: [...replaced, ...(step.op === "update" ? changesOf(step) : [])],
        effect: effectOf(step, steps),
    };
}

function cell(text: string): string {
    return text.replaceAll("|", "\\|");
}
