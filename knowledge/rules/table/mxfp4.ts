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
