import type { Step } from "./preview.ts";

/** Longest value that a table cell shows. */
const longestValue = 80;

/** Differences of the inputs, leaf by leaf: a JSON text is entered, a long text is measured, a secret is named. */
export function changesOf({ oldState, newState, detailedDiff }: Step): string[] {
    const before = leaves(oldState?.inputs ?? {});
    const after = leaves(newState?.inputs ?? {});
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const seen = paths.filter((path) => before.get(path) !== after.get(path));
    const unseen = Object.keys(detailedDiff ?? {}).filter(
        (path) => before.get(path) === "[secret]" && after.get(path) === "[secret]",
    );
    return [
        ...unseen.map((path) => `${path}: changed, secret`),
        ...seen.map((path) => `${path}: ${shown(before.get(path))} → ${shown(after.get(path))}`),
    ];
}

/** Every leaf of a value by its path. */
export function leaves(value: unknown, path = "", found = new Map<string, string>()): Map<string, string> {
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
