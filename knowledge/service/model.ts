import { isDeepStrictEqual } from "node:util";
import { didYouMean } from "../base/nearest.ts";
import type { Problem, Settings } from "../base/settings.ts";
import { compareVersions, isVersion } from "../base/version.ts";
import {
    type Checkpoint,
    checkpointOf,
    loadedCheckpoint,
    ModelConfigError,
    type ModelProfile,
    profileFor,
    profileFromConfig,
    profiles,
    type TensorIndex,
} from "../models/index.ts";
import type { ServedModel } from "../rules/model-traits.ts";
import type { Release } from "../sglang/index.ts";
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
        checkpoint: {
            ...readBy(spec.build.release, servedCheckpoint(profile, spec.model.repository)),
            ...(spec.model.tensors && byIndex(spec.model.tensors, profile)),
        },
        supportedByRelease: release?.architectures.includes(profile.architecture),
    };
}

/** What the index of the files settles: whether the prediction block that the architecture has is among them. */
function byIndex(tensors: TensorIndex, { structure }: ModelProfile): Partial<Checkpoint> {
    const counted = structure.mtpLayers > 0;
    return { tensors, ...(counted && { hasMtp: tensors.namesMtp || tensors.layers > structure.layers }) };
}

/** The model as it is once loaded: bf16 weights that SGLang quantizes by itself count as what they become. */
export function loadedModel(model: ServedModel, settings: Settings): ServedModel {
    return { ...model, checkpoint: loadedCheckpoint(model.checkpoint, settings.quantization?.value) };
}

/** The checkpoint as a release reads it: a calibration that the release does not look at is none. */
function readBy(release: string, checkpoint: Checkpoint): Checkpoint {
    const { kvReadSince } = checkpoint;
    const read = kvReadSince === undefined || (isVersion(release) && compareVersions(release, kvReadSince) >= 0);
    return read ? checkpoint : { ...checkpoint, kvCalibrated: "none" };
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

/** What is known of a model, with the checkpoint as its own configuration describes it; what only logs tell stays. */
function withConfig(listed: ModelProfile, read: ModelProfile): ModelProfile {
    const described = read.checkpoints[0]!;
    const { hasMtp, minimumGpus, diskGB, diskSource, ...known } = checkpointOf(listed, described.repository);
    const same = known.method === described.method && isDeepStrictEqual(known.formats, described.formats);
    const logs = same ? { loggedWeights: known.loggedWeights, loggedDraft: known.loggedDraft } : {};
    return {
        ...listed,
        structure: read.structure,
        checkpoints: [
            {
                ...described,
                ...logs,
                hasMtp,
                minimumGpus,
                ...(diskGB !== undefined && { diskGB }),
                ...(diskSource !== undefined && { diskSource }),
            },
        ],
    };
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
    if (model.config === undefined && listed !== undefined) {
        return listed;
    }
    if (model.config === undefined) {
        const known = profiles().flatMap(({ checkpoints }) => checkpoints.map(({ repository }) => repository));
        const message = `nothing is known of ${model.repository}: name a \`profile\` or give the model's \`config.json\`${didYouMean(model.repository, known)}`;
        problems.push({ path: "model", message });
        return undefined;
    }
    try {
        const read = profileFromConfig(model.config, {
            repository: model.repository,
            hfQuantConfig: model.hfQuantConfig,
        });
        return listed === undefined ? read : withConfig(listed, read);
    } catch (error) {
        if (!(error instanceof ModelConfigError)) {
            throw error;
        }
        problems.push({ path: "model", message: error.message });
        return undefined;
    }
}
