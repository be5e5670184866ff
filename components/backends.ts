/**
 * Backends that can be right on SM120 in some release. Which of them is right in yours, the rules say at preview.
 *
 * Left out are those that no release runs on compute capability 12.0, such as the FP4 GEMM `flashinfer_trtllm`
 * (flashinfer-ai/flashinfer#2577).
 */

/** Dense NVFP4 matrix multiplication. */
export const Fp4GemmBackend = {
    /** NaN under concurrency with FlashInfer 0.5.3 to 0.6.6 (flashinfer-ai/flashinfer#2780). */
    FlashinferCutlass: "flashinfer_cutlass",
    /** Sparse NaN with FlashInfer 0.6.8 to 0.6.10 (flashinfer-ai/flashinfer#3192). */
    FlashinferCudnn: "flashinfer_cudnn",
    /** SGLang's own kernel; SGLang 0.5.10 to 0.5.15. */
    Cutlass: "cutlass",
    /** Weight-only; SGLang 0.5.13 and later. */
    Marlin: "marlin",
} as const;
/** See {@link Fp4GemmBackend}. */
export type Fp4GemmBackend = (typeof Fp4GemmBackend)[keyof typeof Fp4GemmBackend];

/** Dense FP8 matrix multiplication. */
export const Fp8GemmBackend = {
    /** SGLang's CUTLASS kernel. */
    Cutlass: "cutlass",
    /** Triton. */
    Triton: "triton",
    /** FlashInfer's CUTLASS kernel; SGLang 0.5.10 and later. */
    FlashinferCutlass: "flashinfer_cutlass",
} as const;
/** See {@link Fp8GemmBackend}. */
export type Fp8GemmBackend = (typeof Fp8GemmBackend)[keyof typeof Fp8GemmBackend];

/** Kernels of the mixture-of-experts layers. */
export const MoeRunnerBackend = {
    /** FlashInfer's fused CUTLASS kernel: the one for NVFP4 experts. */
    FlashinferCutlass: "flashinfer_cutlass",
    /** SGLang's CUTLASS kernel. */
    Cutlass: "cutlass",
    /** Triton. */
    Triton: "triton",
    /** Triton kernels for MXFP4 experts. */
    TritonKernel: "triton_kernel",
    /** FlashInfer's MXFP4 kernel. */
    FlashinferMxfp4: "flashinfer_mxfp4",
    /** Weight-only. */
    Marlin: "marlin",
} as const;
/** See {@link MoeRunnerBackend}. */
export type MoeRunnerBackend = (typeof MoeRunnerBackend)[keyof typeof MoeRunnerBackend];

/** Attention kernels. */
export const AttentionBackend = {
    /** FlashInfer. */
    Flashinfer: "flashinfer",
    /** Triton. */
    Triton: "triton",
    /** TensorRT-LLM kernels for multi-head attention; prefill on SM120 from SGLang 0.5.19. */
    TrtllmMha: "trtllm_mha",
    /** DeepSeek sparse attention, as SGLang 0.5.13 and later name it. */
    Dsa: "dsa",
    /** The older name of `dsa`. */
    Nsa: "nsa",
} as const;
/** See {@link AttentionBackend}. */
export type AttentionBackend = (typeof AttentionBackend)[keyof typeof AttentionBackend];

/** Kernels of sparse attention in models such as GLM-5. */
export const SparseAttentionBackend = {
    /** FlashInfer's SM120 kernel for GLM with an FP8 cache; SGLang 0.5.17 and later. */
    FlashinferSparseMla: "flashinfer_sparse_mla",
    /** Triton, for prefill; SGLang 0.5.22 and later. */
    TritonSparseMla: "triton_sparse_mla",
    /** TileLang. */
    Tilelang: "tilelang",
    /** TensorRT-LLM kernels, for SM100; never chosen by a rule. */
    Trtllm: "trtllm",
} as const;
/** See {@link SparseAttentionBackend}. */
export type SparseAttentionBackend = (typeof SparseAttentionBackend)[keyof typeof SparseAttentionBackend];

/** Element type of the KV cache. */
export const KvCacheDtype = {
    /** What the checkpoint or the architecture says. */
    Auto: "auto",
    /** 16 bit brain floating point. */
    Bfloat16: "bfloat16",
    /** 8 bit floating point, 4 bit exponent. */
    Fp8E4m3: "fp8_e4m3",
    /** 8 bit floating point, 5 bit exponent. */
    Fp8E5m2: "fp8_e5m2",
} as const;
/** See {@link KvCacheDtype}. */
export type KvCacheDtype = (typeof KvCacheDtype)[keyof typeof KvCacheDtype];
