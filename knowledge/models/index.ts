/** Models: what is known of each, and what their own configuration says of the others. */

import { catalogue } from "./catalogue/index.ts";
import type { ModelProfile } from "./profile.ts";

export { flagOf, type Method, type NumberFormat } from "./formats.ts";
export { ModelConfigError, profileFromConfig } from "./from-config.ts";
export { loadedCheckpoint } from "./online.ts";
export * from "./profile.ts";
export { type TensorIndex, tensorIndex } from "./tensor-index.ts";

const known: readonly ModelProfile[] = catalogue
    .flatMap((file): unknown[] => Object.values(file))
    .filter(isProfile)
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** What a file of the catalogue exports beside profiles is what another one shares with it. */
function isProfile(value: unknown): value is ModelProfile {
    return typeof value === "object" && value !== null && "checkpoints" in value;
}

/** All profiles, sorted by id. */
export function profiles(): readonly ModelProfile[] {
    return known;
}

/** The profile that covers a repository (`owner/name`) or has this id; case does not matter. A fine-tune names its profile by id. */
export function profileFor(repository: string): ModelProfile | undefined {
    const wanted = repository.toLowerCase();
    return known.find(
        (profile) => profile.id === wanted || profile.checkpoints.some((c) => c.repository.toLowerCase() === wanted),
    );
}
