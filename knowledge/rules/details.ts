import { release as releaseOf, releases } from "../sglang/index.ts";
import type { RuleContext } from "./context.ts";

/** Sentences that depend on the service at hand, by name, so that a rule stays data. */
export const details = {
    /** Which releases have a class for the model's architecture. */
    "releases-of-architecture": ({ model }) => (model ? releasesWith(model.profile.architecture) : ""),
} as const satisfies Record<string, (context: RuleContext) => string>;

/** Name of such a sentence. */
export type Detail = keyof typeof details;

function releasesWith(architecture: string): string {
    const found = releases().filter((version) => releaseOf(version).architectures.includes(architecture));
    return found.length === 0
        ? `No supported release has ${architecture}.`
        : `${architecture} is in SGLang ${found[0]} to ${found.at(-1)}.`;
}
