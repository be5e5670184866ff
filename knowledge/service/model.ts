import { didYouMean } from "../base/nearest.ts";
import type { Problem } from "../base/settings.ts";
import {
    type Checkpoint,
    checkpointOf,
    ModelConfigError,
    type ModelProfile,
    profileFor,
    profileFromConfig,
    profiles,
} from "../models/index.ts";
import type { ServedModel } from "../rules/model-traits.ts";
import { type Release, release as releaseOf, releases } from "../sglang/index.ts";
import type { ServiceSpec } from "./spec.ts";

/**
 * The model of a service: by the profile that is named, by the one that lists its repository, or from its own configuration.
 * Adds a problem and gives nothing when there is none of these.
 */
export function servedModel(
    spec: ServiceSpec,
    release: Release | undefined,
    problems: Problem[],
): ServedModel | undefined {
    const profile = modelProfile(spec, problems);
    if (profile === undefined) {
        return undefined;
    }
    return {
        profile,
        checkpoint: servedCheckpoint(profile, spec.model.repository),
        supportedByRelease: release?.architectures.includes(profile.architecture),
    };
}

/** Architectures whose configuration does not say whether there is a multi-token-prediction block; published weights have one. */
const silentAboutMtp: readonly string[] = ["Qwen3NextForCausalLM"];

/** The repository's checkpoint. Of another one, such as a copy or a fine-tune, nobody knows what the profile's own disagree on. */
function servedCheckpoint(profile: ModelProfile, repository: string): Checkpoint {
    const checkpoint = checkpointOf(profile, repository);
    const own = checkpoint.repository.toLowerCase() === repository.toLowerCase();
    const agreed = profile.checkpoints.every(({ hasMtp }) => hasMtp === checkpoint.hasMtp);
    const silent = silentAboutMtp.includes(profile.architecture) && profileFor(repository) === undefined;
    return (own || agreed) && !silent ? checkpoint : { ...checkpoint, hasMtp: "unverified" };
}

/** Which releases have a class for the architecture, as a sentence. */
export function releasesWith(architecture: string): string {
    const found = releases().filter((version) => releaseOf(version).architectures.includes(architecture));
    return found.length === 0
        ? `No supported release has ${architecture}.`
        : `${architecture} is in SGLang ${found[0]} to ${found.at(-1)}.`;
}

function modelProfile({ model }: ServiceSpec, problems: Problem[]): ModelProfile | undefined {
    if (model.profile !== undefined) {
        const found = profiles().find(({ id }) => id === model.profile);
        if (found === undefined) {
            const ids = profiles().map(({ id }) => id);
            const message = `no profile is called ${JSON.stringify(model.profile)}${didYouMean(model.profile, ids)} (known: ${ids.join(", ")})`;
            problems.push({ path: "model", message });
        }
        return found;
    }
    const listed = profileFor(model.repository);
    if (listed !== undefined) {
        return listed;
    }
    if (model.config === undefined) {
        const known = profiles().flatMap(({ checkpoints }) => checkpoints.map(({ repository }) => repository));
        const message = `nothing is known of ${model.repository}: name a \`profile\` or give the model's \`config.json\`${didYouMean(model.repository, known)}`;
        problems.push({ path: "model", message });
        return undefined;
    }
    try {
        return profileFromConfig(model.config, { repository: model.repository });
    } catch (error) {
        if (!(error instanceof ModelConfigError)) {
            throw error;
        }
        problems.push({ path: "model", message: error.message });
        return undefined;
    }
}
