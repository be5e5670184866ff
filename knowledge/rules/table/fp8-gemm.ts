import type { RuleArea } from "../rule.ts";
import { nvfp4Experts } from "./shared.ts";

const setting = "fp8-gemm-backend";

export const fp8Gemm: RuleArea = {
    title: "FP8 GEMM and DeepGEMM",
    introduction:
        "SGLang chose DeepGEMM or an SM100 kernel for FP8 layers on this card until 0.5.10, where `auto` became Triton, later CUTLASS.",
    rules: [
        {
            id: "fp8-auto-deepgemm",
            verdict: "fix",
            when: { all: [{ format: ["fp8"] }, { setting, unset: true }] },
            set: { [setting]: "triton" },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "FP8 layers go to DeepGEMM, else to FlashInfer's SM100 kernel, in this release; both crash on SM120.",
            sources: ["sgl-project/sglang#18870", "sglang 0.5.9 srt/layers/quantization/fp8_utils.py"],
            confidence: "high",
        },
        {
            id: "fp8-not-on-sm120",
            verdict: "fix",
            when: { setting, in: ["flashinfer_trtllm", "flashinfer_deepgemm", "flashinfer_cutedsl", "aiter"] },
            set: { [setting]: "triton" },
            reason: "This FP8 GEMM is built for other hardware (compute capability 9 or 10, or AMD); SGLang refuses it at load, or runs a kernel that fails.",
            sources: ["sglang 0.5.23 srt/layers/quantization/fp8_utils.py"],
            confidence: "high",
        },
        {
            id: "fp8-deepgemm",
            verdict: "fix",
            when: { setting, in: ["deep_gemm"] },
            set: { [setting]: "triton" },
            window: { sglang: [{ before: "0.5.20" }] },
            reason: "DeepGEMM has no SM120 kernels in this release: `Unsupported architecture`, or SGLang switches it off and refuses the choice.",
            sources: [
                "deepseek-ai/DeepGEMM#318",
                "sgl-project/sglang#24047",
                "sglang 0.5.19 srt/layers/deep_gemm_wrapper/configurer.py",
            ],
            confidence: "high",
            contradicted: {
                statement:
                    "DeepGEMM gained SM120 kernels in 2026; SGLang uses them from 0.5.20, and reports of that say that it works.",
                sources: ["deepseek-ai/DeepGEMM#324", "sgl-project/sglang#39482"],
            },
        },
        {
            id: "deepgemm-unproven",
            verdict: "warn",
            when: {
                any: [
                    { setting, in: ["deep_gemm"] },
                    { all: [{ not: nvfp4Experts }, { setting: "moe-runner-backend", in: ["deep_gemm"] }] },
                ],
            },
            window: { sglang: [{ since: "0.5.20" }] },
            reason: "DeepGEMM for SM120 is new in 0.5.20 and depends on the installed DeepGEMM; one author calls it tested, no independent report is known.",
            remedy: "Leave the choice out: SGLang takes CUTLASS for FP8 layers and Triton for FP8 experts.",
            sources: ["sgl-project/sglang#39482", "sglang 0.5.20 srt/layers/deep_gemm_wrapper/configurer.py"],
            confidence: "low",
            contradicted: {
                statement: "Earlier releases fail with it on this card.",
                sources: ["deepseek-ai/DeepGEMM#318", "sgl-project/sglang#19948"],
            },
            detectedBy: "gate",
        },
        {
            id: "deepgemm-jit-off",
            verdict: "fix",
            when: {
                all: [
                    { format: ["fp8", "mxfp8", "nvfp4", "mxfp4"] },
                    { not: { variable: "SGLANG_ENABLE_JIT_DEEPGEMM", in: ["0", "false", "False"] } },
                ],
            },
            environment: { SGLANG_ENABLE_JIT_DEEPGEMM: "0", SGLANG_ENABLE_DEEP_GEMM: "0" },
            window: { sglang: [{ before: "0.5.13" }] },
            reason: "This release takes SM120 for a card that runs DeepGEMM, and for one that wants UE8M0 scales, which turns float8 scales into NaN.",
            sources: ["sgl-project/sglang#19948", "sglang 0.5.12 srt/layers/deep_gemm_wrapper/configurer.py"],
            confidence: "high",
            detectedBy: "gate",
        },
    ],
};
