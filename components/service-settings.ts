import type {
    AttentionBackend,
    Fp4GemmBackend,
    Fp8GemmBackend,
    KvCacheDtype,
    MoeRunnerBackend,
    SparseAttentionBackend,
} from "./backends.ts";

/** Kernel backends: which implementation computes what. What is left out is set by the rules for the release, never left to SGLang's `auto` where that is wrong. */
export interface BackendSettings {
    /** Attention, prefill and decode. */
    attention?: AttentionBackend;
    /** Attention in prefill. Defaults to `attention`. */
    prefillAttention?: AttentionBackend;
    /** Attention in decode. Defaults to `attention`. */
    decodeAttention?: AttentionBackend;
    /** Sparse attention in prefill. */
    sparsePrefill?: SparseAttentionBackend;
    /** Sparse attention in decode. */
    sparseDecode?: SparseAttentionBackend;
    /** Attention of the vision tower. */
    multimodalAttention?: string;
    /** Linear attention, prefill and decode. */
    linearAttention?: string;
    /** Linear attention in prefill. */
    linearAttentionPrefill?: string;
    /** Linear attention in decode. */
    linearAttentionDecode?: string;
    /** Mamba layers. */
    mamba?: string;
    /** Mixture-of-experts layers. */
    moeRunner?: MoeRunnerBackend;
    /** Exchange between expert parallel ranks. */
    moeAllToAll?: string;
    /** Dense NVFP4 matrix multiplication. */
    fp4Gemm?: Fp4GemmBackend;
    /** Dense FP8 matrix multiplication. */
    fp8Gemm?: Fp8GemmBackend;
    /** Sampling. */
    sampling?: string;
    /** Constrained decoding. */
    grammar?: string;
    /** Quantization method as SGLang names it, such as `modelopt_fp4`. */
    quantization?: string;
    /** SGLang's custom all-reduce; false switches it off. */
    customAllReduce?: boolean;
    /** FlashInfer's fused all-reduce. Defaults to false. */
    flashinferAllReduceFusion?: boolean;
    /** All-reduce over torch symmetric memory. Defaults to false. */
    torchSymmetricMemory?: boolean;
    /** Fusion of shared experts into the routed ones; false switches it off. */
    sharedExpertsFusion?: boolean;
    /** CUDA graphs in decode. */
    decodeCudaGraph?: boolean;
    /** CUDA graphs in prefill. */
    prefillCudaGraph?: boolean;
    /** Largest batch size with a decode CUDA graph. */
    decodeCudaGraphMaxBatchSize?: number;
}

/** How the model is spread over GPUs. */
export interface ParallelismSettings {
    /** Tensor parallel size, GPUs. Defaults to all GPUs of the placement divided by the pipeline size. */
    tensor?: number;
    /** Pipeline parallel size, stages. Defaults to 1. */
    pipeline?: number;
    /** Data parallel size, replicas. Defaults to 1. */
    data?: number;
    /** Expert parallel size, GPUs. Defaults to 1. */
    expert?: number;
    /** Data parallel attention. Defaults to false. */
    dataParallelAttention?: boolean;
}

/** Hierarchical KV cache (HiCache): a second tier in pinned host memory, a third on storage. */
export interface HierarchicalCacheSettings {
    /** Host tier as a multiple of the GPU tier. */
    ratio?: number;
    /** Host tier in GB per rank; wins over `ratio`. */
    sizeGb?: number;
    /** When pages are written to the host tier: `write_back`, `write_through` or `write_through_selective`. */
    writePolicy?: "write_back" | "write_through" | "write_through_selective";
    /** How pages are copied: `direct` or `kernel`. */
    ioBackend?: "direct" | "kernel";
    /** Layout in host memory. */
    memoryLayout?: string;
    /** Storage tier. Defaults to none. */
    storageBackend?: string;
    /** When pages are read ahead from storage. */
    storagePrefetchPolicy?: string;
}

/** Key-value cache. */
export interface KvCacheSettings {
    /** Element type. */
    dtype?: KvCacheDtype;
    /** Share of free GPU memory for weights and pools. Defaults to what the memory plan finds safe. */
    memoryFraction?: number;
    /** Upper bound of the pool, tokens. */
    maxTotalTokens?: number;
    /** Tokens per page. */
    pageSize?: number;
    /** Prefix cache. Defaults to true. */
    radixCache?: boolean;
    /** Strategy of the prefix cache for Mamba-like layers. */
    mambaRadixStrategy?: string;
    /** Element type of the state of Mamba-like layers. */
    mambaStateDtype?: string;
    /** Further tiers. Defaults to none. */
    hierarchical?: HierarchicalCacheSettings;
}

/** Admission of requests. */
export interface SchedulingSettings {
    /** Requests that run at once. */
    maxRunningRequests?: number;
    /** Context length, tokens. Defaults to what the model's configuration says. */
    contextLength?: number;
    /** Tokens of a prompt that are computed at once. */
    chunkedPrefillSize?: number;
}

/** Speculative decoding. */
export interface SpeculativeSettings {
    /** Algorithm as SGLang names it, such as `EAGLE` or `NEXTN`. */
    algorithm: string;
    /** Draft steps. */
    steps?: number;
    /** Candidates per step. */
    eagleTopK?: number;
    /** Draft tokens that are verified at once. */
    draftTokens?: number;
    /** Draft model. Defaults to the model's own layers. */
    draftModel?: string;
}

/** Parsers of the answer; `none` switches one off that the model's profile would set. */
export interface ParserSettings {
    /** Reasoning parser. Defaults to the profile's. */
    reasoning?: string;
    /** Tool-call parser. Defaults to the profile's. */
    toolCall?: string;
}

/** The HTTP side. */
export interface ApiSettings {
    /** Address to listen on. Defaults to 127.0.0.1; 0.0.0.0 needs a key. */
    listen?: string;
    /** TCP port. Defaults to 30000. */
    port?: number;
    /** Name of the model in requests. Defaults to the repository. */
    servedModelName?: string;
    /** Prometheus metrics at `/metrics`. Defaults to true. */
    metrics?: boolean;
}

/** Questions that a started server must answer before it counts as deployed. */
export interface GateSettings {
    /** Requests at once in the concurrency check. Defaults to 16. */
    concurrency?: number;
    /** Sampled requests. Defaults to 4. */
    sampled?: number;
    /** Aggregate tokens per second below which the answer is "no". Defaults to none. */
    minimumTokensPerSecond?: number;
    /** Seconds for all questions together. Defaults to 600. */
    timeoutSeconds?: number;
}

/** A rule overridden on purpose. */
export interface AcceptedRule {
    /** Id of the rule. */
    rule: string;
    /** Why it is right to override it here; shown in every plan. */
    reason: string;
}

/** Everything that decides how a server runs; the same on a host and in a pool. */
export interface ServiceSettings {
    /** Kernel backends. */
    backends?: BackendSettings;
    /** How the model is spread over GPUs. */
    parallelism?: ParallelismSettings;
    /** Key-value cache. */
    kvCache?: KvCacheSettings;
    /** Admission of requests. */
    scheduling?: SchedulingSettings;
    /** Speculative decoding. Defaults to none. */
    speculative?: SpeculativeSettings;
    /** Parsers of the answer. */
    parsers?: ParserSettings;
    /** The HTTP side. */
    api?: ApiSettings;
    /** Questions that a started server must answer. */
    gate?: GateSettings;
    /** Environment of the server, NCCL included; checked by the rules. */
    environment?: Record<string, string>;
    /** A launch command as it was used elsewhere: each part is kept, translated or refused. Typed settings win over it. */
    launch?: string;
    /** Further options of the release, by long name without dashes; checked against the release's option table. */
    extraArgs?: Record<string, string | number | boolean | (string | number)[]>;
    /** Rules that are overridden on purpose. */
    accept?: AcceptedRule[];
    /** Minutes from start to ready. Defaults to 30. */
    startupBudgetMinutes?: number;
}
