import { formatsOf } from "./checkpoint.ts";
import { storedAs } from "./formats.ts";
import type { Checkpoint, StoredBytes } from "./profile.ts";

/** Flags that quantize 16-bit weights while they are loaded, and what they make. sglang 0.5.16 and 0.5.23 srt/layers/quantization/fp8.py. */
const online = { fp8: "fp8", mxfp8: "mxfp8", w8a8_fp8: "fp8" } as const;

/**
 * A checkpoint as it is in memory. Weights of 16 bits under `--quantization fp8` end as FP8, but for embeddings and routers; while they
 * load they are there in full.
 */
export function loadedCheckpoint(checkpoint: Checkpoint, flag: unknown): Checkpoint {
    const format = checkpoint.method === "bf16" ? online[flag as keyof typeof online] : undefined;
    if (format === undefined) {
        return checkpoint;
    }
    const { bytes } = storedAs(format);
    const stored: StoredBytes = {
        experts: bytes,
        sharedExperts: bytes,
        denseMlp: bytes,
        attention: bytes,
        linear: bytes,
        index: bytes,
        mtp: bytes,
        head: 2,
    };
    const { tensors: _ofFiles, ...rest } = checkpoint;
    return {
        ...rest,
        stored,
        formats: formatsOf(format, stored),
        loadedAt: checkpoint.stored,
        loggedWeights: [],
        loggedDraft: [],
    };
}
