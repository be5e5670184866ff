import type { Checkpoint, Quantization, StoredBytes } from "./profile.ts";

/** A checkpoint with the facts given, and for the rest: no log, no MTP weights, no calibrated KV cache. */
export function checkpoint(
    repository: string,
    quantization: Quantization,
    stored: StoredBytes,
    minimumGpus: number,
    facts: Partial<Checkpoint> = {},
): Checkpoint {
    return {
        repository,
        quantization,
        stored,
        minimumGpus,
        kvCalibrated: "none",
        hasMtp: false,
        loggedWeights: [],
        loggedDraft: [],
        ...facts,
    };
}
