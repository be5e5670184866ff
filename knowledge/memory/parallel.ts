/** How a model is divided over GPUs: ways of attention, replicas, and stages of layers. */

import type { ModelStructure } from "../models/profile.ts";
import type { MemoryInput } from "./input.ts";

/** Ways that attention is split: `tp`, or `tp / dp` when attention is replicated over data-parallel groups. */
export function attentionTp(input: MemoryInput): number {
    return input.dpAttention ? Math.max(1, Math.floor(input.tp / (input.dp ?? 1))) : input.tp;
}

/** Data-parallel groups inside one tensor-parallel group: `max-running-requests` is divided by it. */
export function attentionDp(input: MemoryInput): number {
    return input.dpAttention ? (input.dp ?? 1) : 1;
}

/** GPUs that the service takes: replicas without attention data-parallelism have their own. */
export function gpuCount(input: MemoryInput): number {
    return input.tp * (input.pp ?? 1) * (input.dpAttention ? 1 : (input.dp ?? 1));
}

/** Ranks on one host. */
export function ranksPerHost(input: MemoryInput): number {
    return Math.ceil(gpuCount(input) / (input.nodes ?? 1));
}

/** Half-open range of layers on one pipeline stage. */
export interface Stage {
    readonly start: number;
    readonly end: number;
}

/** Stages in order, split as SGLang does: the last ones get one layer more where it does not divide. sglang 0.5.23 srt/distributed/utils.py `get_pp_indices`. */
export function stagesOf(structure: ModelStructure, pp: number): readonly Stage[] {
    const base = Math.floor(structure.layers / pp);
    const longer = structure.layers % pp;
    let start = 0;
    return Array.from({ length: pp }, (_, rank) => {
        const end = start + base + (rank >= pp - longer ? 1 : 0);
        const stage = { start, end };
        start = end;
        return stage;
    });
}

/** How many of these layers lie on the stage. */
export function countOn(stage: Stage, layers: readonly number[]): number {
    return layers.filter((layer) => layer >= stage.start && layer < stage.end).length;
}
