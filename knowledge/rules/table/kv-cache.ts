import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";
import { attentionSettings } from "./shared.ts";

const kv = "kv-cache-dtype";

/** Four-bit caches for which SGLang picks no attention backend itself; from 0.5.21 on it does for nvfp4. */
const fourBit: Condition = {
    any: [
        { setting: kv, in: ["fp4_e2m1", "fp4_mx_block16"] },
        { all: [{ setting: kv, in: ["nvfp4"] }, { release: { before: "0.5.21" } }] },
    ],
};
const unnamed: Condition = { setting: attentionSettings, unset: true };

export const kvCache: RuleArea = {
    title: "KV cache",
    introduction: "What the cache is made of is decided by the attention kernels; see also sparse attention.",
    rules: [
        {
            id: "int4-fp8-cache",
            verdict: "warn",
            when: {
                all: [
                    { format: ["int4"] },
                    { model: "latent-attention" },
                    { setting: kv, in: ["fp8_e4m3", "fp8_e5m2"] },
                ],
            },
            reason: "INT4 Kimi-K2.5 with an FP8 cache ran at 16 tokens/s on this card.",
            remedy: "Use a bfloat16 cache, or the NVFP4 checkpoint.",
            sources: ["local-inference-lab/rtx6kpro (kimi-k25)"],
            confidence: "medium",
        },
        {
            id: "four-bit-cache-attention",
            verdict: "fix",
            when: {
                all: [
                    fourBit,
                    { not: { model: "latent-attention" } },
                    { any: [unnamed, { setting: "attention-backend", in: ["flashinfer"] }] },
                ],
            },
            set: { "attention-backend": "triton" },
            reason: "A four-bit cache goes with triton or trtllm_mha for attention over heads; SGLang's own choice is flashinfer, and it stops at start.",
            sources: ["sglang 0.5.16 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "four-bit-cache-latent-attention",
            verdict: "fix",
            when: {
                all: [
                    fourBit,
                    { attention: ["mla"] },
                    { any: [unnamed, { setting: "attention-backend", in: ["triton"] }] },
                ],
            },
            set: { "attention-backend": "flashinfer" },
            reason: "A four-bit cache does not go with triton, SGLang's own choice for latent attention on SM120, and it stops at start; flashinfer is the only one it takes that is not for SM100.",
            sources: ["sglang 0.5.16 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "nvfp4-cache-triton",
            verdict: "refuse",
            when: {
                all: [
                    { setting: kv, in: ["nvfp4"] },
                    {
                        any: [
                            { setting: ["attention-backend", "prefill-attention-backend"], in: ["triton"] },
                            { architecture: ["GptOssForCausalLM"] },
                        ],
                    },
                ],
            },
            window: { sglang: [{ since: "0.5.21" }] },
            reason: "An NVFP4 cache is read by flashinfer for prompts, not by triton, which is all that gpt-oss runs with here; SGLang stops at start.",
            remedy: "Leave the attention backend out, or name another cache type.",
            sources: ["sglang 0.5.22 srt/arg_groups/kv_cache_hook.py (ran)"],
            confidence: "high",
        },
        {
            id: "four-bit-cache-unproven",
            verdict: "warn",
            when: { setting: kv, in: ["fp4_e2m1", "fp4_mx_block16", "nvfp4", "mxfp8"] },
            reason: "A cache of this type is new, and nobody has shown it right on SM120; some of its kernels are for compute capability 10 only.",
            sources: ["sglang 0.5.23 srt/arg_groups/kv_cache_hook.py"],
            confidence: "low",
            detectedBy: "gate",
        },
        {
            id: "hierarchical-without-radix",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { setting: "enable-hierarchical-cache", set: true },
                    { setting: "disable-radix-cache", set: true },
                ],
            },
            reason: "The hierarchical cache extends the prefix cache, so SGLang stops at start when that is off.",
            remedy: "Leave out one of kvCache.hierarchical and kvCache.radixCache: false.",
            sources: ["sglang 0.5.23 srt/arg_groups/kv_cache_hook.py"],
            confidence: "high",
        },
    ],
};
