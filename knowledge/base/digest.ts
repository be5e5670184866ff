import { createHash } from "node:crypto";

/** JSON with sorted keys, on one line or indented: the same value is always the same text. Keys whose value is `undefined` are left out. */
export function canonicalJson(value: unknown, indent?: number): string {
    return JSON.stringify(sorted(value), null, indent);
}

function sorted(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(sorted);
    }
    if (value !== null && typeof value === "object") {
        const entries = Object.entries(value).filter(([, item]) => item !== undefined);
        entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
    }
    return value;
}

/** SHA-256 of the canonical JSON of a value, 64 hex digits. */
export function digestOf(value: unknown): string {
    return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** The first 12 hex digits of {@link digestOf}: what names a build or a generation. */
export function shortDigestOf(value: unknown): string {
    return digestOf(value).slice(0, 12);
}
