/** Models: what is known of each, and what their own configuration says of the others. */

import { CATALOGUE } from "./catalogue/index.ts";
import type { ModelProfile } from "./profile.ts";

export { ModelConfigError, profileFromConfig } from "./from-config.ts";
export * from "./profile.ts";

/** All profiles, sorted by id. */
export function profiles(): readonly ModelProfile[] {
    return CATALOGUE;
}

/** The profile that covers a repository (`owner/name`) or has this id; case does not matter. A fine-tune names its profile by id. */
export function profileFor(repository: string): ModelProfile | undefined {
    const wanted = repository.toLowerCase();
    return CATALOGUE.find(
        (profile) => profile.id === wanted || profile.checkpoints.some((c) => c.repository.toLowerCase() === wanted),
    );
}
