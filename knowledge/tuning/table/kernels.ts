import type { TuningArea } from "../row.ts";
import { attentionOfOneKind, KIMI_WIKI, QWEN_WIKI } from "./shared.ts";

export const kernels: TuningArea = {
    title: "Attention kernels",
    introduction: "Of the kernels that are safe in a release, the one that is fastest on this card.",
    rows: [
        {
            id: "gdn-flashinfer-attention",
            when: { all: [{ attention: ["hybrid-gdn"] }, attentionOfOneKind] },
            window: { sglang: [{ since: "0.5.10" }] },
            set: { "attention-backend": "flashinfer" },
            reason: "FlashInfer keeps its speed over a long context, where Triton's decode falls to less than half.",
            effects: [
                {
                    measure: "output tokens/s that are left of an empty context's",
                    before: 0.47,
                    after: 0.9,
                    at: "1 user, 128k context",
                    on: "Qwen3.5-397B NVFP4 on 4 cards, SGLang 0.5.9 with Triton against a fork with FlashInfer",
                    source: QWEN_WIKI,
                },
            ],
            confidence: "medium",
            risk: "The two were measured on different builds. Name triton in backends.attention to go back.",
            shown: "One user at 128k context decodes at 0.8 times the speed of an empty context or better.",
            sources: [QWEN_WIKI, "sglang 0.5.23 srt/layers/attention/attention_registry.py"],
        },
        {
            id: "int4-latent-flashinfer",
            when: {
                all: [
                    { format: ["int4"], of: "experts" },
                    { attention: ["mla"] },
                    {
                        any: [
                            { setting: "kv-cache-dtype", in: ["bfloat16", "bf16"] },
                            {
                                all: [
                                    { setting: "kv-cache-dtype", unset: true },
                                    { not: { model: "fp8-kv-calibrated" } },
                                ],
                            },
                        ],
                    },
                    attentionOfOneKind,
                ],
            },
            set: { "attention-backend": "flashinfer" },
            reason: "FlashInfer's latent attention over a bfloat16 cache decodes faster than Triton, SGLang's own choice here.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 78,
                    after: 90,
                    at: "1 user",
                    on: "Kimi-K2.5 INT4 on 8 cards, SGLang of early 2026",
                    source: KIMI_WIKI,
                },
            ],
            confidence: "medium",
            risk: "Only with a bfloat16 cache: an FP8 one ran at 16 tokens/s.",
            sources: [KIMI_WIKI],
        },
    ],
};
