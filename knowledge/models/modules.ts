/** The linear modules of a model by layer, with their names in checkpoints and their sizes: what a quantization configuration points at. */

import type { ModelStructure } from "./profile.ts";

/** Part of a model that is counted by itself. */
export type Part = "experts" | "sharedExperts" | "denseMlp" | "attention" | "linear" | "index" | "mtp" | "head";

/** One linear module. */
export interface Module {
    readonly part: Part;
    /** Names that checkpoints use, without prefix; the first is the usual one. */
    readonly names: readonly string[];
    readonly parameters: number;
}

/** Modules of one layer of the text model. */
export function modulesOfLayer(structure: ModelStructure, layer: number): readonly Module[] {
    return modulesAt(structure, layer, [`layers.${layer}`]);
}

/** Modules of the multi-token-prediction blocks; they stand as `mtp.layers.0` or as the layer after the last. */
export function modulesOfMtp(structure: ModelStructure): readonly Module[] {
    const attention = structure.fullLayers.at(-1) ?? structure.layers - 1;
    return Array.from({ length: structure.mtpLayers }, (_, block) => {
        const names = [`mtp.layers.${block}`, `layers.${structure.layers + block}`];
        const projection: Module = {
            part: "mtp",
            names: names.map((name) => `${name}.eh_proj`).concat("mtp.fc"),
            parameters: 2 * structure.hidden ** 2,
        };
        const layer = modulesAt(structure, attention, names, true);
        return [projection, ...layer.map((module): Module => ({ ...module, part: "mtp" }))];
    }).flat();
}

/** The output embedding. */
export function headOf({ vocab, hidden }: ModelStructure): Module {
    return { part: "head", names: ["lm_head"], parameters: vocab * hidden };
}

function modulesAt(
    structure: ModelStructure,
    layer: number,
    roots: readonly string[],
    sparse = layer >= (structure.experts?.denseLayers ?? Number.POSITIVE_INFINITY),
): Module[] {
    const module = (part: Part, parameters: number, ...names: string[]): Module => ({
        part,
        parameters,
        names: roots.flatMap((root) => names.map((name) => `${root}.${name}`)),
    });
    const linear = structure.linear?.layers.includes(layer);
    return [
        ...(linear ? linearModules(structure, module) : attentionModules(structure, layer, module)),
        ...mlpModules(structure, sparse && structure.experts !== undefined, module),
    ];
}

type Make = (part: Part, parameters: number, ...names: string[]) => Module;

function attentionModules(s: ModelStructure, layer: number, module: Make): Module[] {
    const attention = (parameters: number, ...names: string[]) =>
        module(
            "attention",
            parameters,
            ...names.flatMap((name) => [`self_attn.${name}`, `attn.${name}`, `attention.${name}`]),
        );
    if (s.mla) {
        const { kvLora, qLora, nope, rope } = s.mla;
        const query = s.heads * (nope + rope);
        return [
            ...(qLora > 0
                ? [attention(s.hidden * qLora, "q_a_proj"), attention(qLora * query, "q_b_proj")]
                : [attention(s.hidden * query, "q_proj")]),
            attention(s.hidden * (kvLora + rope), "kv_a_proj_with_mqa"),
            attention(kvLora * s.heads * (nope + s.vHeadDim), "kv_b_proj"),
            attention(s.heads * s.vHeadDim * s.hidden, "o_proj"),
            ...(s.index?.layers.includes(layer) ? indexModules(s, module) : []),
        ];
    }
    const windowed = s.window?.layers.includes(layer) ? s.window : undefined;
    const { kvHeads, headDim, vHeadDim } = windowed ?? s;
    return [
        attention(s.hidden * s.heads * headDim * (s.outputGate ? 2 : 1), "q_proj", "qkv_proj"),
        attention(s.hidden * kvHeads * headDim, "k_proj", "qkv_proj"),
        attention(s.hidden * kvHeads * vHeadDim, "v_proj", "qkv_proj"),
        attention(s.heads * vHeadDim * s.hidden, "o_proj"),
    ];
}

function indexModules(s: ModelStructure, module: Make): Module[] {
    const { heads, headDim } = s.index!;
    return [
        module("index", (s.mla?.qLora ?? 0) * heads * headDim, "self_attn.indexer.wq_b"),
        module("index", s.hidden * headDim, "self_attn.indexer.wk"),
        module("index", s.hidden * heads, "self_attn.indexer.weights_proj"),
    ];
}

function linearModules(s: ModelStructure, module: Make): Module[] {
    const { keyHeads, keyDim, valueHeads, valueDim, kind } = s.linear!;
    const root = kind === "gdn" ? "linear_attn" : "self_attn";
    const linear = (parameters: number, ...names: string[]) =>
        module("linear", parameters, ...names.map((name) => `${root}.${name}`));
    const values = valueHeads * valueDim;
    return [
        linear(s.hidden * (2 * keyHeads * keyDim + values), "in_proj_qkv", "in_proj_qkvz", "q_proj"),
        linear(s.hidden * values, "in_proj_z", "in_proj_qkvz", "g_proj"),
        linear(s.hidden * valueHeads, "in_proj_b", "in_proj_ba", "b_proj"),
        linear(s.hidden * valueHeads, "in_proj_a", "in_proj_ba", "f_proj"),
        linear(values * s.hidden, "out_proj", "o_proj"),
    ];
}

function mlpModules(s: ModelStructure, sparse: boolean, module: Make): Module[] {
    const three = (part: Part, each: number, ...roots: string[]) =>
        [
            ["gate_proj", "gate_up_proj", "w1"],
            ["up_proj", "gate_up_proj", "w3"],
            ["down_proj", "w2"],
        ].map((names) =>
            module(
                part,
                each,
                ...roots.flatMap((root) => names.map((name) => `${root}.${name}`)),
                ...roots.filter((root) => root.endsWith(".experts")),
            ),
        );
    if (!sparse || s.experts === undefined) {
        return three("denseMlp", s.hidden * s.denseIntermediate, "mlp");
    }
    const { routed, intermediate, sharedIntermediate } = s.experts;
    return [
        ...three(
            "experts",
            routed * s.hidden * intermediate,
            "mlp.experts.0",
            "mlp.experts",
            "block_sparse_moe.experts.0",
            "block_sparse_moe.experts",
        ),
        ...(sharedIntermediate > 0
            ? three("sharedExperts", s.hidden * sharedIntermediate, "mlp.shared_expert", "mlp.shared_experts")
            : []),
    ];
}
