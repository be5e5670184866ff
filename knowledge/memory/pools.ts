/** Turns the bytes that are left after the weights into tokens, states and requests, and says what a tier in host memory adds. */

import { type Cell, cellOf } from "./cell.ts";
import type { MemoryInput } from "./input.ts";
import { type MambaPool, mambaPool } from "./mamba-pool.ts";
import { attentionDp, ranksPerHost, stagesOf } from "./parallel.ts";
import { traitsOf } from "./release-traits.ts";

const GIB = 2 ** 30;

/** Pools of one GPU. */
export interface Pools {
    /** Size of a token on the stage where it is largest. */
    readonly cell: Cell;
    readonly pageSize: number;
    readonly tokens: number;
    readonly windowTokens?: number;
    readonly mamba?: MambaPool;
    /** Bytes of the KV pool as allocated: one page more than the tokens. */
    readonly kvBytes: number;
    readonly maxRunningRequests: number;
}

/** Page size in effect: 64 index pages for sparse attention, 64 for trtllm backends, else 1. */
export function pageSizeOf(input: MemoryInput): number {
    if (input.pageSize !== undefined) {
        return input.pageSize;
    }
    const { index } = input.profile.structure;
    if (index) {
        return 64 * index.kpool;
    }
    return input.attentionBackend === "trtllm_mha" || input.attentionBackend === "trtllm_mla" ? 64 : 1;
}

/** Sizes all pools out of `restGiB`. */
export function poolsOf(input: MemoryInput, dtype: string, restGiB: number): Pools {
    const cell = stagesOf(input.profile.structure, input.pp ?? 1)
        .map((stage) => cellOf(input, dtype, stage))
        .reduce((largest, candidate) => (candidate.bytes > largest.bytes ? candidate : largest));
    const pageSize = pageSizeOf(input);
    const page = (tokens: number) => Math.max(0, Math.floor(tokens / pageSize) * pageSize);
    const restBytes = Math.floor(restGiB * GIB);
    const mamba = mambaPool(input, restBytes);
    const forTokens = restBytes - (mamba ? mamba.stateBytes + mamba.intermediateBytes : 0);
    const profiled = page(Math.floor(forTokens / cell.bytes));
    const tokens = page(Math.min(profiled, input.maxTotalTokens ?? profiled));
    const windowTokens = cell.window > 0 ? page(tokens * cell.windowRatio) : undefined;
    const full = cell.allocated - cell.window * cell.windowRatio;
    return {
        cell,
        pageSize,
        tokens,
        ...(windowTokens !== undefined && { windowTokens }),
        ...(mamba && { mamba }),
        kvBytes:
            windowTokens === undefined
                ? (tokens + pageSize) * cell.allocated
                : (tokens + pageSize) * full + (windowTokens + pageSize) * cell.window,
        maxRunningRequests: runningRequests(input, tokens, mamba),
    };
}

/** Requests that run at once, per data-parallel group. */
function runningRequests(input: MemoryInput, tokens: number, mamba: MambaPool | undefined): number {
    const traits = traitsOf(input.release);
    const context = input.contextLength ?? input.profile.structure.context;
    const estimate = Math.min(4096, Math.max(2048, Math.floor((tokens / context) * 512)));
    const wanted = input.maxRunningRequests ?? (input.speculative ? 48 : undefined);
    const caps = [wanted === undefined ? estimate : Math.max(1, Math.floor(wanted / attentionDp(input)))];
    if (wanted === undefined ? traits.requestsCappedByTokens : traits.draftCounted) {
        caps.push(Math.floor(tokens / 2));
    }
    if (wanted !== undefined && traits.explicitRequestsEstimated) {
        caps.push(estimate);
    }
    if (mamba) {
        caps.push(Math.floor(mamba.slots / mamba.slotsPerRequest));
    }
    return Math.max(0, Math.min(...caps));
}

/** Bytes that SGLang leaves to the rest of the host. */
export const HOST_RESERVE_BYTES = 10 * 2 ** 30;

/**
 * Bytes that all ranks of one host pin together for the hierarchical cache; undefined without it. sglang
 * srt/mem_cache/memory_pool_host.py, 0.5.23 srt/mem_cache/pool_host/base.py.
 */
export function hostPinnedBytes(input: MemoryInput, pools: Pools): number | undefined {
    if (!input.hicache) {
        return undefined;
    }
    const { sizeGB = 0, ratio = 2 } = input.hicache;
    const devicePool = pools.kvBytes + (pools.mamba?.stateBytes ?? 0);
    return (sizeGB > 0 ? sizeGB * 1e9 : ratio * devicePool) * ranksPerHost(input);
}
