/**
 * Bytes of one token in the KV pool of one GPU ("cell").
 * sglang 0.5.23 srt/model_executor/pool_configurator.py; up to 0.5.10 srt/model_executor/model_runner_kv_cache_mixin.py.
 */

import { compareVersions } from "../base/version.ts";
import type { ModelStructure } from "../models/profile.ts";
import type { MemoryInput } from "./input.ts";
import { attentionTp, countOn, type Stage } from "./parallel.ts";
import { traitsOf } from "./release-traits.ts";
import { draftKind, draftLayers } from "./speculation.ts";

/** Size of a token on one stage. */
export interface Cell {
    /** Bytes that SGLang divides its budget by; the draft's share included where the release counts it. */
    readonly bytes: number;
    /** Bytes that the pool then takes; larger than `bytes` where a release sizes too small. */
    readonly allocated: number;
    /** Bytes of the draft's own pool where the release does not count it; taken from the headroom later. */
    readonly uncountedDraft: number;
    /** Bytes of the sliding-window layers per token of their own pool; 0 without such layers. */
    readonly window: number;
    /** `swa-full-tokens-ratio` in effect. */
    readonly windowRatio: number;
}

/** Resolved KV cache dtype: `auto` becomes fp8 for sparse attention on this card and for checkpoints calibrated for it, else bf16. */
export function resolveKvDtype(input: MemoryInput, calibrated: boolean): string {
    const wanted = input.kvCacheDtype ?? "auto";
    if (wanted === "bf16") {
        return "bfloat16";
    }
    if (wanted !== "auto") {
        return wanted;
    }
    return input.profile.structure.index !== undefined || calibrated ? "fp8_e4m3" : "bfloat16";
}

/** Size of a token on a pipeline stage, for a resolved dtype. */
export function cellOf(input: MemoryInput, dtype: string, stage: Stage): Cell {
    const traits = traitsOf(input.release);
    const { structure } = input.profile;
    const full = countOn(stage, structure.fullLayers);
    const ratio = input.swaFullTokensRatio ?? 0.8;
    const kind = draftKind(input.speculative);
    const drafts = draftLayers(input.profile, input.speculative);
    const counted = kind === "dflash" ? traits.dflashCounted : traits.draftCounted;
    if (structure.window) {
        const perFull = perHeads(input, structure.kvHeads, structure.headDim, structure.vHeadDim, dtype);
        const { kvHeads, headDim, vHeadDim, layers } = structure.window;
        const window = perHeads(input, kvHeads, headDim, vHeadDim, dtype) * countOn(stage, layers);
        const bytes = full > 0 ? perFull * (full + (counted ? drafts : 0)) + ratio * window : window;
        return { bytes, allocated: bytes, uncountedDraft: counted ? 0 : perFull * drafts, window, windowRatio: ratio };
    }
    const target = targetBytes(input, dtype, stage, full, traits.sparseRealWidth);
    const stored = traits.sparseRealWidth ? target : targetBytes(input, dtype, stage, full, true);
    const draft = drafts > 0 && full > 0 ? draftBytes(input, target, full, drafts, stage) : 0;
    return {
        bytes: Math.floor(target + (counted ? draft : 0)),
        allocated: Math.floor(stored + (counted ? draft : 0)),
        uncountedDraft: counted ? 0 : draft,
        window: 0,
        windowRatio: ratio,
    };
}

function targetBytes(input: MemoryInput, dtype: string, stage: Stage, full: number, realWidth: boolean): number {
    const { structure } = input.profile;
    if (!structure.mla) {
        return grouped(input, dtype, full);
    }
    const raw = structure.mla.kvLora + structure.mla.rope;
    const width = realWidth && structure.index ? sparseWidth(input, dtype, structure) : raw;
    let bytes = width * full * elementBytes(dtype);
    if (isFourBit(dtype)) {
        bytes = Math.floor(bytes / 2) + Math.floor(raw / 16) * full;
    }
    return bytes + indexBytes(structure, indexLayerCount(input, structure, stage, full));
}

/** Keys and values of `layers` layers with grouped heads, scales included. */
function grouped(input: MemoryInput, dtype: string, layers: number): number {
    const { kvHeads, headDim, vHeadDim } = input.profile.structure;
    const bytes = perHeads(input, kvHeads, headDim, vHeadDim, dtype) * layers;
    if (isFourBit(dtype)) {
        const heads = headsPerGpu(input, kvHeads);
        return Math.floor(bytes / 2) + Math.floor((heads * headDim * layers * 2) / 16);
    }
    return bytes;
}

function perHeads(input: MemoryInput, kvHeads: number, headDim: number, vHeadDim: number, dtype: string): number {
    const values = headsPerGpu(input, kvHeads) * (headDim + vHeadDim);
    return values * elementBytes(dtype) + (dtype === "mxfp8" ? Math.floor(values / 32) : 0);
}

/** Each GPU keeps at least one head, so that more GPUs than heads save nothing. */
function headsPerGpu(input: MemoryInput, kvHeads: number): number {
    return Math.max(1, Math.floor(kvHeads / attentionTp(input)));
}

/**
 * Elements of a sparse-attention row. fp8 keeps a scale per 128 values and the rotary part in bf16, except in the raw layout of trtllm
 * (either side) and of tilelang (both sides).
 */
function sparseWidth(input: MemoryInput, dtype: string, structure: ModelStructure): number {
    const { kvLora, rope } = structure.mla!;
    const [prefill, decode] = sparseBackends(input);
    const rawLayout = prefill === "trtllm" || decode === "trtllm" || (prefill === "tilelang" && decode === "tilelang");
    return dtype === "fp8_e4m3" && !rawLayout ? kvLora + (kvLora / 128) * 4 + rope * 2 : kvLora + rope;
}

/**
 * Sparse backends in effect on this card. From 0.5.10 an fp8 cache gets trtllm; from 0.5.17 GLM gets flashinfer_sparse_mla.
 * sglang 0.5.23 srt/arg_groups/overrides.py; measured for each release.
 */
function sparseBackends(input: MemoryInput): readonly [string, string] {
    const traits = traitsOf(input.release);
    const glm = input.profile.architecture === "GlmMoeDsaForCausalLM";
    const byRelease =
        compareVersions(input.release, "0.5.10") < 0
            ? "flashmla_kv"
            : traits.sparseRealWidth && glm
              ? "flashinfer_sparse_mla"
              : "trtllm";
    return [input.dsaPrefillBackend ?? byRelease, input.dsaDecodeBackend ?? byRelease];
}

/** An index key of 8-bit values with a scale per 128, shared by `kpool` tokens. */
function indexBytes(structure: ModelStructure, layers: number): number {
    if (!structure.index) {
        return 0;
    }
    const { headDim, kpool } = structure.index;
    return Math.ceil((headDim + Math.floor(headDim / 128) * 4) / kpool) * layers;
}

function indexLayerCount(input: MemoryInput, structure: ModelStructure, stage: Stage, full: number): number {
    return traitsOf(input.release).sharedIndexElided && structure.index ? countOn(stage, structure.index.layers) : full;
}

/** The draft's share: its layers at the target's size; from 0.5.18 a sparse draft has an index key in each of its layers. */
function draftBytes(input: MemoryInput, target: number, full: number, drafts: number, stage: Stage): number {
    const { structure } = input.profile;
    if (!structure.index || !traitsOf(input.release).sharedIndexElided) {
        return Math.floor((target * drafts) / full);
    }
    const index = indexBytes(structure, indexLayerCount(input, structure, stage, full));
    return Math.floor(((target - index) * drafts) / full) + indexBytes(structure, drafts);
}

/** Bytes of one element. Four-bit formats count 1 and are halved afterwards, as SGLang does. */
function elementBytes(dtype: string): number {
    return dtype === "bfloat16" || dtype === "float16" ? 2 : 1;
}

function isFourBit(dtype: string): boolean {
    return dtype.startsWith("fp4") || dtype === "nvfp4";
}
