import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";
import { nvfp4 } from "./shared.ts";

const setting = "fp4-gemm-backend";

/** Whether dense NVFP4 layers go through a FlashInfer backend: named, or what `auto` means in that release on SM120. */
const uses = (backend: string, auto: readonly Condition[]): Condition => ({
    any: [{ setting, in: [backend] }, { all: [{ setting, unset: true }, { any: auto }] }],
});

/** `auto` is cutlass in 0.5.9 and from 0.5.13 on, and FlashInfer's own choice before 0.5.9. */
const cutlass = uses("flashinfer_cutlass", [{ release: { before: "0.5.10" } }, { release: { since: "0.5.13" } }]);
const cudnn = uses("flashinfer_cudnn", [
    { release: { before: "0.5.9" } },
    { release: { since: "0.5.10", before: "0.5.13" } },
]);

/** CUTLASS named, and a FlashInfer version with it: neither is the plan's to change. */
const forced: Condition = { all: [{ setting, in: ["flashinfer_cutlass"] }, { pinned: "flashinfer-python" }] };

const cutlassRace = {
    window: { flashinfer: [{ since: "0.5.3", before: "0.6.7" }] },
    reason: "FlashInfer's CUTLASS FP4 GEMM races under concurrency on SM120 (PDL without the GDC flag): NaN rows within a few rounds of 64 requests.",
    sources: [
        "sgl-project/sglang#20047",
        "sgl-project/sglang#20043",
        "flashinfer-ai/flashinfer#2708",
        "flashinfer-ai/flashinfer#2780",
    ],
    confidence: "high",
} as const;

const cudnnNan = {
    window: { flashinfer: [{ since: "0.6.8", before: "0.6.11" }] },
    reason: "FlashInfer's cuDNN FP4 GEMM gives sparse NaN and Inf on SM12x in these FlashInfer versions.",
    sources: ["flashinfer-ai/flashinfer#3192", "flashinfer-ai/flashinfer#3140", "flashinfer-ai/flashinfer#2910"],
    confidence: "high",
    contradicted: {
        statement:
            "cuDNN is commonly advised as the safe backend; that held before FlashInfer 0.6.8 and holds again from 0.6.11.",
        sources: ["sgl-project/sglang#20047"],
    },
} as const;

export const fp4Gemm: RuleArea = {
    title: "Dense FP4 GEMM",
    introduction:
        "Each of the two usable backends was the safe one in some FlashInfer version and gave NaN in another, and `auto` has meant both.",
    rules: [
        {
            id: "fp4-cutlass-race-pinned",
            verdict: "refuse",
            when: { all: [nvfp4, forced] },
            ...cutlassRace,
            remedy: "Pin FlashInfer 0.6.7 or newer, or leave the backend to the plan.",
        },
        {
            id: "fp4-cutlass-race",
            verdict: "fix",
            when: { all: [nvfp4, cutlass, { not: forced }] },
            set: { [setting]: "flashinfer_cudnn" },
            ...cutlassRace,
            detectedBy: "gate",
        },
        {
            id: "fp4-cudnn-nan",
            verdict: "fix",
            when: { all: [nvfp4, cudnn] },
            set: { [setting]: "flashinfer_cutlass" },
            ...cudnnNan,
            detectedBy: "gate",
        },
        {
            id: "fp4-all-backends-broken",
            verdict: "warn",
            when: nvfp4,
            window: { flashinfer: [{ since: "0.6.3", before: "0.6.4" }] },
            reason: "One report has every FP4 GEMM of FlashInfer 0.6.3 failing on this GPU: cuDNN without an execution plan, CUTLASS with zeros.",
            remedy: "Pin a newer cuDNN (9.19 is used elsewhere); the gate catches zeros.",
            sources: ["flashinfer-ai/flashinfer#2577"],
            confidence: "medium",
            contradicted: {
                statement: "cuDNN worked for others in the same months; the cuDNN version is the likely difference.",
                sources: ["sgl-project/sglang#20047", "local-inference-lab/rtx6kpro"],
            },
            detectedBy: "gate",
        },
        {
            id: "fp4-sglang-cutlass",
            verdict: "warn",
            when: { all: [nvfp4, { setting, in: ["cutlass"] }] },
            window: { sglang: [{ before: "0.5.16" }] },
            reason: "SGLang's own CUTLASS FP4 GEMM failed now and then on SM121 (`Error Internal` in nvfp4_scaled_mm_sm120), which ends one rank and hangs the others; 0.5.16 has dropped it.",
            remedy: "Leave the backend out; the plan names the one that is safe with this FlashInfer.",
            sources: ["sgl-project/sglang#32021", "sglang 0.5.15 and 0.5.16 option tables"],
            confidence: "medium",
            detectedBy: "gate",
        },
        {
            id: "fp4-trtllm",
            verdict: "refuse",
            when: { setting, in: ["flashinfer_trtllm"] },
            reason: "FlashInfer's TRT-LLM FP4 GEMM exists for compute capability 10 only, and SGLang does not refuse it before a kernel runs.",
            remedy: "Leave the backend out; the plan names the one that is safe with this FlashInfer.",
            sources: ["sgl-project/sglang#35739", "sgl-project/sglang#30705", "flashinfer-ai/flashinfer#2577"],
            confidence: "high",
        },
        {
            id: "fp4-cutedsl",
            verdict: "refuse",
            when: { setting, in: ["flashinfer_cutedsl"] },
            reason: "The CuTe DSL FP4 GEMM is SGLang's choice for compute capability 10 and is rejected on SM120.",
            remedy: "Leave the backend out; the plan names the one that is safe with this FlashInfer.",
            sources: ["vllm-project/vllm#51783", "sglang/srt/layers/quantization/fp4_utils.py"],
            confidence: "high",
            contradicted: {
                statement: "FlashInfer 0.7.2 lists 12.0 and 12.1 for it; no run on the hardware is known.",
                sources: ["flashinfer 0.7.2 gemm_base.py"],
            },
        },
    ],
};
