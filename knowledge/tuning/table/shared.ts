import type { Condition } from "../../rules/condition.ts";

/** Whether prompts and decoding have no attention backend each. */
export const attentionOfOneKind: Condition = {
    setting: ["prefill-attention-backend", "decode-attention-backend"],
    unset: true,
};

/** Whether attention is computed by this, for prompts and for decoding alike. */
export const attentionIs = (backend: string): Condition => ({
    all: [{ setting: "attention-backend", in: [backend] }, attentionOfOneKind],
});

/** Speculative decoding, of any kind. */
export const speculates: Condition = { setting: "speculative-algorithm", set: true };

/** The prediction block of the checkpoint itself is known to be there. */
export const hasMtp: Condition = { not: { model: "no-mtp-weights" } };

/** Names under which tables cite their sources. */
export const INFERENCEX = "SemiAnalysisAI/InferenceX#2312";
export const QWEN_WIKI = "local-inference-lab/rtx6kpro (qwen35)";
export const GLM_WIKI = "local-inference-lab/rtx6kpro (glm5)";
export const KIMI_WIKI = "local-inference-lab/rtx6kpro (kimi-k25)";
