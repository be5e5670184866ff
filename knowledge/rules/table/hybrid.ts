import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";
import { attends, eagle } from "./shared.ts";

const attention = "attention-backend";
const strategy = "mamba-radix-cache-strategy";
const gdn: Condition = { attention: ["hybrid-gdn"] };
const radix: Condition = { not: { setting: "disable-radix-cache", set: true } };

export const hybrid: RuleArea = {
    title: "Linear attention hybrids",
    introduction:
        "Qwen3.5 and Qwen3-Next mix full attention with Gated DeltaNet layers, whose state SGLang caches beside the KV cache.",
    rules: [
        {
            id: "gdn-attention-auto",
            verdict: "fix",
            when: {
                all: [
                    gdn,
                    {
                        any: [
                            { setting: attention, unset: true },
                            { setting: attention, notIn: ["triton", "trtllm_mha"] },
                        ],
                    },
                ],
            },
            set: { [attention]: "triton" },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "This release takes flashinfer by itself for Gated DeltaNet models and then allows only triton on SM120: an AssertionError at load.",
            sources: ["sgl-project/sglang#20709", "sglang 0.5.9 srt/layers/attention/attention_registry.py (ran)"],
            confidence: "high",
            contradicted: {
                statement:
                    "Recipes for Qwen3.5 of early 2026 pass flashinfer; they need their own image. From 0.5.10 on it is allowed on SM120.",
                sources: ["local-inference-lab/rtx6kpro (qwen35)", "sgl-project/sglang#35080"],
            },
        },
        {
            id: "gdn-attention",
            verdict: "refuse",
            when: {
                all: [
                    gdn,
                    { setting: attention, notIn: ["triton", "trtllm_mha", "flashinfer", "fa4"] },
                    { not: attends("fa3") },
                ],
            },
            window: { sglang: [{ since: "0.5.10" }] },
            reason: "SGLang allows triton, trtllm_mha and flashinfer only for Gated DeltaNet models on SM120 and stops at start.",
            sources: ["sglang 0.5.23 srt/layers/attention/attention_registry.py"],
            confidence: "high",
        },
        {
            id: "gdn-speculative-radix",
            verdict: "fix",
            when: {
                all: [
                    gdn,
                    eagle,
                    radix,
                    {
                        any: [
                            { setting: strategy, unset: true },
                            { setting: strategy, in: ["no_buffer"] },
                        ],
                    },
                ],
            },
            set: { [strategy]: "extra_buffer" },
            environment: { SGLANG_ENABLE_SPEC_V2: "True" },
            window: { sglang: [{ since: "0.5.10", before: "0.5.14" }] },
            reason: "SGLang refuses speculative decoding with the prefix cache and the strategy no_buffer, its default here, and itself names extra_buffer with spec V2.",
            sources: ["sglang 0.5.12 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "gdn-ngram-radix",
            verdict: "refuse",
            when: {
                all: [
                    gdn,
                    radix,
                    { setting: "speculative-algorithm", in: ["NGRAM"] },
                    {
                        any: [
                            { setting: strategy, unset: true },
                            { setting: strategy, in: ["no_buffer"] },
                        ],
                    },
                ],
            },
            window: { sglang: [{ since: "0.5.10", before: "0.5.14" }] },
            reason: "SGLang refuses speculative decoding with the prefix cache and the strategy no_buffer, its default here.",
            remedy: "Use NEXTN, or set kvCache.radixCache: false.",
            sources: ["sglang 0.5.12 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "state-strategy-without-state",
            verdict: "fix",
            gpu: "any",
            when: {
                all: [
                    { setting: strategy, in: ["extra_buffer", "extra_buffer_lazy"] },
                    { not: { attention: ["hybrid-gdn", "hybrid-kda-dsa"] } },
                ],
            },
            set: { [strategy]: null },
            window: { sglang: [{ since: "0.5.21" }] },
            reason: "The strategy is about recurrent states, which this model does not have; from 0.5.21 on SGLang stops at start.",
            sources: ["sglang 0.5.21 srt/arg_groups/model_hook.py (ran)"],
            confidence: "high",
        },
        {
            id: "gdn-no-buffer-overlap",
            verdict: "fix",
            when: { all: [gdn, radix, { setting: strategy, in: ["no_buffer"] }] },
            set: { "disable-overlap-schedule": true },
            window: { sglang: [{ since: "0.5.14" }] },
            reason: "The strategy no_buffer cannot go with the overlap schedule; SGLang stops at start and asks for it to be off.",
            sources: ["sglang 0.5.14 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "gdn-no-buffer-pages",
            verdict: "refuse",
            when: {
                all: [
                    gdn,
                    radix,
                    { setting: strategy, in: ["no_buffer"] },
                    {
                        any: [
                            { setting: "page-size", above: 1 },
                            { setting: attention, in: ["trtllm_mha"] },
                        ],
                    },
                ],
            },
            window: { sglang: [{ since: "0.5.14" }] },
            reason: "The strategy no_buffer takes pages of one token only, and not trtllm_mha; SGLang stops at start.",
            remedy: "Leave the strategy out, or name extra_buffer.",
            sources: ["sglang 0.5.14 srt/server_args.py"],
            confidence: "high",
        },
        {
            id: "gdn-extra-buffer-without-radix",
            verdict: "fix",
            when: {
                all: [
                    gdn,
                    { setting: "disable-radix-cache", set: true },
                    { setting: strategy, in: ["extra_buffer", "extra_buffer_lazy"] },
                ],
            },
            set: { [strategy]: "no_buffer" },
            window: { sglang: [{ since: "0.5.10", before: "0.5.14" }] },
            reason: "SGLang refuses the strategy extra_buffer without the prefix cache and itself names no_buffer.",
            sources: ["sglang 0.5.12 srt/server_args.py"],
            confidence: "high",
        },
        {
            id: "linear-attention-flashinfer-state",
            verdict: "refuse",
            when: {
                all: [
                    {
                        any: [
                            { setting: "linear-attn-decode-backend", in: ["flashinfer"] },
                            {
                                all: [
                                    { setting: "linear-attn-backend", in: ["flashinfer"] },
                                    { setting: "linear-attn-decode-backend", unset: true },
                                ],
                            },
                        ],
                    },
                    { not: { setting: "mamba-ssm-dtype", in: ["bfloat16"] } },
                ],
            },
            reason: "FlashInfer's linear attention decodes with a bfloat16 state only on this card; SGLang stops at start.",
            remedy: "Leave the backend out (triton), or set kvCache.mambaStateDtype: bfloat16.",
            sources: ["sglang 0.5.23 srt/arg_groups/attention_hook.py (ran)"],
            confidence: "high",
        },
        {
            id: "linear-attention-flashinfer-cuda",
            verdict: "refuse",
            when: { setting: ["linear-attn-prefill-backend", "linear-attn-backend"], in: ["flashinfer"] },
            window: { cuda: [{ before: "13.0" }] },
            reason: "FlashInfer's linear attention for prompts needs CUDA 13 on this card, and is compiled with the toolkit at run time.",
            remedy: "Leave the backend out (triton), or use a CUDA 13 toolkit.",
            sources: ["sglang 0.5.23 srt/arg_groups/attention_hook.py"],
            confidence: "high",
        },
        {
            id: "linear-attention-flashinfer-buffer",
            verdict: "refuse",
            when: {
                all: [
                    gdn,
                    radix,
                    { setting: ["linear-attn-decode-backend", "linear-attn-backend"], in: ["flashinfer"] },
                    {
                        any: [
                            { setting: strategy, unset: true },
                            { setting: strategy, in: ["no_buffer"] },
                        ],
                    },
                ],
            },
            window: { sglang: [{ since: "0.5.10", before: "0.5.11" }] },
            reason: "FlashInfer's Gated DeltaNet decode needs the strategy extra_buffer in this release; SGLang stops at start.",
            sources: ["sglang 0.5.10 srt/server_args.py"],
            confidence: "high",
        },
    ],
};
