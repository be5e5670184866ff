/** The structure of a model out of its configuration. Field names are those of transformers. */

import type { ConfigReader } from "./config-reader.ts";
import { allLayers, everyNth, indexLayers, otherLayers } from "./layers.ts";
import type {
    AttentionKind,
    Experts,
    LatentAttention,
    LinearAttention,
    ModelStructure,
    SlidingWindow,
    SparseIndex,
    VisionTower,
} from "./profile.ts";

const FULL = new Set(["full_attention", "attention", "indexed_attention"]);

/** Reads the structure; problems are noted in the reader. */
export function structureFromConfig(reader: ConfigReader): ModelStructure {
    const layers = reader.required("num_hidden_layers");
    const heads = reader.required("num_attention_heads");
    const hidden = reader.required("hidden_size");
    const mla = latent(reader);
    const kinds = layerKinds(reader, layers);
    const linear = linearAttention(reader, kinds);
    const window = slidingWindow(reader, kinds, heads, hidden);
    const full = otherLayers(layers, [...(linear?.layers ?? []), ...(window?.layers ?? [])]);
    const index = mla && sparseIndex(reader, layers, full);
    const headDim = mla ? mla.nope + mla.rope : reader.optional("head_dim", heads > 0 ? hidden / heads : 0);
    const experts = mixture(reader, layers);
    refuseUnknown(reader, mla !== undefined, linear !== undefined);
    return {
        attention: attentionKind(mla, index, linear, window),
        layers,
        hidden,
        heads,
        kvHeads: mla ? heads : reader.required("num_key_value_heads"),
        headDim,
        vHeadDim: reader.optional("v_head_dim", headDim),
        fullLayers: full,
        ...(mla && { mla }),
        ...(index && { index }),
        ...(linear && { linear }),
        ...(window && { window }),
        ...(experts && { experts }),
        denseIntermediate: denseWidth(reader, experts),
        outputGate: reader.value("attn_output_gate") === true || reader.modelType() === "qwen3_next",
        vocab: reader.required("vocab_size"),
        tiedEmbeddings: reader.value("tie_word_embeddings") === true,
        context: reader.required("max_position_embeddings"),
        mtpLayers: reader.optional(["num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers"], 0),
        ...visionTower(reader),
    };
}

/**
 * Fields that change what a token costs and that nothing here reads: a model with one of them is not planned as plain attention.
 * MiniMax-M3: `sparse_attention_config`, an index cache beside keys and values (sglang 0.5.23 srt/model_executor/pool_configurator.py).
 * DeepSeek-V4: `compress_ratios`. Gemma: `sliding_window_pattern`. Llama 4: `attention_chunk_size`. Mamba: `hybrid_override_pattern`.
 */
const unread = [
    "sparse_attention_config",
    "dual_chunk_attention_config",
    "compress_ratios",
    "compress_ratio",
    "sliding_window_pattern",
    "attention_chunk_size",
    "hybrid_override_pattern",
    "layers_block_type",
    "attn_type_list",
    "num_kv_shared_layers",
    "ssm_cfg",
    "state_size",
    "mamba_d_state",
    "linear_attn_config",
    "lightning_attention",
    "sparse_config",
    "moba_config",
];

function refuseUnknown(reader: ConfigReader, latentAttention: boolean, linear: boolean): void {
    const absent = (value: unknown) => value === undefined || value === false || value === 0;
    const pooled = ["index_topk", "index_head_dim", "index_n_heads"].filter(() => !latentAttention);
    const states = ["linear_num_value_heads", "linear_num_heads"].filter(() => !linear);
    for (const name of [...unread, ...pooled, ...states].filter((field) => !absent(reader.value(field)))) {
        reader.problem(`${name} is set, and what it keeps for each token is not known`);
    }
}

function latent(reader: ConfigReader): LatentAttention | undefined {
    if (reader.value("kv_lora_rank") === undefined) {
        return undefined;
    }
    return {
        kvLora: reader.required("kv_lora_rank"),
        qLora: reader.optional("q_lora_rank", 0),
        nope: reader.required("qk_nope_head_dim"),
        rope: reader.required("qk_rope_head_dim"),
    };
}

function sparseIndex(reader: ConfigReader, layers: number, full: readonly number[]): SparseIndex | undefined {
    if (reader.value("index_topk") === undefined) {
        return undefined;
    }
    const types = reader.texts("indexer_types");
    const pattern = reader.value("index_topk_pattern");
    let computing: readonly number[];
    if (types) {
        computing = allLayers(layers).filter((i) => types[i] !== "shared");
    } else if (typeof pattern === "string") {
        computing = allLayers(layers).filter((i) => pattern[i] !== "S");
    } else {
        computing = indexLayers(
            layers,
            reader.optional("index_topk_freq", 1),
            reader.optional("index_skip_topk_offset", 2),
        );
    }
    const set = new Set(full);
    return {
        headDim: reader.required("index_head_dim"),
        heads: reader.required("index_n_heads"),
        topK: reader.required("index_topk"),
        kpool: reader.optional("index_kpool", 1),
        layers: computing.filter((i) => set.has(i)),
    };
}

/** Kind of each layer as the configuration names it; every layer is full attention where it names none. */
function layerKinds(reader: ConfigReader, layers: number): readonly string[] {
    const named = reader.texts("layer_types");
    if (named) {
        if (named.length !== layers) {
            reader.problem(`layer_types has ${named.length} entries for ${layers} layers`);
        }
        return named;
    }
    const interval = reader.optional("full_attention_interval", 0);
    if (interval > 1) {
        const full = new Set(everyNth(layers, interval));
        return allLayers(layers).map((i) => (full.has(i) ? "full_attention" : "linear_attention"));
    }
    return allLayers(layers).map(() => "full_attention");
}

function linearAttention(reader: ConfigReader, kinds: readonly string[]): LinearAttention | undefined {
    const layers = kinds.flatMap((kind, i) => (kind === "linear_attention" ? [i] : []));
    if (layers.length === 0) {
        return undefined;
    }
    const dtype = reader.value("mamba_ssm_dtype");
    const shared: Pick<LinearAttention, "layers" | "convKernel" | "ssmDtype"> = {
        layers,
        convKernel: reader.required(["linear_conv_kernel_dim", "short_conv_kernel_size"]),
        ssmDtype: dtype === "bfloat16" || dtype === "float16" ? dtype : "float32",
    };
    if (reader.value("linear_num_value_heads") === undefined && reader.value("linear_num_heads") !== undefined) {
        const heads = reader.required("linear_num_heads");
        const width = reader.required("linear_head_dim");
        return { kind: "kda", keyHeads: heads, valueHeads: heads, keyDim: width, valueDim: width, ...shared };
    }
    return {
        kind: "gdn",
        keyHeads: reader.required("linear_num_key_heads"),
        valueHeads: reader.required("linear_num_value_heads"),
        keyDim: reader.required("linear_key_head_dim"),
        valueDim: reader.required("linear_value_head_dim"),
        ...shared,
    };
}

function slidingWindow(
    reader: ConfigReader,
    kinds: readonly string[],
    heads: number,
    hidden: number,
): SlidingWindow | undefined {
    const layers = kinds.flatMap((kind, i) => (kind === "sliding_attention" ? [i] : []));
    const unknown = [...new Set(kinds)].filter(
        (kind) => !FULL.has(kind) && kind !== "linear_attention" && kind !== "sliding_attention",
    );
    for (const kind of unknown) {
        reader.problem(`layer_types names ${JSON.stringify(kind)}, whose cache is not known`);
    }
    if (layers.length === 0) {
        return undefined;
    }
    const headDim = reader.optional(["swa_head_dim", "head_dim"], heads > 0 ? hidden / heads : 0);
    return {
        window: reader.required("sliding_window"),
        layers,
        kvHeads: reader.required(["swa_num_key_value_heads", "num_key_value_heads"]),
        headDim,
        vHeadDim: reader.optional(["swa_v_head_dim", "v_head_dim"], headDim),
    };
}

function mixture(reader: ConfigReader, layers: number): Experts | undefined {
    const names = ["n_routed_experts", "num_experts", "num_local_experts"];
    if (reader.value(...names) === undefined) {
        return undefined;
    }
    const intermediate = reader.required(["moe_intermediate_size", "intermediate_size"]);
    const sharedWidth = reader.optional("shared_expert_intermediate_size", 0);
    const mlpTypes = reader.texts("mlp_layer_types");
    return {
        routed: reader.required(names),
        topK: reader.required(["num_experts_per_tok", "experts_per_token"]),
        intermediate,
        sharedIntermediate: sharedWidth || reader.optional("n_shared_experts", 0) * intermediate,
        denseLayers: Math.min(
            layers,
            mlpTypes ? mlpTypes.filter((t) => t === "dense").length : reader.optional("first_k_dense_replace", 0),
        ),
    };
}

function denseWidth(reader: ConfigReader, experts: Experts | undefined): number {
    if (experts && experts.denseLayers === 0) {
        return 0;
    }
    return reader.required("intermediate_size");
}

function attentionKind(
    mla: LatentAttention | undefined,
    index: SparseIndex | undefined,
    linear: LinearAttention | undefined,
    window: SlidingWindow | undefined,
): AttentionKind {
    if (linear) {
        return linear.kind === "gdn" ? "hybrid-gdn" : "hybrid-kda-dsa";
    }
    if (window) {
        return "hybrid-swa";
    }
    return index ? "dsa" : mla ? "mla" : "gqa";
}

/** Vision tower, when the configuration has one. SGLang's class for Kimi gives the `vt_` names their usual ones. */
function visionTower(reader: ConfigReader): { vision?: VisionTower } {
    const vision = reader.object("vision_config");
    if (!vision) {
        return {};
    }
    const number = (...names: string[]) =>
        names.map((n) => vision[n]).find((v) => typeof v === "number") as number | undefined;
    const layers = number("num_hidden_layers", "vt_num_hidden_layers", "depth") ?? 24;
    const hidden = number("hidden_size", "vt_hidden_size") ?? 1024;
    return {
        vision: {
            layers,
            hidden,
            intermediate: number("intermediate_size", "vt_intermediate_size") ?? 4 * hidden,
            asRead: {
                layers: number("num_hidden_layers", "vt_num_hidden_layers") ?? 24,
                hidden: number("hidden_size", "vt_hidden_size") ?? 1024,
            },
        },
    };
}
