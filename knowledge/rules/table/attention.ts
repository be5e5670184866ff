import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";
import { attends, attentionSettings } from "./shared.ts";

/** Whether prompts are computed with trtllm_mha. */
const prefillTrtllm: Condition = {
    any: [
        { setting: "prefill-attention-backend", in: ["trtllm_mha"] },
        {
            all: [
                { setting: "attention-backend", in: ["trtllm_mha"] },
                { setting: "prefill-attention-backend", unset: true },
            ],
        },
    ],
};
const kv = "kv-cache-dtype";

export const attention: RuleArea = {
    title: "Attention",
    introduction:
        "SGLang's own choice on SM120 (FlashInfer for MHA and GQA, Triton for MLA) is sound; what people name by hand often is a kernel of other cards.",
    rules: [
        {
            id: "trtllm-mla",
            verdict: "refuse",
            when: attends("trtllm_mla", "cutedsl_mla", "cutlass_mla", "tokenspeed_mla"),
            reason: "This MLA kernel is built for compute capability 10: on SM120 it ends in `TllmGenFmhaRunner ... Unsupported architecture`, which SGLang does not see coming.",
            remedy: "Leave the attention backend out, or name triton.",
            sources: [
                "sgl-project/sglang#24633",
                "sgl-project/sglang#17880",
                "sglang 0.5.23 srt/arg_groups/overrides.py",
            ],
            confidence: "high",
        },
        {
            id: "flashmla-hopper",
            verdict: "refuse",
            when: attends("flashmla"),
            reason: "FlashMLA is built for Hopper (compute capability 9).",
            remedy: "Leave the attention backend out, or name triton.",
            sources: ["unverified"],
            confidence: "medium",
        },
        {
            id: "attention-foreign",
            verdict: "refuse",
            when: attends("aiter", "ascend", "hpc_ops", "intel_amx", "intel_xpu", "wave"),
            reason: "This attention backend is for other hardware (AMD, Ascend, Intel, or Hopper only).",
            remedy: "Leave the attention backend out, or name flashinfer or triton.",
            sources: ["sglang 0.5.23 srt/layers/attention/attention_registry.py", "unverified"],
            confidence: "medium",
        },
        {
            id: "trtllm-mha-mla-model",
            verdict: "refuse",
            when: { all: [{ model: "latent-attention" }, attends("trtllm_mha")] },
            reason: "trtllm_mha cannot serve a model with latent attention; SGLang stops at start.",
            remedy: "Leave the attention backend out, or name triton.",
            sources: ["sglang 0.5.23 srt/layers/attention/attention_registry.py"],
            confidence: "high",
        },
        {
            id: "trtllm-mha-prefill",
            verdict: "refuse",
            when: prefillTrtllm,
            window: { sglang: [{ before: "0.5.19" }] },
            reason: "SGLang refuses trtllm_mha for prompts on SM120 before 0.5.19.",
            remedy: "Leave the attention backend out, or name flashinfer or triton.",
            sources: ["sgl-project/sglang#9140", "sgl-project/sglang#14842", "sglang 0.5.17 srt/server_args.py"],
            confidence: "high",
        },
        {
            id: "trtllm-mha-decode",
            verdict: "refuse",
            when: attends("trtllm_mha"),
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "SGLang refuses trtllm_mha on SM120 before 0.5.10, for decoding too.",
            remedy: "Leave the attention backend out, or name flashinfer or triton.",
            sources: ["sgl-project/sglang#9140", "sglang 0.5.9 srt/server_args.py"],
            confidence: "high",
        },
        {
            id: "trtllm-mha-fp8-cache",
            verdict: "refuse",
            when: {
                all: [prefillTrtllm, { setting: kv, in: ["fp8_e4m3"] }, { not: { model: "latent-attention" } }],
            },
            window: { sglang: [{ since: "0.5.19" }] },
            reason: "On SM120 trtllm_mha cannot compute prompts over an FP8 cache; SGLang stops at start.",
            remedy: "Name flashinfer for attention, or a bfloat16 cache.",
            sources: ["sgl-project/sglang#31959", "sglang 0.5.23 srt/arg_groups/attention_hook.py"],
            confidence: "high",
        },
        {
            id: "trtllm-mha-calibrated-cache",
            verdict: "fix",
            when: { all: [prefillTrtllm, { setting: kv, unset: true }, { model: "fp8-kv-calibrated" }] },
            set: { [kv]: "bfloat16" },
            window: { sglang: [{ since: "0.5.19" }] },
            reason: "SGLang's guard reads only the flag: with `auto` this checkpoint's cache becomes FP8, which trtllm_mha cannot use for prompts on SM120.",
            sources: ["sglang 0.5.23 srt/arg_groups/attention_hook.py (ran)"],
            confidence: "high",
            detectedBy: "gate",
        },
        {
            id: "fa3",
            verdict: "refuse",
            when: attends("fa3"),
            reason: "SGLang allows FlashAttention 3 on compute capability 8 and 9 only and stops at start.",
            remedy: "Leave the attention backend out, or name flashinfer or triton.",
            sources: ["sglang 0.5.23 srt/layers/attention/attention_registry.py (ran)", "local-inference-lab/rtx6kpro"],
            confidence: "high",
            contradicted: {
                statement: "A reporter of 2025 says that fa3 works fine on the RTX PRO 6000.",
                sources: ["sgl-project/sglang#12360"],
            },
        },
        {
            id: "fa4-without-sm120",
            verdict: "refuse",
            when: attends("fa4"),
            window: { sglang: [{ before: "0.5.18" }] },
            reason: "FlashAttention 4 has no SM120 kernels in SGLang before 0.5.18 (MLIRError or unsupported), and SGLang does not refuse it before a kernel runs.",
            remedy: "Leave the attention backend out, or name flashinfer or triton.",
            sources: ["sgl-project/sglang#36531", "sglang 0.5.18 srt/layers/attention/flashattention_backend.py"],
            confidence: "medium",
        },
        {
            id: "fa4-hybrid",
            verdict: "refuse",
            when: { all: [{ attention: ["hybrid-gdn"] }, attends("fa4")] },
            window: { sglang: [{ since: "0.5.18" }] },
            reason: "SGLang allows triton, trtllm_mha and flashinfer only for Gated DeltaNet models on SM120 and stops at start.",
            sources: ["sgl-project/sglang#35080", "sglang 0.5.23 srt/layers/attention/attention_registry.py (ran)"],
            confidence: "high",
        },
        {
            id: "fa4-unproven",
            verdict: "warn",
            when: { all: [attends("fa4"), { not: { attention: ["hybrid-gdn"] } }] },
            window: { sglang: [{ since: "0.5.18" }] },
            reason: "FlashAttention 4 for SM120 is new in 0.5.18, and nobody has shown it right on this card.",
            sources: ["sglang 0.5.18 srt/layers/attention/flashattention_backend.py", "sgl-project/sglang#36531"],
            confidence: "medium",
            detectedBy: "gate",
        },
        {
            id: "picture-attention",
            verdict: "fix",
            when: { setting: "mm-attention-backend", in: ["fa3", "fa4"] },
            set: { "mm-attention-backend": "triton_attn" },
            reason: "For pictures fa3 is Hopper's and fa4 is SM100's; SGLang itself takes triton_attn on SM120, and refuses fa3 on Blackwell.",
            sources: ["sglang 0.5.23 srt/layers/attention/vision.py"],
            confidence: "medium",
        },
        {
            id: "gpt-oss-attention",
            verdict: "fix",
            when: {
                all: [{ architecture: ["GptOssForCausalLM"] }, attends("flashinfer", "torch_native", "flex_attention")],
            },
            set: Object.fromEntries(
                attentionSettings.map((name) => [name, name === "attention-backend" ? "triton" : null]),
            ),
            reason: "gpt-oss needs attention sinks: SGLang takes triton or trtllm_mha for it and stops at start otherwise.",
            sources: ["sglang 0.5.14 srt/server_args.py", "sglang 0.5.23 srt/arg_groups/model_overrides/gpt_oss.py"],
            confidence: "high",
        },
        {
            id: "gpt-oss-split-attention",
            verdict: "fix",
            when: {
                all: [
                    { architecture: ["GptOssForCausalLM"] },
                    { setting: "attention-backend", unset: true },
                    { setting: ["prefill-attention-backend", "decode-attention-backend"], set: true },
                ],
            },
            set: { "attention-backend": "triton" },
            reason: "With only one of prefill and decode named, SGLang fills the other with flashinfer, which it then refuses for gpt-oss.",
            sources: ["sglang 0.5.16 srt/server_args.py (ran)"],
            confidence: "high",
        },
    ],
};
