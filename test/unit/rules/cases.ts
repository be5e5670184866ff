import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import { fixture, hostFacts, type SpecChanges } from "../service/service-spec.ts";
import { checkpointCases } from "./checkpoint-cases.ts";

/** For one rule: a service that it is about, and the nearest one that it leaves alone. */
export interface RuleCase {
    readonly inside: SpecChanges;
    readonly outside: SpecChanges;
}

const QWEN35 = "nvidia/Qwen3.5-397B-A17B-NVFP4";
const GLM5 = "festr2/GLM-5-NVFP4-MTP";
const GLM5_BARE = "lukealonso/GLM-5-NVFP4";
const GLM52 = "nvidia/GLM-5.2-NVFP4";
const GLM53 = "zai-org/GLM-5.3-Flash";
const KIMI = "nvidia/Kimi-K2.5-NVFP4";
const KIMI_INT4 = "moonshotai/Kimi-K2.5";
const V32 = "nvidia/DeepSeek-V3.2-NVFP4";
const MINIMAX = "lukealonso/MiniMax-M2.5-NVFP4";
const GPT_OSS = "openai/gpt-oss-120b";
const QWEN3 = "nvidia/Qwen3-235B-A22B-NVFP4";

/** Cases that differ in the release only. */
const release = (inside: string, outside: string, changes: SpecChanges): RuleCase => ({
    inside: { ...changes, release: inside },
    outside: { ...changes, release: outside },
});
/** Cases that differ in the typed fields only. */
const fields = (inside: ServiceFields, outside: ServiceFields, changes: SpecChanges = {}): RuleCase => ({
    inside: { ...changes, fields: inside },
    outside: { ...changes, fields: outside },
});
const backends = (
    inside: NonNullable<ServiceFields["backends"]>,
    outside: NonNullable<ServiceFields["backends"]>,
    changes: SpecChanges = {},
): RuleCase => fields({ backends: inside }, { backends: outside }, changes);
const flashinfer = (version: string): SpecChanges => ({ versions: { "flashinfer-python": version } });
const nextn: ServiceFields = { speculative: { algorithm: "NEXTN", steps: 3, eagleTopK: 1, draftTokens: 4 } };
const cutlass: ServiceFields = { backends: { moeRunner: "flashinfer_cutlass" } };
/** NVFP4 experts whose runner SGLang itself chooses, as CUTLASS from 0.5.13 on. */
const namedQuantization: ServiceFields = { backends: { quantization: "modelopt_fp4" } };
const drafts = (steps: number | undefined, eagleTopK: number | undefined): ServiceFields => ({
    speculative: { algorithm: "NEXTN", ...(steps && { steps }), ...(eagleTopK && { eagleTopK }), draftTokens: 4 },
});
const twoHosts: SpecChanges = {
    nodes: ["a", "b"].map((name) => ({ name, facts: hostFacts(), gpus: [0, 1, 2, 3, 4, 5, 6, 7] })),
};

/** A pair for every rule of the table. */
export const cases: Readonly<Record<string, RuleCase>> = {
    ...checkpointCases,
    "fp4-cutlass-race-pinned": {
        inside: { release: "0.5.9", ...flashinfer("0.6.6"), fields: { backends: { fp4Gemm: "flashinfer_cutlass" } } },
        outside: { release: "0.5.9", ...flashinfer("0.6.7"), fields: { backends: { fp4Gemm: "flashinfer_cutlass" } } },
    },
    "fp4-cutlass-race": release("0.5.9", "0.5.13.post1", {}),
    "fp4-cudnn-nan": release("0.5.11", "0.5.12.post1", { fields: { backends: { fp4Gemm: "flashinfer_cudnn" } } }),
    "fp4-all-backends-broken": release("0.5.9", "0.5.10.post1", {}),
    "fp4-sglang-cutlass": release("0.5.15", "0.5.16", { fields: { backends: { fp4Gemm: "cutlass" } } }),
    "fp4-trtllm": backends({ fp4Gemm: "flashinfer_trtllm" }, { fp4Gemm: "flashinfer_cutlass" }),
    "fp4-cutedsl": backends({ fp4Gemm: "flashinfer_cutedsl" }, { fp4Gemm: "flashinfer_cudnn" }),
    "fp8-auto-deepgemm": release("0.5.9", "0.5.10.post1", { repository: "zai-org/GLM-4.7-FP8" }),
    "fp8-not-on-sm120": backends({ fp8Gemm: "flashinfer_trtllm" }, { fp8Gemm: "flashinfer_cutlass" }),
    "fp8-deepgemm": release("0.5.19", "0.5.20", { fields: { backends: { fp8Gemm: "deep_gemm" } } }),
    "deepgemm-unproven": release("0.5.20", "0.5.19", { fields: { backends: { fp8Gemm: "deep_gemm" } } }),
    "deepgemm-jit-off": release("0.5.12.post1", "0.5.13.post1", {}),
    "nvfp4-moe-auto": release("0.5.12.post1", "0.5.13.post1", {
        fields: { backends: { quantization: "modelopt_fp4" } },
    }),
    "nvfp4-quantization-flag": release("0.5.9", "0.5.10.post1", {}),
    "mixed-quantization-flag": release("0.5.11", "0.5.10.post1", { repository: "nvidia/Qwen3.5-397B-A17B-NVFP4-V2" }),
    "mixed-quantization-unread": release("0.5.9", "0.5.10.post1", {
        repository: "nvidia/Qwen3.5-397B-A17B-NVFP4-V2",
    }),
    "moe-sm100-runner": backends({ moeRunner: "flashinfer_trtllm" }, { moeRunner: "flashinfer_cutlass" }),
    "moe-deepgemm": backends({ moeRunner: "deep_gemm" }, { moeRunner: "flashinfer_cutlass" }),
    "moe-deepgemm-fp8": release("0.5.19", "0.5.20", {
        repository: "zai-org/GLM-4.7-FP8",
        fields: { backends: { moeRunner: "deep_gemm" } },
    }),
    "fp8-moe-auto": release("0.5.9", "0.5.10.post1", { repository: "zai-org/GLM-4.7-FP8" }),
    "fp8-moe-untuned": {
        inside: { repository: "zai-org/GLM-4.7-FP8" },
        outside: {
            repository: "zai-org/GLM-4.7-FP8",
            facts: hostFacts({
                gpu: { name: "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", powerLimitWatts: 300 },
            }),
        },
    },
    "nvfp4-moe-cutlass": release("0.5.14", "0.5.15.post1", { fields: { backends: { moeRunner: "cutlass" } } }),
    "moe-cutlass-experts": fields(
        { ...cutlass, parallelism: { expert: 2 } },
        { ...cutlass, parallelism: { expert: 8 } },
        { repository: KIMI },
    ),
    "moe-cutlass-quantization": backends(
        { moeRunner: "flashinfer_cutlass", quantization: "fp8" },
        { moeRunner: "flashinfer_cutlass", quantization: "modelopt_fp8" },
        { repository: "zai-org/GLM-4.7-FP8" },
    ),
    "moe-cutlass-race": {
        inside: { release: "0.5.16", ...flashinfer("0.6.7.post3"), fields: namedQuantization },
        outside: { release: "0.5.16", ...flashinfer("0.6.8"), fields: namedQuantization },
    },
    "moe-old-cuda": {
        inside: {
            fields: namedQuantization,
            facts: hostFacts({ toolkit: { path: "/usr/local/cuda", version: "12.9" } }),
        },
        outside: {
            fields: namedQuantization,
            facts: hostFacts({ toolkit: { path: "/usr/local/cuda", version: "13.0" } }),
        },
    },
    "moe-foreign-runner": backends({ moeRunner: "hpc_ops" }, { moeRunner: "marlin" }, { release: "0.5.23" }),
    "quantization-mismatch": {
        inside: { repository: GPT_OSS, fields: { backends: { quantization: "modelopt_fp4" } } },
        outside: { repository: GPT_OSS, fields: { backends: { quantization: "mxfp4" } } },
    },
    "nvfp4-online": backends(
        { quantization: "nvfp4_online" },
        { quantization: "fp8" },
        { repository: "zai-org/GLM-4.7-FP8" },
    ),
    "attention-foreign": backends({ attention: "intel_xpu" }, { attention: "triton" }),
    "four-bit-cache-attention": release("0.5.20", "0.5.21", { fields: { kvCache: { dtype: "nvfp4" } } }),
    "four-bit-cache-latent-attention": release("0.5.20", "0.5.21", {
        repository: KIMI,
        fields: { kvCache: { dtype: "nvfp4" } },
    }),
    "nvfp4-cache-triton": release("0.5.21", "0.5.20", {
        fields: { backends: { attention: "triton" }, kvCache: { dtype: "nvfp4" } },
    }),
    "four-bit-cache-unproven": fields({ kvCache: { dtype: "nvfp4" } }, { kvCache: { dtype: "fp8_e4m3" } }),
    "experts-over-pcie": fields({ parallelism: { expert: 8 } }, { parallelism: { expert: 1 } }, { repository: KIMI }),
    "mxfp4-moe-auto": release("0.5.9", "0.5.10.post1", { repository: GPT_OSS }),
    "mxfp4-moe-flashinfer": release("0.5.16", "0.5.17", {
        repository: GPT_OSS,
        fields: { backends: { moeRunner: "flashinfer_mxfp4" } },
    }),
    "mxfp4-triton-kernels-missing": release("0.5.13.post1", "0.5.14", { repository: GPT_OSS }),
    "mxfp4-swizzle": release("0.5.9", "0.5.10.post1", { repository: GPT_OSS }),
    "mxfp4-triton-experts": release("0.5.13.post1", "0.5.14", {
        repository: GPT_OSS,
        fields: { parallelism: { expert: 2 } },
    }),
    "mxfp4-triton-kernels-driver": {
        inside: { release: "0.5.13.post1", repository: GPT_OSS, facts: hostFacts({ driver: "595.58.03" }) },
        outside: { release: "0.5.13.post1", repository: GPT_OSS, facts: hostFacts({ driver: "590.48.01" }) },
    },
    "b12x-stock": {
        inside: { fields: { backends: { fp4Gemm: "b12x" } } },
        outside: { stock: false, fields: { backends: { fp4Gemm: "b12x" } } },
    },
    "trtllm-mla": backends({ attention: "trtllm_mla" }, { attention: "triton" }, { repository: KIMI }),
    "flashmla-hopper": backends({ attention: "flashmla" }, { attention: "flashinfer" }, { repository: KIMI }),
    "trtllm-mha-mla-model": {
        inside: { repository: KIMI, fields: { backends: { attention: "trtllm_mha" } } },
        outside: { repository: QWEN3, fields: { backends: { attention: "trtllm_mha" } } },
    },
    "trtllm-mha-prefill": release("0.5.18", "0.5.19", { fields: { backends: { attention: "trtllm_mha" } } }),
    "trtllm-mha-decode": release("0.5.9", "0.5.10.post1", { fields: { backends: { decodeAttention: "trtllm_mha" } } }),
    "trtllm-mha-fp8-cache": fields(
        { backends: { attention: "trtllm_mha" }, kvCache: { dtype: "fp8_e4m3" } },
        { backends: { attention: "trtllm_mha" }, kvCache: { dtype: "bfloat16" } },
    ),
    "trtllm-mha-calibrated-cache": {
        inside: { repository: QWEN35, fields: { backends: { attention: "trtllm_mha" } } },
        outside: { repository: MINIMAX, fields: { backends: { attention: "trtllm_mha" } } },
    },
    fa3: backends({ attention: "fa3" }, { attention: "flashinfer" }),
    "fa4-without-sm120": release("0.5.17", "0.5.18", { fields: { backends: { attention: "fa4" } } }),
    "fa4-hybrid": {
        inside: { repository: QWEN35, fields: { backends: { attention: "fa4" } } },
        outside: { repository: QWEN35, fields: { backends: { attention: "flashinfer" } } },
    },
    "fa4-unproven": release("0.5.18", "0.5.17", { fields: { backends: { attention: "fa4" } } }),
    "picture-attention": backends(
        { multimodalAttention: "fa4" },
        { multimodalAttention: "sdpa" },
        { repository: KIMI },
    ),
    "gpt-oss-split-attention": backends(
        { decodeAttention: "triton" },
        { attention: "triton", decodeAttention: "triton" },
        { repository: GPT_OSS },
    ),
    "gpt-oss-attention": backends({ attention: "flashinfer" }, { attention: "triton" }, { repository: GPT_OSS }),
    "dsa-no-sm120-kernels": release("0.5.12.post1", "0.5.13.post1", { repository: GLM5 }),
    "dsa-dense-instead": release("0.5.16", "0.5.17", { repository: GLM5 }),
    "glm-sparse-mla": {
        inside: { repository: GLM5, fields: { kvCache: { dtype: "bfloat16" } } },
        outside: { repository: GLM5, fields: { kvCache: { dtype: "fp8_e4m3" } } },
    },
    "glm-sparse-mla-unproven": release("0.5.17", "0.5.16", { repository: GLM5 }),
    "dsa-deterministic": {
        inside: { repository: GLM5, fields: { extraArgs: { "enable-deterministic-inference": true } } },
        outside: {
            repository: GLM5,
            fields: { backends: { attention: "triton" }, extraArgs: { "enable-deterministic-inference": true } },
        },
    },
    "dsa-dense-cache": {
        inside: { repository: GLM5, fields: { backends: { attention: "flashinfer" }, kvCache: { dtype: "fp8_e4m3" } } },
        outside: {
            repository: KIMI,
            fields: { backends: { attention: "flashinfer" }, kvCache: { dtype: "fp8_e4m3" } },
        },
    },
    "glm-5.3-flash-tilelang": {
        inside: { repository: GLM53, fields: { backends: { sparsePrefill: "flashmla_sparse" } } },
        outside: {
            repository: GLM53,
            fields: {
                backends: { sparsePrefill: "tilelang", sparseDecode: "tilelang" },
                kvCache: { dtype: "bfloat16" },
                environment: { SGLANG_OPT_DEEPGEMM_HC_PRENORM: "0" },
            },
        },
    },
    "glm-5.3-flash-tiles": { inside: { repository: GLM53 }, outside: { repository: GLM53, stock: false } },
    "int4-fp8-cache": {
        inside: { repository: KIMI_INT4, fields: { kvCache: { dtype: "fp8_e4m3" } } },
        outside: { repository: KIMI_INT4, fields: { kvCache: { dtype: "bfloat16" } } },
    },
    "hierarchical-without-radix": fields(
        { kvCache: { hierarchical: { sizeGb: 8 }, radixCache: false } },
        { kvCache: { hierarchical: { sizeGb: 8 } } },
    ),
    "gdn-attention-auto": release("0.5.9", "0.5.10.post1", { repository: QWEN35 }),
    "gdn-attention": backends({ attention: "torch_native" }, { attention: "flashinfer" }, { repository: QWEN35 }),
    "gdn-speculative-radix": release("0.5.13.post1", "0.5.14", { repository: QWEN35, fields: nextn }),
    "gdn-no-buffer-overlap": release("0.5.14", "0.5.13.post1", {
        repository: QWEN35,
        fields: { kvCache: { mambaRadixStrategy: "no_buffer" } },
    }),
    "gdn-no-buffer-pages": fields(
        { kvCache: { mambaRadixStrategy: "no_buffer", pageSize: 64 } },
        { kvCache: { mambaRadixStrategy: "no_buffer", pageSize: 1 } },
        { repository: QWEN35 },
    ),
    "gdn-extra-buffer-without-radix": release("0.5.13.post1", "0.5.14", {
        repository: QWEN35,
        fields: { kvCache: { mambaRadixStrategy: "extra_buffer", radixCache: false } },
    }),
    "linear-attention-flashinfer-state": fields(
        { backends: { linearAttention: "flashinfer" } },
        { backends: { linearAttention: "flashinfer" }, kvCache: { mambaStateDtype: "bfloat16" } },
        { repository: QWEN35 },
    ),
    "linear-attention-flashinfer-cuda": {
        inside: {
            repository: QWEN35,
            facts: hostFacts({ toolkit: { path: "/usr/local/cuda", version: "12.9" } }),
            fields: { backends: { linearAttentionPrefill: "flashinfer" } },
        },
        outside: { repository: QWEN35, fields: { backends: { linearAttentionPrefill: "flashinfer" } } },
    },
    "linear-attention-flashinfer-buffer": release("0.5.10.post1", "0.5.11", {
        repository: QWEN35,
        fields: { backends: { linearAttention: "flashinfer" }, kvCache: { mambaStateDtype: "bfloat16" } },
    }),
    "mtp-without-weights": {
        inside: { repository: GLM5_BARE, fields: nextn },
        outside: { repository: GLM5, fields: nextn },
    },
    "mtp-weights-unverified": {
        inside: { repository: "nvidia/GLM-5-NVFP4", fields: nextn },
        outside: { repository: GLM5, fields: nextn },
    },
    "spec-v2-needed": release("0.5.10.post1", "0.5.11", { repository: GLM5, fields: nextn }),
    "spec-v2-chain": {
        inside: { release: "0.5.10.post1", repository: QWEN35, fields: drafts(3, 4) },
        outside: { release: "0.5.11", repository: QWEN35, fields: drafts(3, 4) },
    },
    "speculative-tree-attention": fields(drafts(3, 4), drafts(3, 1), { repository: GLM5 }),
    "ngram-paged-model": {
        inside: { repository: GLM5, fields: { speculative: { algorithm: "NGRAM", draftTokens: 8 } } },
        outside: { repository: KIMI, fields: { speculative: { algorithm: "NGRAM", draftTokens: 8 } } },
    },
    "gdn-ngram-radix": release("0.5.13.post1", "0.5.14", {
        repository: QWEN35,
        fields: { speculative: { algorithm: "NGRAM", draftTokens: 8 } },
    }),
    "state-strategy-without-state": release("0.5.21", "0.5.20", {
        fields: { kvCache: { mambaRadixStrategy: "extra_buffer" } },
    }),
    "flashinfer-all-to-all": backends({ moeAllToAll: "flashinfer" }, { moeAllToAll: "none" }),
    "two-batch-overlap-alone": fields(
        { extraArgs: { "enable-two-batch-overlap": true } },
        { extraArgs: { "enable-two-batch-overlap": true }, backends: { moeAllToAll: "deepep" } },
    ),
    "draft-model-missing": fields(
        { speculative: { algorithm: "EAGLE3" } },
        { speculative: { algorithm: "EAGLE3", draftModel: "lightseekorg/kimi-k2.5-eagle3" } },
        { repository: KIMI },
    ),
    "speculative-incomplete": fields(drafts(3, undefined), drafts(3, 1), { repository: QWEN35 }),
    "spec-v2-stale": release("0.5.14", "0.5.13.post1", { fields: { environment: { SGLANG_ENABLE_SPEC_V2: "True" } } }),
    "eagle-radix-nan": release("0.5.12.post1", "0.5.13.post1", { repository: GLM5, fields: nextn }),
    "eagle-prefix-reuse": release("0.5.16", "0.5.15.post1", { repository: GLM5, fields: nextn }),
    "gdn-draft-tokens": fields({ speculative: { algorithm: "NEXTN", steps: 4, eagleTopK: 1, draftTokens: 5 } }, nextn, {
        repository: QWEN35,
    }),
    "flashinfer-all-reduce-fusion": backends({ flashinferAllReduceFusion: true }, { flashinferAllReduceFusion: false }),
    "custom-all-reduce": {
        inside: { repository: MINIMAX },
        outside: {
            repository: MINIMAX,
            facts: hostFacts({
                count: 2,
                topology: fixture("topology/02-2x-rtxpro6000-ws-phb.txt"),
                p2p: { r: fixture("topology/20b-2x-h200-p2p-r.txt"), w: fixture("topology/20b-2x-h200-p2p-r.txt") },
            }),
        },
    },
    "torch-symmetric-memory": release("0.5.13.post1", "0.5.14", {
        fields: { backends: { torchSymmetricMemory: true } },
    }),
    "torch-symmetric-memory-idle": release("0.5.14", "0.5.13.post1", {
        fields: { backends: { torchSymmetricMemory: true } },
    }),
    "nccl-nvls": {
        inside: { fields: { extraArgs: { "enable-nccl-nvls": true } } },
        outside: {
            fields: { extraArgs: { "enable-nccl-nvls": true } },
            facts: hostFacts({ topology: fixture("topology/07-8x-b300-nv18-9nic-ansi.txt") }),
        },
    },
    "pcie-one-shot-stock": {
        inside: { fields: { extraArgs: { "enable-pcie-oneshot-allreduce": true } } },
        outside: { stock: false, fields: { extraArgs: { "enable-pcie-oneshot-allreduce": true } } },
    },
    "pcie-one-shot-expandable-segments": {
        inside: {
            stock: false,
            fields: {
                extraArgs: { "enable-pcie-oneshot-allreduce": true },
                environment: { PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" },
            },
        },
        outside: { stock: false, fields: { environment: { PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" } } },
    },
    "pcie-one-shot-unforced": {
        inside: { stock: false, fields: { extraArgs: { "enable-pcie-oneshot-allreduce": true } } },
        outside: { stock: false },
    },
    "gpus-left-idle": fields({ parallelism: { tensor: 4 } }, { parallelism: { tensor: 4, data: 2 } }),
    "data-parallel-across-hosts": fields(
        { parallelism: { tensor: 8, data: 2 } },
        { parallelism: { tensor: 16, data: 2, dataParallelAttention: true } },
        { ...twoHosts, repository: KIMI },
    ),
    "pipeline-speculative": {
        inside: { repository: GLM5, fields: { ...nextn, parallelism: { tensor: 4, pipeline: 2 } } },
        outside: {
            repository: GLM5,
            fields: {
                ...nextn,
                parallelism: { tensor: 4, pipeline: 2 },
                environment: { SGLANG_ENABLE_PP_SPEC: "1" },
            },
        },
    },
    "chunk-not-pages": fields(
        { scheduling: { chunkedPrefillSize: 8190 } },
        { scheduling: { chunkedPrefillSize: 8192 } },
        { repository: GLM5 },
    ),
    "model-not-in-release": release("0.5.8.post1", "0.5.9", { repository: QWEN35 }),
    "transformers-too-old": {
        inside: { release: "0.5.9", repository: MINIMAX },
        outside: { release: "0.5.9", repository: MINIMAX, versions: { transformers: "5.3.0" } },
    },
    "transformers-below-recipe": release("0.5.10.post1", "0.5.11", { repository: GLM5 }),
    "model-unproven": { inside: { repository: V32 }, outside: { repository: QWEN35 } },
    "cudnn-check": release("0.5.9", "0.5.10.post1", { repository: QWEN35 }),
    "context-beyond-model": fields({ scheduling: { contextLength: 40961 } }, { scheduling: { contextLength: 40960 } }),
    "loose-shared-experts": { inside: { repository: GLM52 }, outside: { repository: QWEN35 } },
    "glm-decode-graphs": {
        inside: { repository: GLM52, fields: { backends: { decodeCudaGraphMaxBatchSize: 512 } } },
        outside: { repository: GLM52, fields: { scheduling: { maxRunningRequests: 256 } } },
    },
    "torch-without-sm120": {
        inside: { versions: { torch: "2.6.0", "sglang-kernel": "0.4.0" } },
        outside: { versions: { torch: "2.7.0", "sglang-kernel": "0.4.0" } },
    },
    "torch-without-kernels": {
        inside: { versions: { torch: "2.12.0" } },
        outside: { versions: { torch: "2.12.0", "sglang-kernel": "0.4.5" } },
    },
    "not-sm120": {
        inside: { facts: hostFacts({ gpu: { computeCapability: "9.0", name: "NVIDIA H200" } }) },
        outside: { facts: hostFacts({ gpu: { computeCapability: "12.1" } }) },
    },
    "mixed-gpus": {
        inside: {
            facts: {
                ...hostFacts(),
                gpus: hostFacts().gpus.map((gpu) => (gpu.index < 4 ? gpu : { ...gpu, computeCapability: "8.9" })),
            },
        },
        outside: { facts: hostFacts() },
    },
    "driver-below-cuda-13": {
        inside: { release: "0.5.11", facts: hostFacts({ driver: "575.64.03" }) },
        outside: { release: "0.5.10.post1", facts: hostFacts({ driver: "575.64.03" }) },
    },
    "toolkit-below-sm120": {
        inside: { facts: hostFacts({ toolkit: { path: "/usr/local/cuda", version: "12.6" } }) },
        outside: { facts: hostFacts({ toolkit: { path: "/usr/local/cuda", version: "12.8" } }) },
    },
    "toolkit-below-cuda-13": release("0.5.11", "0.5.10.post1", {
        facts: hostFacts({ toolkit: { path: "/usr/local/cuda-12.8", version: "12.8" } }),
    }),
    wsl2: {
        inside: {
            facts: hostFacts({ os: { id: "ubuntu", version: "24.04", kernel: "5.15.167.4-microsoft-standard-WSL2" } }),
        },
        outside: { facts: hostFacts({ os: { id: "ubuntu", version: "24.04", kernel: "6.8.0-45-generic" } }) },
    },
    "cuda-home-elsewhere": fields(
        { environment: { CUDA_HOME: "/usr/local/cuda-12.8" } },
        { environment: { CUDA_HOME: "/usr/local/cuda-13.0" } },
    ),
    "driver-hang-595.71.05": {
        inside: { facts: hostFacts({ driver: "595.71.05" }) },
        outside: { facts: hostFacts({ driver: "595.71.06" }) },
    },
    "power-below-minimum": {
        inside: { facts: hostFacts({ gpu: { powerLimitWatts: 280 } }) },
        outside: { facts: hostFacts({ gpu: { powerLimitWatts: 300 } }) },
    },
    "power-of-a-circuit": {
        inside: { facts: hostFacts({ gpu: { powerLimitWatts: 600 } }) },
        outside: { facts: hostFacts({ gpu: { powerLimitWatts: 599 } }) },
    },
    "open-without-key": {
        inside: { fields: { launch: "sglang serve --host 0.0.0.0" } },
        outside: { hasApiKey: true, fields: { launch: "sglang serve --host 0.0.0.0" } },
    },
    "served-name-colon": fields({ api: { servedModelName: "qwen3:235b" } }, { api: { servedModelName: "qwen3-235b" } }),
    "nan-hidden": fields(
        { environment: { SGLANG_SANITIZE_NAN_LOGITS: "1" } },
        { environment: { SGLANG_SANITIZE_NAN_LOGITS: "0" } },
    ),
    "slow-load": { inside: { ...twoHosts, repository: KIMI }, outside: { repository: KIMI } },
    "slow-load-storage": { inside: { ...twoHosts, repository: KIMI }, outside: { repository: KIMI } },
    "gpus-by-placement": fields(
        { environment: { CUDA_VISIBLE_DEVICES: "0,1" } },
        { environment: { CUDA_DEVICE_ORDER: "PCI_BUS_ID" } },
    ),
    "hub-cache-read-only": fields({ environment: { HF_HOME: "/models" } }, { environment: { HF_HUB_OFFLINE: "1" } }),
    "pool-shared-memory": { inside: { placement: "pool" }, outside: { placement: "hosts" } },
    "pool-startup-probe": { inside: { placement: "pool" }, outside: { placement: "hosts" } },
};
