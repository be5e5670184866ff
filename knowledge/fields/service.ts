import { z } from "zod";
import { holdsSecret, isSecretOption, isSecretVariable, secretAdvice } from "../base/secrets.ts";

/**
 * The typed settings of an inference service, engine-neutral and the same on a host and in a pool.
 *
 * Every field is optional. What is left out is decided by the profile, the rules, the topology or the memory plan, and
 * the plan says by which. {@link settingOfField} maps each field to the canonical setting that it stands for.
 */

const backend = z
    .string()
    .regex(/^[a-z0-9_]+$/, "must be a backend name of SGLang such as flashinfer_cutlass, or auto");

/** Kernel backends: which implementation computes what. */
export const backendsSchema = z
    .strictObject({
        attention: backend,
        prefillAttention: backend,
        decodeAttention: backend,
        sparsePrefill: backend,
        sparseDecode: backend,
        multimodalAttention: backend,
        linearAttention: backend,
        linearAttentionPrefill: backend,
        linearAttentionDecode: backend,
        mamba: backend,
        moeRunner: backend,
        moeAllToAll: backend,
        fp4Gemm: backend,
        fp8Gemm: backend,
        sampling: backend,
        grammar: backend,
        /** Quantization method as SGLang names it, such as `modelopt_fp4`. */
        quantization: backend,
        /** SGLang's custom all-reduce kernel; false passes `--disable-custom-all-reduce`. */
        customAllReduce: z.boolean(),
        /** FlashInfer's fused all-reduce. */
        flashinferAllReduceFusion: z.boolean(),
        /** All-reduce over torch symmetric memory. */
        torchSymmetricMemory: z.boolean(),
        /** Fusion of shared experts into the routed ones. */
        sharedExpertsFusion: z.boolean(),
        /** Decode CUDA graphs. */
        decodeCudaGraph: z.boolean(),
        /** Prefill CUDA graphs. */
        prefillCudaGraph: z.boolean(),
        /** Largest batch size for which decode CUDA graphs are captured. */
        decodeCudaGraphMaxBatchSize: z.int().positive(),
    })
    .partial();

const size = z.int().positive();

/** How the model is spread over GPUs. */
export const parallelismSchema = z
    .strictObject({
        /** Tensor parallel size, GPUs. Defaults to all GPUs of the placement divided by the pipeline size. */
        tensor: size,
        /** Pipeline parallel size, stages. Defaults to 1. */
        pipeline: size,
        /** Data parallel size, replicas. Defaults to 1. */
        data: size,
        /** Expert parallel size, GPUs. Defaults to 1. */
        expert: size,
        /** Data parallel attention. Defaults to false. */
        dataParallelAttention: z.boolean(),
    })
    .partial();

/** Hierarchical KV cache (HiCache): a second tier in pinned host memory, a third on storage. */
export const hierarchicalCacheSchema = z
    .strictObject({
        /** Host tier as a multiple of the GPU tier. */
        ratio: z.number().positive(),
        /** Host tier in GB per rank; wins over the ratio. */
        sizeGb: size,
        writePolicy: z.enum(["write_back", "write_through", "write_through_selective"]),
        ioBackend: z.enum(["direct", "kernel"]),
        memoryLayout: z.string(),
        storageBackend: z.string(),
        storagePrefetchPolicy: z.string(),
    })
    .partial();

/** Key-value cache. */
export const kvCacheSchema = z
    .strictObject({
        /** Element type, such as `fp8_e4m3` or `bfloat16`. */
        dtype: backend,
        /** Share of free GPU memory for weights and pools. Defaults to what the memory plan finds safe. */
        memoryFraction: z.number().gt(0).lt(1),
        /** Upper bound of the pool, tokens. */
        maxTotalTokens: size,
        /** Tokens per page. */
        pageSize: size,
        /** Prefix cache. Defaults to true. */
        radixCache: z.boolean(),
        /** Strategy of the prefix cache for Mamba-like layers. */
        mambaRadixStrategy: z.string(),
        /** Element type of the state of Mamba-like layers. */
        mambaStateDtype: z.string(),
        hierarchical: hierarchicalCacheSchema,
    })
    .partial();

/** Admission of requests. */
export const schedulingSchema = z
    .strictObject({
        maxRunningRequests: size,
        /** Tokens. Defaults to what the model's configuration says. */
        contextLength: size,
        /** Tokens of a prompt that are computed at once. */
        chunkedPrefillSize: size,
    })
    .partial();

/** Speculative decoding. */
export const speculativeSchema = z.strictObject({
    algorithm: z.string(),
    steps: size.optional(),
    eagleTopK: size.optional(),
    draftTokens: size.optional(),
    draftModel: z.string().optional(),
});

/** Parsers of the answer. `none` switches one off that the profile would set. */
export const parsersSchema = z.strictObject({ reasoning: z.string(), toolCall: z.string() }).partial();

/** The HTTP side that decides settings; the key is given beside it, never in it. */
export const apiSchema = z
    .strictObject({
        /** Address to listen on. Defaults to 127.0.0.1; any but a loopback address needs a key. */
        listen: z
            .string()
            .regex(
                /^([A-Za-z0-9.-]+|[0-9A-Fa-f:.]+)$/,
                "must be an address or a host name, such as 127.0.0.1 or 0.0.0.0",
            ),
        /** TCP port. Defaults to 30000. */
        port: z.int().min(1).max(65535),
        servedModelName: z.string().regex(/^\P{Cc}+$/u, "must be one line"),
        /** Prometheus metrics at `/metrics`. Defaults to true. */
        metrics: z.boolean(),
    })
    .partial();

/** Questions that a started server must answer before it counts as deployed. */
export const gateSchema = z
    .strictObject({
        /** Requests at once in the concurrency check. Defaults to 16. */
        concurrency: size,
        /** Sampled requests. Defaults to 4. */
        sampled: size,
        /** Aggregate tokens per second below which the answer is "no". Defaults to none. */
        minimumTokensPerSecond: z.number().positive(),
        /** Seconds for all questions together. Defaults to 600. */
        timeoutSeconds: size,
    })
    .partial();

/** A rule overridden on purpose. */
export const acceptSchema = z.strictObject({
    /** Id of the rule. */
    rule: z.string(),
    /** Why it is right to override it here; shown in every plan. */
    reason: z.string().min(10, "must say why, in a sentence"),
});

const argumentValue = z
    .union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))], {
        error: "must be a string, a number, true or false, or a list of strings and numbers",
    })
    .refine((given) => !holdsSecret(String(given)), secretAdvice);

const variableValue = z
    .string()
    .regex(/^[^\r\n\0]*$/, "must be one line")
    .refine((text) => !holdsSecret(text), secretAdvice);

const variableName = z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable: letters, digits and underscores")
    .refine((name) => !isSecretVariable(name), secretAdvice);

/** All typed fields of a service that decide settings. */
export const serviceFieldsSchema = z.strictObject({
    backends: backendsSchema.optional(),
    parallelism: parallelismSchema.optional(),
    kvCache: kvCacheSchema.optional(),
    scheduling: schedulingSchema.optional(),
    speculative: speculativeSchema.optional(),
    parsers: parsersSchema.optional(),
    api: apiSchema.optional(),
    gate: gateSchema.optional(),
    /** Environment of the server, NCCL included. Checked by the rules. */
    environment: z.record(variableName, variableValue).optional(),
    /** A launch command as it was used elsewhere; each part is kept, translated or refused. Typed fields win over it. */
    launch: z.string().optional(),
    /** Further options of the release, by long name without dashes; checked against its option table. */
    extraArgs: z
        .record(
            z.string().refine((name) => !isSecretOption(name), secretAdvice),
            argumentValue,
        )
        .optional(),
    accept: z.array(acceptSchema).optional(),
    /** Minutes from start to ready. Defaults to 30. */
    startupBudgetMinutes: size.optional(),
});

/** See {@link serviceFieldsSchema}. */
export type ServiceFields = z.output<typeof serviceFieldsSchema>;
