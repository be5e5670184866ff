/**
 * What is known of a model: its structure (for memory formulas), its checkpoints, how it is launched, and what is proven on SM120.
 *
 * Sizes are in GiB (2^30 bytes; SGLang prints GiB as "GB") unless a name says otherwise. A fact nobody measured says `unverified`.
 */

import type { Method, NumberFormat } from "./formats.ts";
import type { Part } from "./modules.ts";
import type { TensorIndex } from "./tensor-index.ts";

/** How a model remembers tokens: what decides the size of a token in the KV cache. */
export type AttentionKind = "gqa" | "mla" | "dsa" | "hybrid-gdn" | "hybrid-kda-dsa" | "hybrid-swa";

/** KV cache element that a checkpoint was calibrated for; `none` when its configuration names none. */
export type CalibratedKv = "fp8_e4m3" | "none" | "unverified";

/** Latent attention (MLA): one compressed vector per token and layer, not divided by tensor parallelism. */
export interface LatentAttention {
    /** Width of the compressed key/value (`kv_lora_rank`). */
    readonly kvLora: number;
    /** Width of the compressed query (`q_lora_rank`); 0 when the query is not compressed. */
    readonly qLora: number;
    /** Width of the key part without rotary embedding (`qk_nope_head_dim`). */
    readonly nope: number;
    /** Width of the shared rotary key (`qk_rope_head_dim`); 0 for models without rotary embedding. */
    readonly rope: number;
}

/** Sparse attention on top of MLA (DSA): an index key per token picks the tokens that are attended to. */
export interface SparseIndex {
    /** Width of an index key (`index_head_dim`). */
    readonly headDim: number;
    /** Index heads (`index_n_heads`). */
    readonly heads: number;
    /** Tokens that one query attends to (`index_topk`). */
    readonly topK: number;
    /** Tokens that share one index key (`index_kpool`). 1 for all but GLM-5.3-Flash. */
    readonly kpool: number;
    /** Layers that compute their own top-k; the other sparse layers reuse the previous one's. */
    readonly layers: readonly number[];
}

/** Linear attention: a state of fixed size per request instead of a cache per token. */
export interface LinearAttention {
    /** `gdn`: Gated DeltaNet (Qwen3.5, Qwen3-Next). `kda`: Kimi Delta Attention (GLM-5.3-Flash). */
    readonly kind: "gdn" | "kda";
    /** Layers with linear attention. */
    readonly layers: readonly number[];
    readonly keyHeads: number;
    readonly valueHeads: number;
    readonly keyDim: number;
    readonly valueDim: number;
    /** Width of the short convolution; its state keeps one column less. */
    readonly convKernel: number;
    /** Element of the recurrent state (`mamba_ssm_dtype`); SGLang's default is `float32`. */
    readonly ssmDtype: "float32" | "bfloat16" | "float16";
}

/** Layers that see only a window of tokens. */
export interface SlidingWindow {
    /** Tokens in the window. */
    readonly window: number;
    readonly layers: readonly number[];
    readonly kvHeads: number;
    readonly headDim: number;
    readonly vHeadDim: number;
}

/** Mixture of experts. */
export interface Experts {
    /** Routed experts per layer. */
    readonly routed: number;
    /** Routed experts per token. */
    readonly topK: number;
    /** Inner width of a routed expert. */
    readonly intermediate: number;
    /** Inner width of the shared expert, all of them together; 0 when there is none. */
    readonly sharedIntermediate: number;
    /** Layers at the start that are dense instead. */
    readonly denseLayers: number;
}

/** Vision tower of a multimodal model. */
export interface VisionTower {
    readonly layers: number;
    readonly hidden: number;
    readonly intermediate: number;
    /**
     * Layers and width as SGLang's fraction formula reads them (`num_hidden_layers`, `hidden_size` of the vision config; 24 and 1024
     * where the attribute has another name, as `depth` in Qwen). sglang 0.5.23 srt/arg_groups/memory_hook.py.
     */
    readonly asRead: { readonly layers: number; readonly hidden: number };
}

/** Numbers that decide memory. */
export interface ModelStructure {
    readonly attention: AttentionKind;
    readonly layers: number;
    readonly hidden: number;
    /** Query heads. */
    readonly heads: number;
    /** Key/value heads; equal to `heads` for latent attention. */
    readonly kvHeads: number;
    /** Width of a query and key head. */
    readonly headDim: number;
    /** Width of a value head. */
    readonly vHeadDim: number;
    /** Layers that keep a KV cache over the whole context; all other layers are linear or windowed. */
    readonly fullLayers: readonly number[];
    readonly mla?: LatentAttention;
    readonly index?: SparseIndex;
    readonly linear?: LinearAttention;
    readonly window?: SlidingWindow;
    readonly experts?: Experts;
    /** Inner width of a dense MLP; 0 when no layer has one. */
    readonly denseIntermediate: number;
    /** Whether the attention output has a gate as wide as the query (Qwen3.5, Qwen3-Next). */
    readonly outputGate: boolean;
    readonly vocab: number;
    /** Whether input and output embedding are one matrix. */
    readonly tiedEmbeddings: boolean;
    /** Longest context in tokens, as the configuration says. */
    readonly context: number;
    /** Multi-token-prediction blocks in the architecture; whether a checkpoint has their weights is `Checkpoint.hasMtp`. */
    readonly mtpLayers: number;
    readonly vision?: VisionTower;
}

/** A figure that somebody's log shows. */
export interface LoggedWeights {
    readonly tp: number;
    /** GiB on one GPU after loading. */
    readonly gib: number;
    readonly source: string;
}

/** Bytes per parameter: one number, or one for each layer of the model. */
export type BytesByLayer = number | readonly number[];

/**
 * Bytes per parameter of the parts of a checkpoint. Input embedding, routers and vision tower are always bf16 (2).
 * NVFP4 and INT4 cost 0.5625 (4 bits, and one byte of scale per 16 values or two bytes per 32), MXFP4 0.53125, FP8 1.
 */
export interface StoredBytes {
    /** Routed experts. */
    readonly experts: BytesByLayer;
    /** Shared experts; 2 where they are loose bf16. */
    readonly sharedExperts: BytesByLayer;
    /** Dense MLP: the first layers of a mixture, or all layers of a dense model. */
    readonly denseMlp: BytesByLayer;
    /** Attention projections. */
    readonly attention: BytesByLayer;
    /** Projections of linear attention. Defaults to those of attention. */
    readonly linear?: BytesByLayer;
    /** Index of sparse attention. Defaults to bf16. */
    readonly index?: BytesByLayer;
    /** Experts and projections of the multi-token-prediction block. */
    readonly mtp: number;
    /** Output embedding (`lm_head`). Defaults to bf16. */
    readonly head?: number;
}

/** Formats that occur in each part. */
export type StoredFormats = Readonly<Partial<Record<Part, readonly NumberFormat[]>>>;

/** One published set of weights of a model. */
export interface Checkpoint {
    /** `owner/name` on the model hub. */
    readonly repository: string;
    /** Who wrote it: what `--quantization` is compared with. */
    readonly method: Method;
    /** First SGLang release with the quantization method. Defaults to the profile's. */
    readonly since?: string;
    /** What numbers it holds: what the kernels depend on. */
    readonly formats: StoredFormats;
    /** Names of the algorithms in its quantization configuration, where that was read. Defaults to not known. */
    readonly algorithms?: readonly string[];
    /** Bytes per parameter of each part. */
    readonly stored: StoredBytes;
    /** Bytes per parameter while loading, where SGLang quantizes what it has loaded. Defaults to `stored`. */
    readonly loadedAt?: StoredBytes;
    /** What the index of its files says, where that was read. Defaults to not known. */
    readonly tensors?: TensorIndex;
    readonly kvCalibrated: CalibratedKv;
    /** First release that reads the calibration. Defaults to all. */
    readonly kvReadSince?: string;
    /** Whether the weights of the multi-token-prediction block are in the checkpoint. */
    readonly hasMtp: boolean | "unverified";
    /** Size on disk in GB (10^9 bytes), when known or computed. */
    readonly diskGB?: number;
    /** Where `diskGB` comes from: a log, a card, or `calculated`. */
    readonly diskSource?: string;
    /** What logs show per GPU after loading. The planner prefers it over the formula. */
    readonly loggedWeights: readonly LoggedWeights[];
    /** What logs show per GPU for the draft block. */
    readonly loggedDraft: readonly LoggedWeights[];
    /** Fewest GPUs of 96 GB that hold the weights and a useful cache. */
    readonly minimumGpus: number;
}

/** One statement about this model on SM120. */
export interface Evidence {
    /** `runs`: somebody ran it on SM120. `fails`: somebody saw it fail. `unproven`: nobody has shown either. */
    readonly outcome: "runs" | "fails" | "unproven";
    readonly statement: string;
    readonly sources: readonly string[];
}

/** All that is known of one model. */
export interface ModelProfile {
    /** Short name used in stack files: `qwen3.5-397b-a17b`. */
    readonly id: string;
    readonly architecture: string;
    /**
     * First supported SGLang release for which all of this holds; it holds for each later one too. Absent for a profile that was
     * read from a configuration.
     */
    readonly since?: string;
    readonly modelType: string;
    readonly structure: ModelStructure;
    /** Known checkpoints, the one to use first at the front. */
    readonly checkpoints: readonly Checkpoint[];
    /** SGLang's names of the parsers; absent when the model needs none. */
    readonly parsers: { readonly reasoning?: string; readonly toolCall?: string };
    /** Whether the checkpoint's own Python must be trusted. `unverified`: recipes pass the flag, the need is not shown. */
    readonly trustRemoteCode: boolean | "unverified";
    /** First transformers release that reads the configuration; absent when SGLang has its own class for it or it is not known. */
    readonly transformersFloor?: string;
    /** Draft models published apart from the checkpoint. */
    readonly drafts: readonly { readonly algorithm: string; readonly repository: string; readonly source: string }[];
    /** What is proven on SM120 and what is not. */
    readonly evidence: readonly Evidence[];
    /** Where the structure comes from. */
    readonly sources: readonly string[];
}

/** Repositories that a profile covers. */
export function repositoriesOf(profile: ModelProfile): readonly string[] {
    return profile.checkpoints.map((checkpoint) => checkpoint.repository);
}

/** Whether the model takes pictures: its vision tower costs weights, and SGLang lowers its automatic memory fraction for it. */
export function isMultimodal(profile: ModelProfile): boolean {
    return profile.structure.vision !== undefined;
}

/** The checkpoint of a repository (case does not matter), or the first one. A fine-tune under another name counts as the first. */
export function checkpointOf(profile: ModelProfile, repository?: string): Checkpoint {
    const wanted = repository?.toLowerCase();
    return profile.checkpoints.find((c) => c.repository.toLowerCase() === wanted) ?? profile.checkpoints[0]!;
}
