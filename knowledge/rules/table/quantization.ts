import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";

const setting = "quantization";

/** Methods that a release takes for a checkpoint of each kind; any other one stops the start. */
const mismatch: Condition = {
    any: [
        {
            all: [
                { quantization: ["modelopt_fp4", "modelopt_mixed"] },
                { setting, notIn: ["modelopt", "modelopt_fp4", "modelopt_mixed", "petit_nvfp4"] },
            ],
        },
        {
            all: [
                { quantization: ["fp8"] },
                {
                    setting,
                    notIn: [
                        "fp8",
                        "modelopt",
                        "modelopt_fp4",
                        "modelopt_fp8",
                        "w8a8_fp8",
                        "compressed-tensors",
                        "mxfp8",
                        "nvfp4_online",
                    ],
                },
            ],
        },
        { all: [{ quantization: ["fp8"] }, { setting, in: ["modelopt_fp4"] }, { release: { before: "0.5.18" } }] },
        { all: [{ quantization: ["mxfp4"] }, { setting, notIn: ["mxfp4", "quark", "quark_mxfp4"] }] },
    ],
};

export const quantization: RuleArea = {
    title: "Quantization",
    introduction:
        "On SM120 SGLang fills nothing in for the checkpoint: the method must be named, and be the checkpoint's own.",
    rules: [
        {
            id: "nvfp4-quantization-flag",
            verdict: "fix",
            when: { all: [{ quantization: ["modelopt_fp4"] }, { setting: "quantization", unset: true }] },
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
            when: { all: [{ quantization: ["modelopt_mixed"] }, { setting: "quantization", unset: true }] },
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
            when: { quantization: ["modelopt_mixed"] },
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
            sources: ["sglang 0.5.9 and 0.5.23 srt/configs/model_config.py"],
            confidence: "high",
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
