import { attentionSettings } from "../../rules/table/shared.ts";
import type { TuningArea } from "../row.ts";
import { INFERENCEX } from "./shared.ts";

export const cache: TuningArea = {
    title: "Caches and states",
    introduction: "Smaller elements hold more tokens and more requests on the same cards.",
    rows: [
        {
            id: "gdn-fp8-cache",
            when: {
                all: [{ attention: ["hybrid-gdn"] }, { model: "fp8-kv-calibrated" }],
            },
            set: { "kv-cache-dtype": "fp8_e4m3" },
            reason: "The checkpoint carries scales for an FP8 cache, which holds twice the tokens of a bfloat16 one.",
            effects: [
                {
                    measure: "tokens in the same memory",
                    before: 1,
                    after: 2,
                    at: "any load",
                    on: "every card, by the bytes of a token",
                    source: "sglang 0.5.23 srt/mem_cache/kv_cache_configurator.py",
                },
            ],
            confidence: "high",
            risk: "Rounding of keys and values. kvCache.dtype: bfloat16 goes back.",
            sources: [INFERENCEX],
        },
        {
            id: "glm-sparse-fp8-cache",
            when: {
                all: [
                    { architecture: ["GlmMoeDsaForCausalLM"] },
                    { setting: [...attentionSettings, "dsa-prefill-backend", "dsa-decode-backend"], unset: true },
                ],
            },
            window: { sglang: [{ since: "0.5.17" }] },
            set: { "kv-cache-dtype": "fp8_e4m3" },
            reason: "With an FP8 cache SGLang takes `flashinfer_sparse_mla` for prompts and decoding by itself, its only sparse kernel that is built for this card.",
            effects: [],
            confidence: "medium",
            risk: "Nobody has published its speed on this card.",
            shown: "The log says `Set DSA backends for GLM FP8 KV Cache`.",
            sources: ["sglang 0.5.17 and 0.5.23 srt/arg_groups/overrides.py", "sgl-project/sglang#29580"],
        },
        {
            id: "gdn-bf16-state",
            when: { attention: ["hybrid-gdn"] },
            window: { sglang: [{ since: "0.5.9" }] },
            set: { "mamba-ssm-dtype": "bfloat16" },
            reason: "Recurrent states in bfloat16 take half the memory, so that twice the requests run at once.",
            effects: [
                {
                    measure: "MiB of states for each request",
                    before: 45.8,
                    after: 23.3,
                    at: "any load",
                    on: "Qwen3.5-397B NVFP4 on 4 cards",
                    source: INFERENCEX,
                },
            ],
            confidence: "high",
            risk: "Rounding of states over a long context. kvCache.mambaStateDtype: float32 goes back.",
            sources: [INFERENCEX],
        },
    ],
};
