/**
 * Reads a model's own `config.json` (and `hf_quant_config.json`) into a profile, for models that have none here.
 *
 * Understands: GQA, latent attention (MLA), sparse latent attention (DSA), Gated DeltaNet and Kimi Delta Attention hybrids, sliding
 * windows; text models nested in `text_config`; ModelOpt, FP8, MXFP4 and compressed-tensors quantization.
 */

import { checkpointFromConfig } from "./config-quantization.ts";
import { ConfigReader, ModelConfigError } from "./config-reader.ts";
import { structureFromConfig } from "./config-structure.ts";
import type { ModelProfile } from "./profile.ts";

export { ModelConfigError };

/** What goes beside the configuration. */
export interface ConfigSource {
    /** `owner/name` on the hub; becomes the profile's id in lower case. */
    readonly repository: string;
    /** Content of `hf_quant_config.json`, where the checkpoint has one. */
    readonly hfQuantConfig?: unknown;
}

/**
 * A profile from a configuration. What only experience can tell (parsers, proof on SM120) is left out or says `unverified`.
 * Throws a {@link ModelConfigError} that names every field that is missing or cannot be understood.
 */
export function profileFromConfig(config: unknown, source: ConfigSource): ModelProfile {
    const reader = new ConfigReader(config);
    const structure = structureFromConfig(reader);
    const checkpoint = checkpointFromConfig(reader, source.repository, source.hfQuantConfig, structure);
    const architecture = reader.architecture();
    reader.finish(source.repository);
    return {
        id: source.repository.toLowerCase(),
        architecture,
        modelType: reader.modelType(),
        structure,
        checkpoints: [checkpoint],
        parsers: {},
        trustRemoteCode: reader.hasRemoteCode() ? true : "unverified",
        drafts: [],
        evidence: [
            {
                outcome: "unproven",
                statement: "Planned from its configuration only; no profile.",
                sources: ["unverified"],
            },
        ],
        sources: [`config.json of ${source.repository}`],
    };
}
