/** How the GPUs are divided. */

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
