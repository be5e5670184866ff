import { z } from "zod";
import { check } from "../problems.ts";

const state = z
    .object({ type: z.string(), inputs: z.record(z.string(), z.unknown()).optional() })
    .loose()
    .nullish();

const previewSchema = z.object({
    steps: z
        .array(
            z
                .object({
                    op: z.string(),
                    urn: z.string(),
                    oldState: state,
                    newState: state,
                    replaceReasons: z.array(z.string()).nullish(),
                })
                .loose(),
        )
        .default([]),
});

type Step = z.output<typeof previewSchema>["steps"][number];

/** One resource of a change. */
interface Row {
    readonly name: string;
    readonly kind: string;
    readonly operation: string;
    readonly changes: readonly string[];
    readonly effect: string;
}

/** Longest value that a table cell shows. */
const longestValue = 80;

/**
 * What a change means, as Markdown: what is touched, which settings change, which services restart, what is downloaded.
 * Throws a `ProblemsError` when the document is no preview.
 */
export function reviewMarkdown(document: unknown): string {
    const { steps } = check("The preview cannot be read:", previewSchema, document);
    const rows = steps.filter(({ op }) => op !== "same" && op !== "read").map(rowOf);
    if (rows.length === 0) {
        return "## No change\n";
    }
    const restarts = rows.filter(({ effect }) => effect.startsWith("restarts"));
    const downloads = rows.filter(({ effect }) => effect.startsWith("downloads"));
    const summary = [
        `${rows.length} resources change`,
        restarts.length === 0 ? "no service restarts" : `${restarts.length} services restart`,
        downloads.length === 0 ? "nothing is downloaded" : downloads.map(({ effect }) => effect).join(", "),
    ];
    const lines = rows.map(
        ({ operation, kind, name, changes, effect }) =>
            `| ${operation} | ${kind} | ${name} | ${changes.map(cell).join("<br>")} | ${effect} |`,
    );
    return [
        "## Change\n",
        `${summary.join("; ")}.\n`,
        "| | kind | name | what changes | effect |",
        "| --- | --- | --- | --- | --- |",
        ...lines,
        "",
    ].join("\n");
}

function rowOf(step: Step): Row {
    const type = (step.newState ?? step.oldState)?.type ?? "";
    const name = step.urn.split("::").at(-1)!;
    const replaced = step.replaceReasons?.length ? [`replaced because of ${step.replaceReasons.join(", ")}`] : [];
    return {
        name,
        kind: type.split(":").at(-1)!,
        operation: step.op,
        changes: [...replaced, ...(step.op === "update" ? changesOf(step) : [])],
        effect: effectOf(step, name),
    };
}

/** Differences of the inputs, leaf by leaf; a JSON text is entered, and a secret or an archive is only named. */
function changesOf({ oldState, newState }: Step): string[] {
    const before = leaves(oldState?.inputs ?? {});
    const after = leaves(newState?.inputs ?? {});
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    return paths
        .filter((path) => before.get(path) !== after.get(path))
        .map((path) => `${path}: ${shown(before.get(path))} → ${shown(after.get(path))}`);
}

function leaves(value: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
    const entered = typeof value === "string" && value.startsWith("{") ? parsed(value) : value;
    if (entered !== null && typeof entered === "object") {
        for (const [key, item] of Object.entries(entered)) {
            leaves(item, path === "" ? key : `${path}.${key}`, found);
        }
    } else {
        found.set(path, String(entered));
    }
    return found;
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

function shown(value: string | undefined): string {
    if (value === undefined) {
        return "(none)";
    }
    return value.length > longestValue ? `(${value.length} characters)` : value;
}

function cell(text: string): string {
    return text.replaceAll("|", "\\|");
}

/** What an operation does on a machine. */
function effectOf({ op, newState, oldState }: Step, name: string): string {
    const inputs = (newState ?? oldState)?.inputs ?? {};
    if ((newState ?? oldState)?.type === "sglang:index:ModelCache" && op.includes("create")) {
        return `downloads ${(Number(inputs.bytes ?? 0) / 1e9).toFixed(1)} GB`;
    }
    if (!name.endsWith("-activate")) {
        return "";
    }
    const generation = (state: Step["newState"]) => leaves(state?.inputs ?? {}).get("stdin.generation");
    if (op === "delete") {
        return "stops the service";
    }
    if (op === "update" && generation(oldState) === generation(newState)) {
        return "no restart";
    }
    return op === "update" ? "restarts the service" : "starts the service";
}
