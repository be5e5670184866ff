import type { TuningArea } from "../row.ts";
import { attentionIs, GLM_WIKI, hasMtp, INFERENCEX, QWEN_WIKI, speculates } from "./shared.ts";

/** Three drafted tokens in a chain. */
const chain = {
    "speculative-algorithm": "NEXTN",
    "speculative-num-steps": 3,
    "speculative-eagle-topk": 1,
    "speculative-num-draft-tokens": 4,
} as const;

export const speculation: TuningArea = {
    title: "Speculative decoding",
    introduction:
        "The model's own prediction block drafts tokens that one pass verifies. The gain shrinks with the number of users.",
    rows: [
        {
            id: "gdn-mtp",
            when: {
                all: [
                    { architecture: ["Qwen3_5MoeForConditionalGeneration"] },
                    { format: ["nvfp4"] },
                    hasMtp,
                    { any: [attentionIs("flashinfer"), { not: { predicate: "long-context" } }] },
                ],
            },
            window: { sglang: [{ since: "0.5.9" }] },
            objectives: ["latency", "balanced"],
            set: chain,
            reason: "Qwen3.5 has a trained prediction block, and three drafted tokens nearly double what one user gets.",
            effects: [
                {
                    measure: "input and output tokens/s",
                    before: 672,
                    after: 1233,
                    at: "1 user, 8k in, 1k out",
                    on: "Qwen3.5-397B NVFP4 on 4 cards, SGLang 0.5.16",
                    source: INFERENCEX,
                },
                {
                    measure: "input and output tokens/s",
                    before: 6198,
                    after: 6895,
                    at: "64 users, 8k in, 1k out",
                    on: "Qwen3.5-397B NVFP4 on 4 cards, SGLang 0.5.16",
                    source: INFERENCEX,
                },
            ],
            confidence: "high",
            risk: "Draft weights of about 4 GiB on each of four cards; a lower power limit costs more than without. `accept` turns it down.",
            shown: "The log's `accept len` stays at 2.0 or more.",
            sources: [INFERENCEX, QWEN_WIKI],
            contradicted: {
                statement:
                    "It was measured without the prefix cache. With Triton attention it loses from 64k of context on (0.5.9), with FlashInfer it gains there too (a fork).",
                sources: [QWEN_WIKI],
            },
        },
        {
            id: "glm-mtp",
            when: {
                all: [
                    { architecture: ["GlmMoeDsaForCausalLM"] },
                    { format: ["nvfp4"] },
                    hasMtp,
                    { any: [{ not: attentionIs("triton") }, { not: { predicate: "long-context" } }] },
                ],
            },
            window: { sglang: [{ since: "0.5.9" }] },
            objectives: ["latency", "balanced"],
            set: chain,
            reason: "GLM-5 has a trained prediction block where the checkpoint keeps it, and three drafted tokens gain at every load that was measured.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 51,
                    after: 95,
                    at: "1 user",
                    on: "GLM-5 NVFP4 on 8 cards, a fork of SGLang",
                    source: GLM_WIKI,
                },
                {
                    measure: "output tokens/s",
                    before: 1011,
                    after: 1425,
                    at: "64 users",
                    on: "GLM-5 NVFP4 on 8 cards, a fork of SGLang",
                    source: GLM_WIKI,
                },
            ],
            confidence: "medium",
            risk: "The prefix cache is used less (sgl-project/sglang#32459).",
            shown: "The log's `accept len` stays at 2.0 or more.",
            sources: [GLM_WIKI],
        },
        {
            id: "deepseek-v4-mtp",
            when: { all: [{ architecture: ["DeepseekV4ForCausalLM"] }, hasMtp] },
            window: { sglang: [{ since: "0.5.16" }] },
            objectives: ["latency", "balanced"],
            set: {
                "speculative-algorithm": "NEXTN",
                "speculative-num-steps": 1,
                "speculative-eagle-topk": 1,
                "speculative-num-draft-tokens": 2,
            },
            reason: "One drafted token gains more than three on DeepSeek-V4-Flash.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 33.6,
                    after: 44.4,
                    at: "1 user",
                    on: "DeepSeek-V4-Flash on 2 cards, SGLang",
                    source: "sgl-project/sglang#25696",
                },
            ],
            confidence: "medium",
            shown: "The log's `accept len` stays at 1.5 or more.",
            sources: ["sgl-project/sglang#25696"],
        },
        {
            id: "speculation-requests",
            gpu: "any",
            when: speculates,
            set: { "max-running-requests": 64 },
            reason: "With speculative decoding and nothing said, SGLang runs 48 requests at once and says so nowhere. 64 is the most that was measured with it.",
            effects: [],
            confidence: "high",
            risk: "scheduling.maxRunningRequests says another number.",
            sources: ["sglang 0.5.23 srt/arg_groups/speculative_hook.py", INFERENCEX],
        },
        {
            id: "mtp-long-context-triton",
            when: {
                all: [{ attention: ["hybrid-gdn"] }, speculates, attentionIs("triton"), { predicate: "long-context" }],
            },
            advice: "Leave speculative decoding out for requests of 64k tokens and more, or move to a release from 0.5.10 on and to FlashInfer attention.",
            reason: "With Triton attention drafts cost more than they gain over a long context.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 48,
                    after: 37,
                    at: "1 user, 64k context",
                    on: "Qwen3.5-397B NVFP4 on 4 cards, SGLang 0.5.9",
                    source: QWEN_WIKI,
                },
            ],
            confidence: "medium",
            sources: [QWEN_WIKI],
        },
    ],
};
