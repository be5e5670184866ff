// Generated from the rows in knowledge/fields by `npm run generate`; do not edit.

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
    /** Attention, prefill and decode. Defaults to the rules' choice for the release, or else SGLang's own. */
    attention?: AttentionBackend;
    /** Attention in prefill. Defaults to `attention`. */
    prefillAttention?: AttentionBackend;
    /** Attention in decode. Defaults to `attention`. */
    decodeAttention?: AttentionBackend;
    /** Sparse attention in prefill. Defaults to the rules' choice for the release, or else SGLang's own. */
    sparsePrefill?: SparseAttentionBackend;
    /** Sparse attention in decode. Defaults to the rules' choice for the release, or else SGLang's own. */
    sparseDecode?: SparseAttentionBackend;
    /** Attention of the vision tower. Defaults to the rules' choice for the release, or else SGLang's own. */
    multimodalAttention?: string;
    /** Linear attention, prefill and decode. Defaults to the rules' choice for the release, or else SGLang's own. */
    linearAttention?: string;
    /** Linear attention in prefill. Defaults to `linearAttention`. */
    linearAttentionPrefill?: string;
    /** Linear attention in decode. Defaults to `linearAttention`. */
    linearAttentionDecode?: string;
    /** Mamba layers. Defaults to the rules' choice for the release, or else SGLang's own. */
    mamba?: string;
    /** Mixture-of-experts layers. Defaults to the rules' choice for the release, or else SGLang's own. */
    moeRunner?: MoeRunnerBackend;
    /** Exchange between expert parallel ranks. Defaults to the rules' choice for the release, or else SGLang's own. */
    moeAllToAll?: string;
    /** Dense NVFP4 matrix multiplication. Defaults to the rules' choice for the release, or else SGLang's own. */
    fp4Gemm?: Fp4GemmBackend;
    /** Dense FP8 matrix multiplication. Defaults to the rules' choice for the release, or else SGLang's own. */
    fp8Gemm?: Fp8GemmBackend;
    /** Sampling. Defaults to the rules' choice for the release, or else SGLang's own. */
    sampling?: string;
    /** Constrained decoding. Defaults to the rules' choice for the release, or else SGLang's own. */
    grammar?: string;
    /** Quantization method as SGLang names it, such as `modelopt_fp4`. Defaults to the rules' choice for the checkpoint, or else what that says. */
    quantization?: string;
    /** SGLang's custom all-reduce kernel; false switches it off. Defaults to true where the topology is fit for it. */
    customAllReduce?: boolean;
    /** FlashInfer's fused all-reduce. Defaults to false. */
    flashinferAllReduceFusion?: boolean;
    /** All-reduce over torch symmetric memory. Defaults to false. */
    torchSymmetricMemory?: boolean;
    /** Fusion of shared experts into the routed ones; false switches it off. Defaults to true, but for what the rules say. */
    sharedExpertsFusion?: boolean;
    /** CUDA graphs in decode. Defaults to true. */
    decodeCudaGraph?: boolean;
    /** CUDA graphs in prefill. Defaults to the rules' choice for the release, or else SGLang's own. */
    prefillCudaGraph?: boolean;
    /** Largest batch with a decode CUDA graph, requests. Defaults to SGLang's own choice. */
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
    /** Host tier as a multiple of the GPU tier. Defaults to 2. */
    ratio?: number;
    /** Host tier of each rank, GB; wins over `ratio`. Defaults to none. */
    sizeGb?: number;
    /** When pages are written to the host tier. Defaults to SGLang's own choice. */
    writePolicy?: "write_back" | "write_through" | "write_through_selective";
    /** How pages are copied. Defaults to SGLang's own choice. */
    ioBackend?: "direct" | "kernel";
    /** Layout in host memory. Defaults to SGLang's own choice. */
    memoryLayout?: string;
    /** Storage tier. Defaults to none. */
    storageBackend?: string;
    /** When pages are read ahead from storage. Defaults to SGLang's own choice. */
    storagePrefetchPolicy?: string;
}

/** Key-value cache. */
export interface KvCacheSettings {
    /** Element type, such as `fp8_e4m3` or `bfloat16`. Defaults to the rules' choice for the checkpoint, or else `auto`. */
    dtype?: KvCacheDtype;
    /** Share of free GPU memory for weights and pools. Defaults to what the memory plan finds safe. */
    memoryFraction?: number;
    /** Upper bound of the pool, tokens. Defaults to what the memory holds. */
    maxTotalTokens?: number;
    /** Size of a page, tokens. Defaults to the rules' choice for the backend, or else SGLang's own. */
    pageSize?: number;
    /** Prefix cache; false switches it off. Defaults to true. */
    radixCache?: boolean;
    /** Strategy of the prefix cache for Mamba-like layers. Defaults to the rules' choice for the release, or else SGLang's own. */
    mambaRadixStrategy?: string;
    /** Element type of the state of Mamba-like layers. Defaults to what the model's configuration says. */
    mambaStateDtype?: string;
    /** Hierarchical KV cache (HiCache): a second tier in pinned host memory, a third on storage. Defaults to none. */
    hierarchical?: HierarchicalCacheSettings;
}

/** Admission of requests. */
export interface SchedulingSettings {
    /** Requests that run at once. Defaults to what the memory holds. */
    maxRunningRequests?: number;
    /** Longest context, tokens. Defaults to what the model's configuration says. */
    contextLength?: number;
    /** Part of a prompt that is computed at once, tokens. Defaults to SGLang's own choice. */
    chunkedPrefillSize?: number;
}

/** Speculative decoding. */
export interface SpeculativeSettings {
    /** Algorithm as SGLang names it, such as `EAGLE` or `NEXTN`. */
    algorithm: string;
    /** Draft steps. Defaults to SGLang's own choice. */
    steps?: number;
    /** Candidates of each draft step. Defaults to SGLang's own choice. */
    eagleTopK?: number;
    /** Draft tokens that are verified at once. Defaults to SGLang's own choice. */
    draftTokens?: number;
    /** Draft model: a repository or a path. Defaults to the model's own prediction layers. */
    draftModel?: string;
}

/** Parsers of the answer; `none` switches one off that the model's profile would set. */
export interface ParserSettings {
    /** Parser of the reasoning, as SGLang names it; `none` for no parser. Defaults to the profile's. */
    reasoning?: string;
    /** Parser of tool calls, as SGLang names it; `none` for no parser. Defaults to the profile's. */
    toolCall?: string;
}

/** The HTTP side. */
export interface ApiSettings {
    /** Address to listen on; any but a loopback address needs an API key. A pod listens on all of its own. Defaults to 127.0.0.1. */
    listen?: string;
    /** TCP port. Defaults to 30000. */
    port?: number;
    /** Name of the model in requests. Defaults to the repository. */
    servedModelName?: string;
    /** Prometheus metrics at `/metrics`. Defaults to true. */
    metrics?: boolean;
}

/** Questions of your own with one sure answer, asked greedily after those that ship. */
export interface GateQuestion {
    /** What is asked. */
    prompt: string;
    /** Text or regular expression that the answer has in it, in either case of letters. */
    expect: string;
    /** Longest answer, reasoning included, tokens. Defaults to 2048. */
    maxTokens?: number;
}

/** Questions that a started server must answer before it counts as deployed. */
export interface GateSettings {
    /** Requests at once in the concurrency check. Defaults to 16. */
    concurrency?: number;
    /** Sampled requests. Defaults to 4. */
    sampled?: number;
    /** Questions of your own with one sure answer, asked greedily after those that ship. Defaults to none. */
    questions?: GateQuestion[];
    /** Factor of every distance from the oracle that is allowed. Defaults to 1. */
    oracleTolerance?: number;
    /** Whether the server is held against itself: alone, with its prefix cached, and many requests at once. Defaults to true. */
    itself?: boolean;
    /** Length of the text before a known question, characters; a token has at least one character. Defaults to half of the context, at most 16384. */
    longPrompt?: number;
    /** Time of one request to its first token, once warm, above which the answer is "no", seconds. Defaults to none. */
    maximumSecondsToFirstToken?: number;
    /** Throughput of all requests together, once warm, below which the answer is "no", tokens per second. Defaults to none. */
    minimumTokensPerSecond?: number;
    /** Time for all questions together, seconds. Defaults to 600. */
    timeoutSeconds?: number;
}

/** Rules that are overridden on purpose. */
export interface AcceptedRule {
    /** Id of the rule, or of the row of what makes it fast. */
    rule: string;
    /** Why it is right to override it here; shown in every plan. */
    reason: string;
}

/** Everything that decides how a server runs; the same on a host and in a pool. */
export interface ServiceSettings {
    /** What is made fast, after everything is safe: few users (`latency`), many (`throughput`), or between (`balanced`); `none` sets nothing for speed. Defaults to balanced; `none` for a service with a `launch`. */
    objective?: "latency" | "balanced" | "throughput" | "none";
    /** Kernel backends: which implementation computes what. What is left out is set by the rules for the release, never left to SGLang's `auto` where that is wrong. */
    backends?: BackendSettings;
    /** How the model is spread over GPUs. */
    parallelism?: ParallelismSettings;
    /** Key-value cache. */
    kvCache?: KvCacheSettings;
    /** Admission of requests. */
    scheduling?: SchedulingSettings;
    /** Speculative decoding. Defaults to none. */
    speculative?: SpeculativeSettings;
    /** Parsers of the answer; `none` switches one off that the model's profile would set. */
    parsers?: ParserSettings;
    /** The HTTP side. */
    api?: ApiSettings;
    /** Questions that a started server must answer before it counts as deployed. */
    gate?: GateSettings;
    /** Environment of the server, NCCL included; checked by the rules. Defaults to what the topology and the rules set. */
    environment?: Record<string, string>;
    /** A launch command as it was used elsewhere: each part is kept, translated or refused. Typed fields win over it. Defaults to none. */
    launch?: string;
    /** Further options of the release, by long name without dashes; checked against the release's option table. Defaults to none. */
    extraArgs?: Record<string, string | number | boolean | (string | number)[]>;
    /** Rules that are overridden on purpose. Defaults to none. */
    accept?: AcceptedRule[];
    /** On hosts: a systemd unit `sglang-<service>.service` that somebody else made is kept aside and its place taken, instead of refused. Defaults to refused, with the unit's name. */
    adopt?: boolean;
    /** Time from start to ready, minutes. Defaults to 30. */
    startupBudgetMinutes?: number;
}
