import type { RuleArea } from "../rule.ts";

export const parallelism: RuleArea = {
    title: "Parallelism",
    introduction: "How the GPUs are divided. Whether the model can be cut so and fits is the memory plan's to say.",
    rules: [
        {
            id: "gpus-left-idle",
            verdict: "warn",
            gpu: "any",
            when: { predicate: "gpus-left-idle" },
            reason: "The parallel sizes leave GPUs of the service unused.",
            remedy: "Name the GPUs that are meant in `gpus`, or raise a size.",
            sources: ["sglang srt/entrypoints/engine.py"],
            confidence: "high",
        },
        {
            id: "data-parallel-across-hosts",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { count: "nodes", above: 1 },
                    { count: "data", above: 1 },
                    { setting: ["enable-dp-attention", "attn-dp-size"], unset: true },
                ],
            },
            reason: "Replicas of one server cannot span hosts: SGLang stops at start (`multi-node data parallel is not supported unless dp attention`).",
            remedy: "Make one service for each host, or set parallelism.dataParallelAttention.",
            sources: ["sglang 0.5.9 srt/server_args.py", "sglang 0.5.23 srt/arg_groups/validation_hook.py"],
            confidence: "high",
        },
        {
            id: "pipeline-speculative",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { setting: "pp-size", above: 1 },
                    { setting: "speculative-algorithm", set: true },
                    {
                        any: [
                            { release: { before: "0.5.21" } },
                            {
                                all: [
                                    { not: { setting: "disaggregation-mode", in: ["prefill"] } },
                                    { not: { variable: "SGLANG_ENABLE_PP_SPEC", in: ["1", "true", "True"] } },
                                ],
                            },
                        ],
                    },
                ],
            },
            reason: "Pipeline stages and speculative decoding do not go together; SGLang stops at start.",
            remedy: "Leave out one of parallelism.pipeline and speculative.",
            sources: ["sglang 0.5.20 and 0.5.23 srt/arg_groups/validation_hook.py"],
            confidence: "high",
        },
        {
            id: "two-batch-overlap-alone",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { setting: "enable-two-batch-overlap", set: true },
                    {
                        any: [
                            { setting: "moe-a2a-backend", unset: true },
                            { setting: "moe-a2a-backend", in: ["none"] },
                        ],
                    },
                    {
                        any: [
                            { release: { before: "0.5.15" } },
                            { setting: ["enable-dp-attention", "attn-dp-size"], unset: true },
                        ],
                    },
                ],
            },
            reason: "Overlapping two batches hides an all-to-all of experts; without one SGLang stops at start.",
            remedy: "Leave enable-two-batch-overlap out.",
            sources: ["sglang 0.5.14 and 0.5.15 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "chunk-not-pages",
            verdict: "refuse",
            gpu: "any",
            when: { predicate: "chunk-not-pages" },
            reason: "A prefill chunk must be a whole number of cache pages; SGLang stops at start (`chunked_prefill_size must be divisible by page_size`).",
            remedy: "Make scheduling.chunkedPrefillSize a multiple of the page size.",
            sources: ["sglang 0.5.9 srt/server_args.py", "sglang 0.5.23 srt/arg_groups/validation_hook.py"],
            confidence: "high",
        },
    ],
};
