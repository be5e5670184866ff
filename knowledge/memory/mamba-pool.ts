/**
 * The pool of recurrent states of models with linear attention: it comes off the budget before the KV pool.
 * sglang 0.5.23 srt/mem_cache/kv_cache_configurator.py `_handle_max_mamba_cache`, srt/configs/mamba_utils.py.
 */

import type { LinearAttention } from "../models/profile.ts";
import type { MemoryInput } from "./input.ts";
import { attentionDp, attentionTp, countOn, stagesOf } from "./parallel.ts";
import { traitsOf } from "./release-traits.ts";
import { draftTokens } from "./speculation.ts";

const GIB = 2 ** 30;

/** Sizes of the pool. */
export interface MambaPool {
    /** Bytes of one request's states on one GPU. */
    readonly perRequest: number;
    /** Slots; 0 or less when there is no room. */
    readonly slots: number;
    /** Bytes of all slots, padding included. */
    readonly stateBytes: number;
    /** Bytes of the states between draft tokens. */
    readonly intermediateBytes: number;
    /** Slots that one running request takes. */
    readonly slotsPerRequest: number;
}

/** Bytes of one request's states in one layer: the convolution's last columns in bf16, and the recurrent state. */
export function stateBytesPerLayer(linear: LinearAttention, tp: number, ssmDtype: LinearAttention["ssmDtype"]): number {
    const spareGroups = linear.kind === "gdn" && linear.keyHeads % tp !== 0 ? tp - linear.keyHeads : 0;
    const mixed = 2 * (linear.keyHeads + spareGroups) * linear.keyDim + linear.valueHeads * linear.valueDim;
    const convolution = (mixed / tp) * (linear.convKernel - 1) * 2;
    const state = (linear.valueHeads / tp) * linear.valueDim * linear.keyDim * (ssmDtype === "float32" ? 4 : 2);
    return convolution + state;
}

/** Slots that a running request takes: 1 without prefix cache, else 3 and what the strategy tracks. */
export function slotsPerRequest(input: MemoryInput): number {
    if (input.disableRadixCache) {
        return 1;
    }
    const traits = traitsOf(input.release);
    const overlap = !input.disableOverlapSchedule;
    const strategy = input.mamba?.strategy ?? "auto";
    const resolved =
        strategy === "auto" ? (traits.mambaExtraBuffer && overlap ? "extra_buffer" : "no_buffer") : strategy;
    if (resolved === "no_buffer") {
        return 3;
    }
    return resolved === "extra_buffer_lazy" || !overlap ? 4 : 5;
}

/** Requests per attention group that the speculative states are sized for. SGLang sets 48 when a draft is on and none is given. */
function runningRequests(input: MemoryInput): number | undefined {
    const wanted = input.maxRunningRequests ?? (input.speculative ? 48 : undefined);
    return wanted === undefined ? undefined : Math.max(1, Math.floor(wanted / attentionDp(input)));
}

/** Layers whose states one GPU keeps: all of them, or from 0.5.17 those of the fullest pipeline stage. */
function layersKept(input: MemoryInput, linear: LinearAttention): number {
    const pp = input.pp ?? 1;
    if (pp === 1 || !traitsOf(input.release).mambaPadding) {
        return linear.layers.length;
    }
    return Math.max(...stagesOf(input.profile.structure, pp).map((stage) => countOn(stage, linear.layers)));
}

/** Slots that are fixed before the budget is looked at: the given size, or one per request without prefix cache. */
function fixedSlots(input: MemoryInput): number | undefined {
    const size = input.mamba?.cacheSize;
    if (size !== undefined) {
        return Math.floor(size / attentionDp(input));
    }
    return input.disableRadixCache ? runningRequests(input) : undefined;
}

/** Sizes the pool out of the bytes that are left after the weights; undefined for models without linear attention. */
export function mambaPool(input: MemoryInput, restBytes: number): MambaPool | undefined {
    const { linear } = input.profile.structure;
    if (!linear) {
        return undefined;
    }
    const traits = traitsOf(input.release);
    const padding = traits.mambaPadding ? 1 : 0;
    const ssmDtype = input.mamba?.ssmDtype ?? linear.ssmDtype;
    const perRequest = Math.floor(stateBytesPerLayer(linear, attentionTp(input), ssmDtype) * layersKept(input, linear));
    const ratio = slotsPerRequest(input);
    const drafts = draftTokens(input.speculative);
    const requests = runningRequests(input) ?? 0;
    const share = (input.mamba?.fullMemoryRatio ?? 0.9) / (1 + (input.mamba?.fullMemoryRatio ?? 0.9));

    if (!traits.mambaJointSolve) {
        const intermediateBytes = perRequest * drafts * requests;
        const slots = fixedSlots(input) ?? Math.floor(((restBytes - intermediateBytes) * share) / perRequest);
        return pool(slots, intermediateBytes);
    }
    const perSlot = perRequest * (1 + drafts / ratio);
    const slots = fixedSlots(input) ?? Math.floor((restBytes * share - padding * perRequest * (1 + drafts)) / perSlot);
    const oneEach = input.mamba?.cacheSize === undefined && input.disableRadixCache === true;
    const between = oneEach ? slots : Math.min(requests, Math.floor(slots / ratio));
    return pool(slots, drafts > 0 && slots > 0 ? perRequest * drafts * (between + padding) : 0);

    function pool(count: number, intermediateBytes: number): MambaPool {
        const stateBytes = perRequest * (Math.max(count, 0) + padding);
        return { perRequest, slots: count, stateBytes, intermediateBytes, slotsPerRequest: ratio };
    }
}

/** GiB of a pool, states between draft tokens included. */
export function mambaGiB(pool: MambaPool): number {
    return (pool.stateBytes + pool.intermediateBytes) / GIB;
}
