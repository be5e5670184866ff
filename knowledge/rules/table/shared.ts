import type { Condition } from "../condition.ts";

/** Routed experts (and mostly nothing else) in NVFP4. */
export const nvfp4: Condition = { quantization: ["modelopt_fp4", "modelopt_mixed"] };

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
