import type { Condition } from "../condition.ts";

/** NVFP4 somewhere in the checkpoint, whoever wrote it. */
export const nvfp4: Condition = { format: ["nvfp4"] };

/** Routed experts in NVFP4, whoever wrote them. */
export const nvfp4Experts: Condition = { format: ["nvfp4"], of: "experts" };

/** NVFP4 that ModelOpt wrote: SGLang reads it with code of its own, beside that for compressed-tensors. */
export const modeloptFp4: Condition = { method: ["modelopt_fp4", "modelopt_mixed"] };

/** The three settings that name an attention backend. */
export const attentionSettings = [
    "attention-backend",
    "prefill-attention-backend",
    "decode-attention-backend",
] as const;

/** Whether one of the attention backends, the draft's included, is named so. */
export const attends = (...backends: readonly string[]): Condition => ({
    setting: [...attentionSettings, "speculative-draft-attention-backend"],
    in: backends,
});

/** Speculative decoding with the model's own prediction block or an EAGLE draft. */
export const eagle: Condition = { setting: "speculative-algorithm", in: ["NEXTN", "EAGLE", "EAGLE3", "MTP"] };
