import type { OracleEntry } from "../records/oracle.ts";

/** Where the token ids of two recordings of the same prompts part. */
export function tokensDiffer(ours: readonly OracleEntry[], theirs: readonly OracleEntry[]): string | undefined {
    for (const [index, { name, ids }] of ours.entries()) {
        const others = theirs[index]!.ids;
        const place = Array.from({ length: Math.max(ids.length, others.length) }).findIndex(
            (_, at) => ids[at] !== others[at],
        );
        if (place >= 0) {
            const [our, their] = [ids[place] ?? "the end", others[place] ?? "the end"];
            return `token ids differ at place ${place} of prompt ${index} (${quoted(name)}): ${our} in the reference, ${their} here`;
        }
    }
    return undefined;
}

/** The first place without a number, or with one that no logarithm of a probability can be. */
export function gapIn(entries: readonly OracleEntry[]): string | undefined {
    const wrong = (value: number | null) => value === null || !Number.isFinite(value) || value > 1e-3;
    for (const [index, entry] of entries.entries()) {
        const rows: readonly (readonly [string, readonly (number | null)[]])[] = [
            ["of the prompt", entry.logprobs.slice(1)],
            ["of the answer", entry.answerLogprobs],
            ["among the best tokens", entry.topLogprobs.flat()],
        ];
        for (const [what, values] of rows) {
            const place = values.findIndex(wrong);
            if (place >= 0) {
                const at = what === "of the prompt" ? place + 1 : place;
                return `log-probability ${at} ${what} ${index} is ${values[place] ?? "no number"}`;
            }
        }
        if (entry.answerIds.length === 0) {
            return `prompt ${index} has no answer`;
        }
    }
    return undefined;
}

/** The name of a prompt, which may be its text, as a message shows it. */
export function quoted(name: string): string {
    return JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}…` : name);
}
