/** What the memory planner is told, and what it answers. */

import type { Finding, Origin } from "../base/settings.ts";
import type { Checkpoint, ModelProfile } from "../models/profile.ts";

/** Speculative decoding as it is configured. */
export interface SpeculativeInput {
    /** `EAGLE`, `EAGLE3`, `NEXTN`, `STANDALONE`, `DFLASH` or `NGRAM`. */
    readonly algorithm: string;
    /** Draft model of its own; absent for the model's own multi-token prediction. */
    readonly draftRepository?: string;
    /** Draft tokens per step (`speculative-num-draft-tokens`). Defaults to 4. */
    readonly draftTokens?: number;
    /** Layers of the draft. Defaults to the model's own multi-token-prediction blocks, or 1. */
    readonly draftLayers?: number;
    /** Weights of the draft per GPU in GiB. Defaults to what logs or the formula say. */
    readonly draftWeightsGiB?: number;
}

/** Options of the pool of recurrent states (models with linear attention). */
export interface MambaInput {
    /** `mamba-ssm-dtype`. Defaults to the model's own. */
    readonly ssmDtype?: "float32" | "bfloat16" | "float16";
    /** `mamba-radix-cache-strategy` (`mamba-scheduler-strategy`); defaults to what the release picks. */
    readonly strategy?: "auto" | "no_buffer" | "extra_buffer" | "extra_buffer_lazy";
    /** `max-mamba-cache-size`: slots. */
    readonly cacheSize?: number;
    /** `mamba-full-memory-ratio`. Defaults to 0.9. */
    readonly fullMemoryRatio?: number;
}

/** Hierarchical cache: a second copy of the KV pool in pinned host memory. */
export interface HiCacheInput {
    /** `hicache-ratio`: host pool over device pool. Defaults to 2. */
    readonly ratio?: number;
    /** `hicache-size`: GB (10^9 bytes) per rank; overrides the ratio when above 0. */
    readonly sizeGB?: number;
}

/** What the planner is told. Sizes that are left out are SGLang's own defaults for the release. */
export interface MemoryInput {
    readonly profile: ModelProfile;
    /** Checkpoint; defaults to the profile's first. */
    readonly repository?: string;
    /** The checkpoint itself, when it is not as the profile lists it: as a release reads it, or quantized while loading. */
    readonly checkpoint?: Checkpoint;
    /** SGLang release: the formulas differ. */
    readonly release: string;
    /** Memory of each GPU in MiB as `nvidia-smi` shows it, over all nodes. An RTX PRO 6000 has 97887. */
    readonly gpuMemoryMiB: readonly number[];
    /** Free GiB before the weights are loaded ("Load weight begin. avail mem"), when a log says so. */
    readonly freeGiB?: number;
    /** Weights per GPU in GiB ("Load weight end ... mem usage"), when a log says so. */
    readonly weightsGiB?: number;
    readonly tp: number;
    /** Defaults to 1. */
    readonly pp?: number;
    /** Defaults to 1. It does not change the bytes per GPU. */
    readonly ep?: number;
    /** Defaults to 1. */
    readonly dp?: number;
    /** Whether attention is replicated `dp` times inside the tensor-parallel group. */
    readonly dpAttention?: boolean;
    /** Hosts that the GPUs are spread over. Defaults to 1. */
    readonly nodes?: number;
    /** `auto`, `bf16`, `bfloat16`, `fp8_e4m3`, `fp8_e5m2`, `fp4_e2m1`... `auto` is resolved by model, checkpoint and release. */
    readonly kvCacheDtype?: string;
    readonly memFractionStatic?: number;
    /** Who decided `memFractionStatic`. Defaults to `user`. */
    readonly memFractionOrigin?: Origin;
    readonly chunkedPrefillSize?: number;
    /** Largest batch with a decode graph; 0 when decode graphs are off. */
    readonly cudaGraphMaxBs?: number;
    /** Whether prefill graphs are captured; defaults to what the release does for this model. */
    readonly prefillGraph?: boolean;
    readonly maxRunningRequests?: number;
    readonly contextLength?: number;
    readonly maxTotalTokens?: number;
    readonly pageSize?: number;
    readonly disableRadixCache?: boolean;
    readonly disableOverlapSchedule?: boolean;
    readonly speculative?: SpeculativeInput;
    readonly mamba?: MambaInput;
    readonly dsaPrefillBackend?: string;
    readonly dsaDecodeBackend?: string;
    readonly attentionBackend?: string;
    /** `moe-a2a-backend`; `deepep` needs 2 GiB more. */
    readonly moeA2aBackend?: string;
    /** `swa-full-tokens-ratio`. Defaults to 0.8. */
    readonly swaFullTokensRatio?: number;
    readonly languageOnly?: boolean;
    readonly hicache?: HiCacheInput;
    /** Memory of one host in bytes, when known; HiCache is checked against it. */
    readonly hostMemoryBytes?: number;
}

/** One number that went into a plan, and where it comes from. */
export interface PlanInput {
    readonly value: number | string | boolean;
    readonly unit?: string;
    readonly source: string;
}

/** How wrong the token count may be. */
export interface Margin {
    /** Uncertainty of the budget per GPU, GiB. */
    readonly gib: number;
    readonly tokensLow: number;
    readonly tokensHigh: number;
    readonly reason: string;
}

/** What the planner answers. Per GPU, on the GPU (or pipeline stage) with the least room. */
export interface MemoryPlan {
    /** False exactly when a finding refuses. */
    readonly fits: boolean;
    readonly weightsGiBPerGpu: number;
    readonly draftWeightsGiBPerGpu: number;
    readonly freeGiB: number;
    readonly memFractionStatic: number;
    readonly memFractionOrigin: Origin;
    readonly kvCacheDtype: string;
    /** Bytes of one token on one GPU, the draft's share included where the release counts it. */
    readonly kvBytesPerToken: number;
    /** Tokens that the pool holds; 0 when there is no room. */
    readonly kvTokens: number;
    /** The pool as SGLang logs it. */
    readonly kvGiB: number;
    /** Tokens of the sliding-window pool, when the model has one. */
    readonly swaTokens?: number;
    /** Recurrent states, speculative intermediates included. */
    readonly mambaGiB?: number;
    readonly mambaSlots?: number;
    /** GiB that the fraction leaves outside weights and pools, for graphs, activations and workspaces. */
    readonly headroomGiB: number;
    /** GiB of the headroom that the release allocates after it has sized its pools, without having counted them. */
    readonly uncountedGiB: number;
    /** GiB free after the pools are allocated ("avail mem" before the graphs); more than the headroom where tokens are capped. */
    readonly freeAfterPoolsGiB: number;
    /** GiB of the headroom that CUDA graphs are estimated to take. */
    readonly graphsGiB: number;
    readonly maxRunningRequests: number;
    /** Pinned host memory of HiCache on one host. */
    readonly hostPinnedGiB?: number;
    readonly margin: Margin;
    /** Every number used and its source. */
    readonly inputs: Readonly<Record<string, PlanInput>>;
    readonly findings: readonly Finding[];
}
