import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";

const setting = "moe-runner-backend";

/** The triton_kernels package: named, or what `auto` is for MXFP4 before 0.5.14. */
const tritonKernels: Condition = {
    any: [{ setting, in: ["triton_kernel"] }, { all: [{ setting, unset: true }, { release: { before: "0.5.14" } }] }],
};

export const mxfp4: RuleArea = {
    title: "MXFP4 experts",
    introduction:
        "gpt-oss: SGLang's choice for SM120 was an SM100 kernel, then triton_kernel, marlin, and FlashInfer's CUTLASS from 0.5.17 on.",
    rules: [
        {
            id: "mxfp4-moe-auto",
            verdict: "fix",
            when: {
                all: [
                    { method: ["mxfp4"] },
                    {
                        any: [
                            { setting, unset: true },
                            { setting, in: ["flashinfer_mxfp4"] },
                        ],
                    },
                ],
            },
            set: { [setting]: "triton_kernel" },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "MXFP4 experts go to FlashInfer's SM100-only kernel in this release; later ones name triton_kernel for SM120.",
            sources: ["sglang 0.5.9 and 0.5.10 srt/server_args.py"],
            confidence: "high",
        },
        {
            id: "mxfp4-triton-kernels-missing",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { method: ["mxfp4"] },
                    { placement: "hosts" },
                    { stock: true },
                    { not: { pinned: "triton-kernels" } },
                    { not: { setting, in: ["marlin", "triton"] } },
                ],
            },
            window: { sglang: [{ before: "0.5.14" }] },
            reason: "The runner for MXFP4 experts of this release imports triton_kernels, which only the official image has: no published wheel asks for it, so a build from wheels dies at import.",
            remedy: "Take 0.5.14 or newer.",
            sources: [
                "sgl-project/sglang#19718",
                "sgl-project/sglang#20040",
                "sglang 0.5.9 to 0.5.13 METADATA and srt/layers/quantization/mxfp4.py",
            ],
            confidence: "high",
        },
        {
            id: "mxfp4-swizzle",
            verdict: "refuse",
            when: { all: [{ method: ["mxfp4"] }, { not: { setting, in: ["marlin", "triton"] } }] },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "This release lays MXFP4 weights out for compute capability 9 or 10 only (`_swizzle_mxfp4` has no SM120 branch).",
            remedy: "Take 0.5.14 or newer.",
            sources: ["sglang 0.5.9 srt/layers/quantization/mxfp4.py", "sgl-project/sglang#19718"],
            confidence: "medium",
        },
        {
            id: "mxfp4-moe-flashinfer",
            verdict: "fix",
            when: { all: [{ method: ["mxfp4"] }, { setting, in: ["flashinfer_mxfp4"] }] },
            set: { [setting]: null },
            window: { sglang: [{ since: "0.5.10", before: "0.5.17" }] },
            reason: "flashinfer_mxfp4 is an SM100-only kernel until 0.5.17; left out, SGLang itself takes triton_kernel or marlin on SM120.",
            sources: ["sglang 0.5.12 srt/server_args.py", "sglang 0.5.16 and 0.5.17 srt/arg_groups/overrides.py"],
            confidence: "high",
        },
        {
            id: "mxfp4-triton-experts",
            verdict: "refuse",
            when: { all: [{ method: ["mxfp4"] }, { count: "expert", above: 1 }, tritonKernels] },
            reason: "The runner triton_kernel takes no expert parallelism; SGLang stops at start.",
            remedy: "Set parallelism.expert to 1.",
            sources: ["sglang 0.5.13 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "mxfp4-triton-kernels-driver",
            verdict: "warn",
            when: {
                all: [{ method: ["mxfp4"] }, tritonKernels],
            },
            window: { driver: [{ since: "595" }] },
            reason: "The triton_kernels package is known to segfault on Blackwell (B200) with driver 595 and newer; SM120 is not tried.",
            sources: ["sglang 0.5.12 srt/server_args.py"],
            confidence: "medium",
            detectedBy: "gate",
        },
    ],
};
