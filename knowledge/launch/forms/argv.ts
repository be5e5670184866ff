import type { Companion, Found, Started } from "../found.ts";
import { opened } from "../program.ts";
import { runShell } from "../shell/run.ts";

/** The servers that one command starts, given as words: what is said in a unit, a compose file, a manifest, a running process. */
export function foundIn(start: Started, place: string, origin: string, read: Companion): Found {
    const nothing: Found = { launches: [], problems: [], assumed: [], hints: [] };
    const { launch, script, hint } = opened(start, read);
    if (launch) {
        return { ...nothing, launches: [{ ...launch, place, when: [] }] };
    }
    if (script) {
        const { text, positional, environment, image, gpus, notes } = script;
        const found = runShell(text, { origin, environment, positional, read, inside: { image, gpus, notes } });
        return { ...found, launches: found.launches.map((one) => ({ ...one, place })) };
    }
    return { ...nothing, hints: hint === undefined ? [] : [hint] };
}

/** All of several. */
export function together(found: readonly Found[]): Found {
    return {
        launches: found.flatMap(({ launches }) => launches),
        problems: found.flatMap(({ problems }) => problems),
        assumed: found.flatMap(({ assumed }) => assumed),
        hints: found.flatMap(({ hints }) => hints),
    };
}
