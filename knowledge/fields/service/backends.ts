import { z } from "zod";
import { onOff, same, whenFalse, whenTrue } from "../decision.ts";
import { field } from "../field.ts";

/** Any word by which SGLang names an implementation: which ones a release has, its option table says. */
export const backend = z
    .string()
    .regex(/^[a-z0-9_]+$/, "must be a backend name of SGLang such as flashinfer_cutlass, or auto");

/** What holds where nothing is said. */
const chosen = "the rules' choice for the release, or else SGLang's own";

const kernel = (says: string, setting: string, example: string, declared?: string) =>
    field(backend, {
        says,
        default: chosen,
        decides: same(setting),
        examples: [example],
        ...(declared && { declared }),
    });

/** Kernel backends. */
export const backendsSchema = z
    .strictObject({
        attention: kernel("Attention, prefill and decode", "attention-backend", "triton", "AttentionBackend"),
        prefillAttention: field(backend, {
            says: "Attention in prefill",
            default: "`attention`",
            decides: same("prefill-attention-backend"),
            examples: ["triton"],
            declared: "AttentionBackend",
        }),
        decodeAttention: field(backend, {
            says: "Attention in decode",
            default: "`attention`",
            decides: same("decode-attention-backend"),
            examples: ["triton"],
            declared: "AttentionBackend",
        }),
        sparsePrefill: kernel(
            "Sparse attention in prefill",
            "dsa-prefill-backend",
            "triton_sparse_mla",
            "SparseAttentionBackend",
        ),
        sparseDecode: kernel(
            "Sparse attention in decode",
            "dsa-decode-backend",
            "flashinfer_sparse_mla",
            "SparseAttentionBackend",
        ),
        multimodalAttention: kernel("Attention of the vision tower", "mm-attention-backend", "triton_attn"),
        linearAttention: kernel("Linear attention, prefill and decode", "linear-attn-backend", "triton"),
        linearAttentionPrefill: field(backend, {
            says: "Linear attention in prefill",
            default: "`linearAttention`",
            decides: same("linear-attn-prefill-backend"),
            examples: ["triton"],
        }),
        linearAttentionDecode: field(backend, {
            says: "Linear attention in decode",
            default: "`linearAttention`",
            decides: same("linear-attn-decode-backend"),
            examples: ["triton"],
        }),
        mamba: kernel("Mamba layers", "mamba-backend", "triton"),
        moeRunner: kernel("Mixture-of-experts layers", "moe-runner-backend", "marlin", "MoeRunnerBackend"),
        moeAllToAll: kernel("Exchange between expert parallel ranks", "moe-a2a-backend", "none"),
        fp4Gemm: kernel("Dense NVFP4 matrix multiplication", "fp4-gemm-backend", "flashinfer_cudnn", "Fp4GemmBackend"),
        fp8Gemm: kernel("Dense FP8 matrix multiplication", "fp8-gemm-backend", "triton", "Fp8GemmBackend"),
        sampling: kernel("Sampling", "sampling-backend", "pytorch"),
        grammar: kernel("Constrained decoding", "grammar-backend", "llguidance"),
        quantization: field(backend, {
            says: "Quantization method as SGLang names it, such as `modelopt_fp4`",
            default: "the rules' choice for the checkpoint, or else what that says",
            decides: same("quantization"),
            examples: ["modelopt_fp4"],
        }),
        customAllReduce: field(z.boolean(), {
            says: "SGLang's custom all-reduce kernel; false switches it off",
            default: "true where the topology is fit for it",
            decides: whenFalse("disable-custom-all-reduce"),
            examples: [false],
        }),
        flashinferAllReduceFusion: field(z.boolean(), {
            says: "FlashInfer's fused all-reduce",
            default: "false",
            decides: whenTrue("flashinfer-allreduce-fusion-backend", "auto"),
            examples: [true],
        }),
        torchSymmetricMemory: field(z.boolean(), {
            says: "All-reduce over torch symmetric memory",
            default: "false",
            decides: whenTrue("enable-torch-symm-mem"),
            examples: [true],
        }),
        sharedExpertsFusion: field(z.boolean(), {
            says: "Fusion of shared experts into the routed ones; false switches it off",
            default: "true, but for what the rules say",
            decides: whenFalse("disable-shared-experts-fusion"),
            examples: [false],
        }),
        decodeCudaGraph: field(z.boolean(), {
            says: "CUDA graphs in decode",
            default: "true",
            decides: onOff("cuda-graph-backend-decode", "full"),
            examples: [false],
        }),
        prefillCudaGraph: field(z.boolean(), {
            says: "CUDA graphs in prefill",
            default: chosen,
            decides: onOff("cuda-graph-backend-prefill", "breakable"),
            examples: [true, false],
        }),
        decodeCudaGraphMaxBatchSize: field(z.int().positive(), {
            says: "Largest batch with a decode CUDA graph",
            unit: "requests",
            default: "SGLang's own choice",
            decides: same("cuda-graph-max-bs-decode"),
            examples: [32],
        }),
    })
    .partial();
