import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";
import { modeloptFp4, nvfp4Experts } from "./shared.ts";

const setting = "moe-runner-backend";
const sm100Runners = ["flashinfer_trtllm", "flashinfer_trtllm_routed", "flashinfer_cutedsl", "experimental_sgl_trtllm"];
/** FlashInfer's CUTLASS runner: named, or what `auto` becomes with a named quantization. */
const cutlassRunner: Condition = {
    any: [
        { setting, in: ["flashinfer_cutlass"] },
        {
            all: [
                { setting, unset: true },
                { setting: "quantization", in: ["modelopt_fp4"] },
                { release: { since: "0.5.13" } },
            ],
        },
    ],
};
/** Whether experts run on it: compressed-tensors takes it by itself from 0.5.16 on. */
const runsCutlass: Condition = {
    any: [
        cutlassRunner,
        {
            all: [{ method: ["compressed-tensors"] }, { setting, unset: true }, { release: { since: "0.5.16" } }],
        },
    ],
};
const foreignRunners = ["aiter", "hpc_ops", "intel_xpu", "megamoe", "flashinfer_megamoe"];

export const moe: RuleArea = {
    title: "Mixture of experts",
    introduction:
        "The NVFP4 MoE runner and the quantization flag go together: with either left out, several releases end at a kernel for SM100 only.",
    rules: [
        {
            id: "nvfp4-moe-auto",
            verdict: "fix",
            when: {
                all: [
                    nvfp4Experts,
                    modeloptFp4,
                    { setting, unset: true },
                    {
                        any: [
                            { setting: "quantization", unset: true },
                            { setting: "quantization", in: ["modelopt", "modelopt_mixed"] },
                            {
                                all: [
                                    { setting: "quantization", in: ["modelopt_fp4"] },
                                    { release: { before: "0.5.13" } },
                                ],
                            },
                        ],
                    },
                ],
            },
            set: { [setting]: "flashinfer_cutlass" },
            window: { sglang: [{ since: "0.5.11" }] },
            reason: "`auto` ends at the SM100-only runner flashinfer_trtllm: always in 0.5.11 and 0.5.12, later when --quantization is left out or is modelopt_mixed.",
            sources: [
                "sglang 0.5.12 srt/layers/quantization/modelopt_quant.py",
                "sglang 0.5.23 srt/arg_groups/overrides.py",
            ],
            confidence: "high",
        },
        {
            id: "moe-sm100-runner",
            verdict: "refuse",
            when: { setting: [setting, "speculative-moe-runner-backend"], in: sm100Runners },
            reason: "This MoE runner is a kernel for compute capability 10 only; no release refuses it before it crashes or corrupts text.",
            remedy: "Leave the runner out, or name flashinfer_cutlass for NVFP4 and triton for FP8.",
            sources: [
                "sgl-project/sglang#32229",
                "sgl-project/sglang#26324",
                "sglang 0.5.23 srt/layers/quantization/modelopt_quant.py",
            ],
            confidence: "medium",
        },
        {
            id: "moe-deepgemm",
            verdict: "fix",
            when: { all: [nvfp4Experts, { setting, in: ["deep_gemm"] }] },
            set: { [setting]: "flashinfer_cutlass" },
            reason: "DeepGEMM reads NVFP4 scales as UE8M0 on Blackwell: NaN in every output while the server looks healthy.",
            sources: ["sgl-project/sglang#19948"],
            confidence: "high",
            detectedBy: "gate",
        },
        {
            id: "moe-deepgemm-fp8",
            verdict: "fix",
            when: { all: [{ not: nvfp4Experts }, { setting, in: ["deep_gemm"] }] },
            set: { [setting]: null },
            window: { sglang: [{ before: "0.5.20" }] },
            reason: "DeepGEMM has no SM120 kernels in this release (`Unsupported architecture`); left out, SGLang takes a runner that has.",
            sources: [
                "deepseek-ai/DeepGEMM#305",
                "deepseek-ai/DeepGEMM#318",
                "sglang 0.5.19 srt/layers/deep_gemm_wrapper/configurer.py",
            ],
            confidence: "high",
            contradicted: {
                statement: "DeepGEMM gained SM120 kernels in 2026; SGLang probes for them from 0.5.20 on.",
                sources: ["deepseek-ai/DeepGEMM#324", "sgl-project/sglang#39482"],
            },
        },
        {
            id: "fp8-moe-auto",
            verdict: "fix",
            when: {
                all: [
                    { format: ["fp8"], of: "experts" },
                    { setting, unset: true },
                ],
            },
            set: { [setting]: "triton" },
            window: { sglang: [{ before: "0.5.10" }] },
            reason: "FP8 experts crash at load with this release's own choice on RTX PRO 6000 (DeepGEMM, CUTLASS); Triton works.",
            sources: ["sgl-project/sglang#18870"],
            confidence: "high",
        },
        {
            id: "fp8-moe-untuned",
            verdict: "warn",
            when: { all: [{ format: ["fp8"], of: "experts" }, { predicate: "no-tuned-moe-file" }] },
            reason: "SGLang ships no tuned FP8 MoE configuration under this card's product name, so the Triton kernel is slow and may ask for more shared memory than SM120 has (99 KB).",
            remedy: "Tune it on the card and put the file under its exact name: Server, Workstation and Max-Q differ.",
            sources: [
                "sgl-project/sglang#18870",
                "sgl-project/sglang#8513",
                "sglang 0.5.23 srt/layers/moe (configuration files)",
            ],
            confidence: "high",
        },
        {
            id: "nvfp4-moe-cutlass",
            verdict: "fix",
            when: { all: [nvfp4Experts, modeloptFp4, { setting, in: ["cutlass"] }] },
            set: { [setting]: "flashinfer_cutlass" },
            window: { sglang: [{ since: "0.5.11", before: "0.5.15" }, { since: "0.5.16" }] },
            reason: "SGLang refuses the runner cutlass for NVFP4 experts at load in this release, and itself names flashinfer_cutlass instead.",
            sources: ["sglang 0.5.12 and 0.5.16 srt/layers/quantization/modelopt_quant.py"],
            confidence: "high",
        },
        {
            id: "moe-cutlass-experts",
            verdict: "refuse",
            when: { all: [cutlassRunner, { predicate: "expert-size-between" }] },
            reason: "With the runner flashinfer_cutlass, which is SGLang's own for NVFP4 from 0.5.13 on, the expert parallel size must be 1 or the tensor parallel size; SGLang stops at start.",
            remedy: "Set parallelism.expert to 1, which is also faster over PCIe.",
            sources: ["sglang 0.5.23 srt/arg_groups/moe_hook.py"],
            confidence: "high",
        },
        {
            id: "moe-cutlass-quantization",
            verdict: "refuse",
            when: {
                all: [
                    { setting, in: ["flashinfer_cutlass"] },
                    { setting: "quantization", notIn: ["modelopt_fp4", "modelopt_fp8", "modelopt_mixed"] },
                ],
            },
            reason: "The runner flashinfer_cutlass takes modelopt_fp4, modelopt_fp8, modelopt_mixed or unquantized experts only; SGLang stops at start.",
            sources: ["sglang 0.5.23 srt/arg_groups/moe_hook.py"],
            confidence: "high",
        },
        {
            id: "moe-cutlass-race",
            verdict: "warn",
            when: { all: [nvfp4Experts, runsCutlass] },
            window: { flashinfer: [{ before: "0.6.8" }] },
            reason: "FlashInfer's fused CUTLASS MoE races on SM12x before 0.6.8: random illegal instructions under load, more with longer context.",
            remedy: "Pin FlashInfer 0.6.11 or newer in build.versions, or take a newer release.",
            sources: ["flashinfer-ai/flashinfer#2913"],
            confidence: "high",
            detectedBy: "gate",
        },
        {
            id: "moe-old-cuda",
            verdict: "warn",
            when: { all: [nvfp4Experts, runsCutlass] },
            window: { cuda: [{ before: "13.0" }] },
            reason: "CUTLASS grouped GEMM compiled for compute_120 with CUDA 12 gave garbage or was very slow in one report.",
            remedy: "Use a CUDA 13 toolkit, which compiles for compute_120f.",
            sources: ["NVIDIA/cutlass#3096", "flashinfer-ai/flashinfer#2723"],
            confidence: "medium",
            contradicted: {
                statement: "The report is from WSL2; flashinfer_cutlass served GLM-5 and Qwen3.5 on Linux.",
                sources: ["local-inference-lab/rtx6kpro"],
            },
            detectedBy: "gate",
        },
        {
            id: "moe-foreign-runner",
            verdict: "refuse",
            when: { setting: [setting, "speculative-moe-runner-backend"], in: foreignRunners },
            reason: "This MoE runner is for other hardware: AMD, Intel, Hopper, or the large shared memory of compute capability 10.",
            remedy: "Leave the runner out, or name flashinfer_cutlass for NVFP4 and triton for FP8.",
            sources: ["sglang 0.5.23 srt/layers/moe/moe_runner", "unverified"],
            confidence: "medium",
        },
        {
            id: "experts-over-pcie",
            verdict: "warn",
            when: { all: [{ count: "expert", above: 1 }, { predicate: "pcie-only" }] },
            reason: "Expert parallelism over PCIe is reported to break throughput on this card.",
            sources: ["local-inference-lab/rtx6kpro (qwen35, topology)"],
            confidence: "medium",
            contradicted: {
                statement:
                    "350 tokens/s with ep 8 behind PCIe switches and custom patches; tp 4 with ep 4 slightly faster than tp 4 alone at 64 requests.",
                sources: ["local-inference-lab/rtx6kpro", "SemiAnalysisAI/InferenceX"],
            },
        },
        {
            id: "flashinfer-all-to-all",
            verdict: "refuse",
            when: { all: [{ setting: "moe-a2a-backend", in: ["flashinfer"] }, { predicate: "pcie-only" }] },
            reason: "FlashInfer's all-to-all for experts exchanges over NVLink memory, which these cards do not have; most releases also stop at start unless data parallel attention spans all GPUs.",
            remedy: "Leave backends.moeAllToAll out.",
            sources: ["sglang 0.5.16 srt/server_args.py (ran)", "unverified"],
            confidence: "medium",
        },
        {
            id: "b12x-stock",
            verdict: "refuse",
            when: {
                all: [{ stock: true }, { setting: [setting, "fp4-gemm-backend"], in: ["b12x", "flashinfer_b12x"] }],
            },
            reason: "b12x is a backend of community images; no published SGLang has it.",
            remedy: "Leave it out, or say `stock: false` for an image that ships it.",
            sources: [
                "sgl-project/sglang#38170",
                "sgl-project/sglang#38685",
                "sglang 0.5.23 srt/arg_groups/choices.py",
            ],
            confidence: "high",
        },
    ],
};
