import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";

const setting = "quantization";

/** Flags that a release takes for a checkpoint of each method; any other one stops the start. */
const mismatch: Condition = {
    any: [
        {
            all: [
                { method: ["modelopt_fp4", "modelopt_mixed"] },
                { setting, notIn: ["modelopt", "modelopt_fp4", "modelopt_mixed", "petit_nvfp4"] },
            ],
        },
        {
            all: [
                { method: ["modelopt_fp8"] },
                { setting, notIn: ["fp8", "modelopt", "modelopt_fp4", "modelopt_fp8", "nvfp4_online"] },
            ],
        },
        {
            all: [{ method: ["fp8"] }, { setting, notIn: ["fp8", "modelopt_fp4", "nvfp4_online", "humming"] }],
        },
        {
            all: [
                { method: ["fp8", "modelopt_fp8"] },
                { setting, in: ["modelopt_fp4"] },
                { release: { before: "0.5.18" } },
            ],
        },
        { all: [{ method: ["mxfp4"] }, { setting, notIn: ["mxfp4", "quark", "quark_mxfp4"] }] },
        { all: [{ method: ["mxfp8"] }, { setting, notIn: ["mxfp8", "modelopt", "humming"] }] },
        {
            all: [
                { method: ["compressed-tensors"] },
                {
                    setting,
                    notIn: [
                        "compressed-tensors",
                        "compressed_tensors",
                        "w8a8_fp8",
                        "w8a8_int8",
                        "auto-round-int8",
                        "humming",
                    ],
                },
            ],
        },
        {
            all: [{ method: ["awq"] }, { setting, notIn: ["awq", "awq_marlin", "marlin", "moe_wna16", "humming"] }],
        },
        {
            all: [{ method: ["gptq"] }, { setting, notIn: ["gptq", "gptq_marlin", "marlin", "moe_wna16", "humming"] }],
        },
        { all: [{ method: ["w4afp8"] }, { setting, notIn: ["w4afp8", "modelopt"] }] },
    ],
};

const modelopt: Condition = { method: ["modelopt_fp4", "modelopt_fp8", "modelopt_mixed"] };
const quantizedHead: Condition = { format: ["fp8", "nvfp4", "mxfp4", "mxfp8", "int8", "int4"], of: "head" };

/** The flag left out, or one that SGLang replaces by the checkpoint's own after it has chosen kernels by the flag. */
const generic = (other: string): Condition => ({
    any: [
        { setting, unset: true },
        { setting, in: ["modelopt", other] },
    ],
});

export const quantization: RuleArea = {
    title: "Quantization",
    introduction:
        "Who wrote a checkpoint (its method) decides the flag: ModelOpt's NVFP4 must be named on SM120, all others are found by SGLang itself.",
    rules: [
        {
            id: "nvfp4-quantization-flag",
            verdict: "fix",
            when: { all: [{ method: ["modelopt_fp4"] }, generic("modelopt_mixed")] },
            set: { quantization: "modelopt_fp4" },
            window: { sglang: [{ before: "0.5.10" }, { since: "0.5.11" }] },
            reason: "Only a named quantization is read: left out, 0.5.9 takes the checkpoint for FP8 and refuses it, and later releases pick SM100 kernels.",
            sources: [
                "sglang 0.5.9 srt/layers/quantization/modelopt_quant.py",
                "sglang 0.5.23 srt/arg_groups/overrides.py",
            ],
            confidence: "high",
        },
        {
            id: "mixed-quantization-flag",
            verdict: "fix",
            when: { all: [{ method: ["modelopt_mixed"] }, generic("modelopt_fp4")] },
            set: { quantization: "modelopt_mixed" },
            window: { sglang: [{ since: "0.5.11" }] },
            reason: "Only a named quantization is read on SM120: left out, the experts go to an SM100 kernel.",
            sources: ["sglang 0.5.23 srt/arg_groups/overrides.py"],
            confidence: "high",
        },
        {
            id: "mixed-quantization-unread",
            verdict: "refuse",
            gpu: "any",
            when: { method: ["modelopt_mixed"] },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "This release has no modelopt_mixed: it takes a checkpoint of NVFP4 experts and FP8 layers for another kind (w4afp8).",
            remedy: "Take 0.5.11 or newer, or the checkpoint that is NVFP4 only.",
            sources: ["sglang 0.5.9 srt/configs/model_config.py"],
            confidence: "high",
        },
        {
            id: "quantization-mismatch",
            verdict: "refuse",
            gpu: "any",
            when: mismatch,
            reason: "The named quantization is not the checkpoint's: SGLang compares the two and stops at start.",
            remedy: "Leave it out; the plan names the right one where it must be named.",
            sources: [
                "sglang 0.5.9, 0.5.16 and 0.5.23 srt/configs/model_config.py `_verify_quantization`",
                "sglang 0.5.23 srt/layers/quantization/base_config.py, awq/awq.py, gptq/gptq.py `override_quantization_method`",
            ],
            confidence: "high",
        },
        {
            id: "quantization-without-checkpoint",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { method: ["bf16"] },
                    {
                        setting,
                        in: [
                            "awq",
                            "awq_marlin",
                            "gptq",
                            "gptq_marlin",
                            "compressed-tensors",
                            "modelopt_mixed",
                            "w4afp8",
                        ],
                    },
                ],
            },
            reason: "The checkpoint is not quantized, and this method reads what somebody quantized before: its configuration is not found at load.",
            remedy: "Leave the flag out, or name fp8, which quantizes while loading.",
            sources: [
                "sglang 0.5.16 srt/configs/model_config.py `_get_modelopt_quant_type`",
                "sglang 0.5.23 srt/model_loader/weight_utils.py `get_quant_config`",
            ],
            confidence: "medium",
        },
        {
            id: "mxfp8-experts",
            verdict: "refuse",
            when: { format: ["mxfp8"], of: "experts" },
            reason: "SGLang has MXFP8 experts for compute capability 10 only and stops at load: `MXFP8 MoE quantization requires SM100`.",
            remedy: "Use an FP8 or NVFP4 checkpoint of the model.",
            sources: [
                "sglang 0.5.9 to 0.5.23 srt/layers/quantization/fp8.py `_process_mxfp8_moe_weights`",
                "kvcache-ai/ktransformers#2058",
                "kvcache-ai/ktransformers#2081",
            ],
            confidence: "high",
        },
        {
            id: "mxfp8-dense",
            verdict: "refuse",
            when: { format: ["mxfp8"] },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "This release has MXFP8 layers for compute capability 10 only: `MXFP8 dense linear requires Blackwell GPUs (SM100+)`.",
            remedy: "Take a newer release, or an FP8 checkpoint.",
            sources: ["sglang 0.5.9 and 0.5.10 srt/layers/quantization/fp8_utils.py"],
            confidence: "high",
        },
        {
            id: "mxfp8-unread",
            verdict: "refuse",
            gpu: "any",
            when: {
                any: [
                    { all: [{ format: ["mxfp8"] }, { method: ["compressed-tensors"] }] },
                    {
                        all: [
                            { algorithm: ["MXFP8"] },
                            { method: ["mxfp8", "modelopt_fp8"] },
                            { release: { before: "0.5.18" } },
                        ],
                    },
                    {
                        all: [
                            { algorithm: ["MXFP8"] },
                            { method: ["modelopt_mixed"] },
                            { release: { before: "0.5.17" } },
                        ],
                    },
                ],
            },
            reason: "This release does not read MXFP8 in a checkpoint of this method: it takes the layers for FP8 or for 16 bits.",
            remedy: "Take 0.5.18 or newer for ModelOpt's; compressed-tensors' is read by none. An FP8 or NVFP4 checkpoint works.",
            sources: [
                "sglang 0.5.16 and 0.5.18 srt/configs/model_config.py `_parse_modelopt_quant_config`",
                "sglang 0.5.16 and 0.5.17 srt/layers/quantization/modelopt_quant.py `get_quant_method`",
                "sglang 0.5.23 srt/layers/quantization/compressed_tensors/compressed_tensors.py",
            ],
            confidence: "high",
        },
        {
            id: "layer-algorithm-unread",
            verdict: "refuse",
            gpu: "any",
            when: {
                any: [
                    { all: [{ algorithm: ["W4A16_NVFP4"] }, { release: { before: "0.5.15" } }] },
                    {
                        all: [
                            { method: ["modelopt_mixed"] },
                            { algorithm: ["FP8_PB_WO", "FP8_BLOCK_SCALES"] },
                            { release: { before: "0.5.21" } },
                        ],
                    },
                    { all: [{ algorithm: ["EXPERTS_NVFP4"] }, { release: { before: "0.5.14" } }] },
                    { all: [{ algorithm: ["EXPERTS_MXFP4"] }, { release: { before: "0.5.19" } }] },
                ],
            },
            reason: "This release does not know how some layers of the checkpoint are stored, and loads them as something else.",
            remedy: "Take a newer release: W4A16_NVFP4 is read from 0.5.15, block FP8 in a mixed checkpoint from 0.5.21, NVFP4 experts under method fp8 from 0.5.14, MXFP4 ones from 0.5.19.",
            sources: [
                "sglang 0.5.14, 0.5.15, 0.5.20 and 0.5.21 srt/layers/quantization/modelopt_quant.py",
                "sglang 0.5.13, 0.5.14, 0.5.18 and 0.5.19 srt/configs/model_config.py",
            ],
            confidence: "high",
        },
        {
            id: "nvfp4-weight-only-unread",
            verdict: "warn",
            gpu: "any",
            when: { algorithm: ["NVFP4A16"] },
            window: { sglang: [{ before: "0.5.22" }] },
            reason: "compressed-tensors with NVFP4 weights and 16-bit activations has code of its own from 0.5.22 on; before, it may not load.",
            remedy: "Take 0.5.22 or newer.",
            sources: ["sglang 0.5.21 and 0.5.22 srt/layers/quantization/compressed_tensors/compressed_tensors.py"],
            confidence: "medium",
            detectedBy: "gate",
        },
        {
            id: "quantized-head-unread",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    quantizedHead,
                    {
                        any: [
                            { all: [{ method: ["compressed-tensors"] }, { release: { before: "0.5.19" } }] },
                            { all: [modelopt, { release: { before: "0.5.15" } }] },
                        ],
                    },
                ],
            },
            reason: "The checkpoint's output embedding (`lm_head`) is quantized, and this release reads it as 16 bits, without its scales.",
            remedy: "Take 0.5.19 or newer (0.5.15 for ModelOpt), or a checkpoint that leaves lm_head alone.",
            sources: [
                "sglang 0.5.18 and 0.5.19 srt/layers/quantization/compressed_tensors/compressed_tensors.py `ParallelLMHead`",
                "sglang 0.5.14 and 0.5.15 srt/layers/quantization/modelopt_quant.py `ParallelLMHead`",
            ],
            confidence: "medium",
        },
        {
            id: "w4afp8-hopper",
            verdict: "warn",
            when: { method: ["w4afp8"] },
            reason: "INT4 experts with FP8 activations (W4AFP8) have kernels for Hopper; nobody has shown them on SM120.",
            sources: ["sglang 0.5.23 srt/layers/quantization/w4afp8.py", "unverified"],
            confidence: "low",
            detectedBy: "gate",
        },
        {
            id: "nvfp4-online",
            verdict: "refuse",
            when: { setting, in: ["nvfp4_online"] },
            reason: "Quantizing to NVFP4 while loading is for compute capability 10 only; SGLang stops at start.",
            remedy: "Use an NVFP4 checkpoint.",
            sources: ["sglang 0.5.14 srt/server_args.py", "sglang 0.5.23 srt/arg_groups/overrides.py"],
            confidence: "high",
        },
    ],
};
