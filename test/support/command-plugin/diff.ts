import { isDeepStrictEqual } from "node:util";
import { isMap, isSecret, type Properties, type Value } from "./values.ts";

/** How one property changed; a change that replaces the resource says so. */
export interface Change {
    path: string;
    kind: "add" | "delete" | "update";
    replace: boolean;
}

/**
 * Compares old and new inputs, secret marks included: text that only becomes secret is a change. Maps and lists are
 * entered (`environment.LC_A`, `triggers[1]`), a secret is not. Only `triggers` replaces.
 */
export function diffInputs(olds: Properties, news: Properties): Change[] {
    return mapChanges("", olds, news).map((change) => ({ ...change, replace: topLevel(change.path) === "triggers" }));
}

/** The top-level property that a path is in. */
export function topLevel(path: string): string {
    return /^[^.[]*/.exec(path)![0];
}

type Plain = Omit<Change, "replace">;

function changes(path: string, before: Value | undefined, after: Value | undefined): Plain[] {
    if (isDeepStrictEqual(before, after)) {
        return [];
    }
    if (before === undefined) {
        return [{ path, kind: "add" }];
    }
    if (after === undefined) {
        return [{ path, kind: "delete" }];
    }
    if (Array.isArray(before) && Array.isArray(after)) {
        const length = Math.max(before.length, after.length);
        return Array.from({ length }, (_, i) => changes(`${path}[${i}]`, before[i], after[i])).flat();
    }
    if (isMap(before) && isMap(after) && !isSecret(before) && !isSecret(after)) {
        return mapChanges(path, before, after);
    }
    return [{ path, kind: "update" }];
}

function mapChanges(path: string, before: Properties, after: Properties): Plain[] {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => changes(path === "" ? key : `${path}.${key}`, before[key], after[key]));
}
