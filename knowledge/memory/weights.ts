/**
 * Weights on one GPU. A logged figure wins over the formula, which counts parameters by part, divides what tensor parallelism divides,
 * and adds what loading was seen to add.
 */

import type { BytesByLayer, Checkpoint, ModelStructure } from "../models/profile.ts";
import type { MemoryInput } from "./input.ts";
import { attentionTp, type Stage } from "./parallel.ts";
import { draftKind, usesOwnMtp } from "./speculation.ts";

const GIB = 2 ** 30;

/** GiB on one GPU, and where the figure comes from. */
export interface Weights {
    readonly gib: number;
    readonly source: string;
    /** How far off it may be, GiB. */
    readonly uncertainty: number;
    /** Whether somebody's log shows the figure, or the user gives it: only then may a shortfall refuse. */
    readonly shown: boolean;
}

/** Weights of the target on one GPU of a stage. */
export function targetWeights(input: MemoryInput, checkpoint: Checkpoint, stage: Stage): Weights {
    if (input.weightsGiB !== undefined) {
        return { gib: input.weightsGiB, source: "given", uncertainty: 0.05, shown: true };
    }
    const whole = (input.pp ?? 1) === 1 && !input.dpAttention;
    const logged = whole ? checkpoint.loggedWeights.find((entry) => entry.tp === input.tp) : undefined;
    if (logged) {
        return { gib: logged.gib, source: logged.source, uncertainty: 0.1, shown: true };
    }
    const { structure } = input.profile;
    const extra = structure.mla && holdsFourBits(checkpoint) ? 1.5 : 0.3;
    const measured = measuredShare(input, checkpoint);
    if (measured !== undefined) {
        return {
            gib: (stageBytes(input, checkpoint, stage) * measured) / GIB + extra,
            source: `the index of its files, ${checkpoint.tensors!.bytes} bytes in all, with ${extra} GiB for what loading adds`,
            uncertainty: 0.5,
            shown: false,
        };
    }
    return {
        gib: stageBytes(input, checkpoint, stage) / GIB + extra,
        source: `formula over the parameters, with ${extra} GiB for what loading adds`,
        uncertainty: 1.5,
        shown: false,
    };
}

/** How far the checkpoint's files are from the formula; nothing where no index was read, or it is of something else. */
function measuredShare(input: MemoryInput, checkpoint: Checkpoint): number | undefined {
    const { tensors } = checkpoint;
    if (!tensors) {
        return undefined;
    }
    const { structure } = input.profile;
    const whole = { start: 0, end: structure.layers };
    const alone = { ...input, tp: 1, pp: 1, dp: 1, dpAttention: false };
    const copies = structure.mla ? 2 * upProjection(structure) * structure.fullLayers.length : 0;
    const hasMtp = structure.mtpLayers > 0 && (tensors.namesMtp || tensors.layers > structure.layers);
    const embeddings = 4 * structure.vocab * structure.hidden;
    const mtp = hasMtp ? mtpBytes(alone, checkpoint) - embeddings : 0;
    const share = tensors.bytes / (stageBytes(alone, checkpoint, whole) - copies + mtp);
    return share > 0.8 && share < 1.25 ? share : undefined;
}

/** Whether routed experts are four bits wide somewhere. */
function holdsFourBits({ stored }: Checkpoint): boolean {
    return [stored.experts].flat().some((bytes) => bytes < 1);
}

/** Bytes on one GPU by the bare formula, without what loading adds. Counted layer by layer: formats differ between layers. */
export function stageBytes(input: MemoryInput, checkpoint: Checkpoint, stage: Stage): number {
    const { structure } = input.profile;
    const { stored } = checkpoint;
    const parts = partsOf(structure);
    const attnTp = attentionTp(input);
    const kvSplit = Math.min(attnTp, structure.kvHeads);
    const full = new Set([...structure.fullLayers, ...(structure.window?.layers ?? [])]);
    const linear = new Set(structure.linear?.layers);
    const index = new Set(structure.index?.layers);
    const attention = parts.attentionSharded / attnTp + parts.attentionReplicated + parts.attentionKv / kvSplit;
    const copies = structure.mla ? (upProjection(structure) * 2) / attnTp : 0;
    const dense = denseLayersOf(structure);
    let bytes = embeddingBytes(input, structure, stage, stored.head ?? 2) + visionBytes(structure);
    for (let layer = stage.start; layer < stage.end; layer++) {
        const at = (values: BytesByLayer) => (typeof values === "number" ? values : values[layer]!);
        bytes += full.has(layer) ? attention * at(stored.attention) + copies : 0;
        bytes += linear.has(layer) ? (parts.linear / attnTp) * at(stored.linear ?? stored.attention) : 0;
        bytes += linear.has(layer) ? (parts.convolution / attnTp) * 2 : 0;
        bytes += index.has(layer) ? parts.index * at(stored.index ?? 2) : 0;
        bytes +=
            layer < dense
                ? (parts.dense * at(stored.denseMlp)) / input.tp
                : (parts.experts * at(stored.experts) + parts.sharedExperts * at(stored.sharedExperts)) / input.tp +
                  parts.router * 2;
    }
    return bytes;
}

/** Weights of the draft on one GPU; zero without one. */
export function draftWeights(input: MemoryInput, checkpoint: Checkpoint): Weights {
    const kind = draftKind(input.speculative);
    if (kind === "none" || kind === "ngram") {
        return { gib: 0, source: "no draft", uncertainty: 0, shown: true };
    }
    if (input.speculative?.draftWeightsGiB !== undefined) {
        return { gib: input.speculative.draftWeightsGiB, source: "given", uncertainty: 0.05, shown: true };
    }
    if (!usesOwnMtp(input.speculative)) {
        return {
            gib: 2,
            source: "guess for a draft of its own: its weights are unverified",
            uncertainty: 2,
            shown: false,
        };
    }
    const logged = checkpoint.loggedDraft.find((entry) => entry.tp === input.tp);
    return logged
        ? { gib: logged.gib, source: logged.source, uncertainty: 0.1, shown: true }
        : {
              gib: mtpBytes(input, checkpoint) / GIB,
              source: "formula over the prediction block",
              uncertainty: 0.5,
              shown: false,
          };
}

/** One full layer, the projection of hidden state and embedding, and copies of both embeddings. */
function mtpBytes(input: MemoryInput, checkpoint: Checkpoint): number {
    const { structure } = input.profile;
    const parts = partsOf(structure);
    const layer =
        parts.attentionSharded +
        parts.attentionKv +
        parts.experts +
        parts.sharedExperts +
        (structure.experts ? 0 : parts.dense);
    const projection = 2 * structure.hidden ** 2;
    const blocks = Math.max(1, structure.mtpLayers);
    return (
        (blocks * (layer + projection) * checkpoint.stored.mtp + 2 * structure.vocab * structure.hidden * 2) /
            input.tp +
        blocks * parts.attentionReplicated * checkpoint.stored.mtp
    );
}

/** Parameters of one layer, by how they are stored and divided. */
interface Parts {
    readonly attentionSharded: number;
    /** On every GPU: latent down-projections. */
    readonly attentionReplicated: number;
    /** Keys and values of grouped heads: divided by at most the number of heads. */
    readonly attentionKv: number;
    readonly linear: number;
    /** Short convolution of linear attention, always 16 bits. */
    readonly convolution: number;
    readonly experts: number;
    readonly sharedExperts: number;
    readonly dense: number;
    readonly router: number;
    readonly index: number;
}

function partsOf(s: ModelStructure): Parts {
    const moe = s.experts;
    return {
        ...attentionParts(s),
        ...linearParameters(s),
        experts: moe ? moe.routed * 3 * s.hidden * moe.intermediate : 0,
        sharedExperts: moe ? 3 * s.hidden * moe.sharedIntermediate : 0,
        dense: 3 * s.hidden * s.denseIntermediate,
        router: moe ? s.hidden * moe.routed : 0,
        index: s.index
            ? (s.mla?.qLora ?? 0) * s.index.heads * s.index.headDim + s.hidden * (s.index.headDim + s.index.heads)
            : 0,
    };
}

function attentionParts(s: ModelStructure): Pick<Parts, "attentionSharded" | "attentionReplicated" | "attentionKv"> {
    if (s.mla) {
        const { kvLora, qLora, nope, rope } = s.mla;
        const query = s.heads * (nope + rope);
        return {
            attentionSharded:
                (qLora > 0 ? qLora * query : s.hidden * query) + upProjection(s) + s.heads * s.vHeadDim * s.hidden,
            attentionReplicated: s.hidden * (qLora + kvLora + rope),
            attentionKv: 0,
        };
    }
    const query = s.hidden * s.heads * s.headDim;
    return {
        attentionSharded: query * (s.outputGate ? 2 : 1) + s.heads * s.vHeadDim * s.hidden,
        attentionReplicated: 0,
        attentionKv: s.hidden * s.kvHeads * (s.headDim + s.vHeadDim),
    };
}

/** Up-projection of latent attention; SGLang keeps a bf16 copy of it, split into its key and value halves. */
export function upProjection(s: ModelStructure): number {
    return s.mla ? s.mla.kvLora * s.heads * (s.mla.nope + s.vHeadDim) : 0;
}

/** Query, key, value, gate and output projections of linear attention, and the convolution. */
function linearParameters(s: ModelStructure): Pick<Parts, "linear" | "convolution"> {
    if (!s.linear) {
        return { linear: 0, convolution: 0 };
    }
    const { keyHeads, keyDim, valueHeads, valueDim, convKernel } = s.linear;
    const mixed = 2 * keyHeads * keyDim + valueHeads * valueDim;
    return {
        linear: s.hidden * (mixed + 2 * valueHeads * valueDim + 2 * valueHeads),
        convolution: mixed * convKernel,
    };
}

/** Layers at the start with a dense MLP. */
function denseLayersOf(s: ModelStructure): number {
    return s.experts ? s.experts.denseLayers : s.layers;
}

/** Input embedding on the first stage, output embedding on the last. Attention data-parallelism replicates the first. */
function embeddingBytes(input: MemoryInput, s: ModelStructure, stage: Stage, head: number): number {
    const matrix = s.vocab * s.hidden;
    const first = stage.start === 0 ? (matrix * 2) / (input.dpAttention ? 1 : input.tp) : 0;
    const last = stage.end === s.layers && !(s.tiedEmbeddings && stage.start === 0) ? (matrix * head) / input.tp : 0;
    return first + last;
}

/** The vision tower is on every GPU. */
function visionBytes(s: ModelStructure): number {
    return s.vision
        ? s.vision.layers * (4 * s.vision.hidden ** 2 + 2 * s.vision.hidden * s.vision.intermediate) * 2
        : 0;
}
