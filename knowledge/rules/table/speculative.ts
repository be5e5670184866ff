import type { RuleArea } from "../rule.ts";
import { attends, eagle, nvfp4 } from "./shared.ts";

const variable = "SGLANG_ENABLE_SPEC_V2";
/** Several branches of drafts, verified at once. */
const tree = { setting: "speculative-eagle-topk", above: 1 } as const;
const ownBlock = {
    all: [
        { setting: "speculative-algorithm", in: ["NEXTN", "EAGLE", "MTP"] },
        { setting: "speculative-draft-model-path", unset: true },
    ],
} as const;

export const speculative: RuleArea = {
    title: "Speculative decoding",
    introduction: "Drafts come from the model's own prediction block (NEXTN, MTP) or from a draft model.",
    rules: [
        {
            id: "mtp-without-weights",
            verdict: "refuse",
            gpu: "any",
            when: { all: [ownBlock, { model: "no-mtp-weights" }] },
            reason: "The checkpoint has no weights for multi-token prediction: the load fails (`layer 78 weights missing`), or drafts are useless.",
            remedy: "Use a checkpoint that has them, name a draft model, or leave speculative decoding out.",
            sources: ["local-inference-lab/rtx6kpro (glm5)", "local-inference-lab/rtx6kpro#10"],
            confidence: "high",
        },
        {
            id: "mtp-weights-unverified",
            verdict: "warn",
            gpu: "any",
            when: { all: [ownBlock, { model: "mtp-weights-unverified" }] },
            reason: "Nobody has checked whether this checkpoint has weights for multi-token prediction; without them the load fails or drafts are useless.",
            sources: ["local-inference-lab/rtx6kpro (glm5)"],
            confidence: "medium",
            detectedBy: "gate",
        },
        {
            id: "spec-v2-needed",
            verdict: "fix",
            when: {
                all: [eagle, { any: [ownBlock, { not: tree }] }, { not: { variable, in: ["True", "true", "1"] } }],
            },
            environment: { [variable]: "True" },
            window: { sglang: [{ before: "0.5.11" }] },
            reason: "Without it this release loads the whole model a second time for its own prediction block and runs out of memory.",
            sources: ["local-inference-lab/rtx6kpro (glm5)", "sglang 0.5.10 and 0.5.11 srt/environ.py"],
            confidence: "high",
        },
        {
            id: "spec-v2-chain",
            verdict: "refuse",
            when: { all: [eagle, tree, { any: [ownBlock, { variable, in: ["True", "true", "1"] }] }] },
            window: { sglang: [{ before: "0.5.11" }] },
            reason: "Spec V2, without which this release loads a model with its own prediction block twice, refuses an EAGLE top-k above 1 at start.",
            remedy: "Set speculative.eagleTopK to 1.",
            sources: ["sglang 0.5.9 and 0.5.10 srt/server_args.py", "local-inference-lab/rtx6kpro (glm5)"],
            confidence: "high",
        },
        {
            id: "speculative-tree-attention",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    eagle,
                    tree,
                    {
                        any: [
                            attends("trtllm_mha"),
                            {
                                all: [
                                    { attention: ["dsa"] },
                                    { setting: "attention-backend", in: ["triton"] },
                                    { release: { before: "0.5.13" } },
                                ],
                            },
                            {
                                all: [
                                    { attention: ["dsa"] },
                                    {
                                        any: [
                                            { setting: "attention-backend", unset: true },
                                            { setting: "attention-backend", in: ["dsa", "nsa"] },
                                        ],
                                    },
                                ],
                            },
                        ],
                    },
                ],
            },
            reason: "trtllm_mha and sparse attention, and Triton over pages of 64 before 0.5.13, cannot verify a tree of drafts: with an EAGLE top-k above 1 SGLang stops at start.",
            remedy: "Set speculative.eagleTopK to 1.",
            sources: ["sglang 0.5.9 srt/server_args.py", "sglang 0.5.23 srt/arg_groups/speculative_hook.py"],
            confidence: "high",
        },
        {
            id: "ngram-paged-model",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { setting: "speculative-algorithm", in: ["NGRAM"] },
                    { attention: ["dsa"] },
                    { not: { setting: "attention-backend", in: ["flashinfer"] } },
                    { not: { setting: "speculative-ngram-max-bfs-breadth", below: 2 } },
                ],
            },
            reason: "N-gram drafts are a tree, which does not go with the pages of 64 that this model has; SGLang stops at start.",
            remedy: "Use NEXTN, or set speculative-ngram-max-bfs-breadth to 1 in extraArgs.",
            sources: ["sglang 0.5.16 srt/arg_groups/speculative_hook.py (ran)"],
            confidence: "high",
        },
        {
            id: "draft-model-missing",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { setting: "speculative-algorithm", in: ["EAGLE3", "STANDALONE"] },
                    { setting: "speculative-draft-model-path", unset: true },
                ],
            },
            reason: "This algorithm drafts with another model, and none is named.",
            remedy: "Name it in speculative.draftModel, or use NEXTN with a model that has its own prediction block.",
            sources: ["sglang 0.5.23 srt/speculative", "unverified"],
            confidence: "medium",
        },
        {
            id: "speculative-incomplete",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    eagle,
                    { setting: "speculative-adaptive", unset: true },
                    {
                        any: [
                            {
                                all: [
                                    { setting: "speculative-num-steps", unset: true },
                                    {
                                        setting: ["speculative-eagle-topk", "speculative-num-draft-tokens"],
                                        set: true,
                                    },
                                ],
                            },
                            {
                                all: [
                                    { setting: "speculative-num-steps", set: true },
                                    { setting: "speculative-eagle-topk", unset: true },
                                ],
                            },
                        ],
                    },
                ],
            },
            reason: "SGLang chooses steps, EAGLE top-k and draft tokens together or not at all, and stops at start when only some are given.",
            remedy: "Give speculative.steps, eagleTopK and draftTokens (such as 3, 1 and 4), or none of them.",
            sources: ["sglang 0.5.9 srt/server_args.py", "sglang 0.5.23 srt/arg_groups/speculative_hook.py"],
            confidence: "high",
        },
        {
            id: "spec-v2-stale",
            verdict: "warn",
            gpu: "any",
            when: { variable, set: true },
            window: { sglang: [{ since: "0.5.14" }] },
            reason: `${variable} does nothing from 0.5.14 on; up to 0.5.20 the log says so.`,
            remedy: "Take it away.",
            sources: [
                "sgl-project/sglang#27964",
                "sglang 0.5.14, 0.5.20 and 0.5.21 srt/arg_groups/speculative_hook.py",
            ],
            confidence: "high",
        },
        {
            id: "eagle-radix-nan",
            verdict: "warn",
            when: {
                all: [eagle, nvfp4, { attention: ["dsa"] }, { not: { setting: "disable-radix-cache", set: true } }],
            },
            window: { sglang: [{ before: "0.5.13" }] },
            reason: "EAGLE with the prefix cache crashed with NaN on a prefix hit on eight SM120 cards with GLM-5.",
            remedy: "Leave out the prefix cache or speculative decoding if the gate says no.",
            sources: ["sgl-project/sglang#19897", "sgl-project/sglang#19796"],
            confidence: "medium",
            contradicted: {
                statement: "Two causes are claimed: draft KV that was never written, or the CUTLASS FP4 race.",
                sources: ["sgl-project/sglang#19897", "local-inference-lab/rtx6kpro"],
            },
            detectedBy: "gate",
        },
        {
            id: "eagle-prefix-reuse",
            verdict: "warn",
            when: { all: [eagle, nvfp4, { attention: ["dsa"] }] },
            window: { sglang: [{ since: "0.5.16" }] },
            reason: "With EAGLE on a sparse-attention NVFP4 model the reuse of prefixes falls from 97 % to about half.",
            remedy: "Leave speculative decoding out for many-turn loads.",
            sources: ["sgl-project/sglang#32459", "sgl-project/sglang#32574"],
            confidence: "medium",
        },
        {
            id: "gdn-draft-tokens",
            verdict: "warn",
            when: {
                all: [eagle, { attention: ["hybrid-gdn"] }, { setting: "speculative-num-draft-tokens", above: 4 }],
            },
            reason: "More than three drafted tokens with Gated DeltaNet ended in illegal memory accesses under load (vLLM; not shown for SGLang).",
            sources: ["vllm-project/vllm#34948"],
            confidence: "low",
            detectedBy: "gate",
        },
    ],
};
