/** What a server needs outside its pools. Weak evidence: a handful of public logs on this card. */

import { chunkOf, graphBatchOf } from "./default-fraction.ts";
import type { MemoryInput } from "./input.ts";
import { attentionDp } from "./parallel.ts";

/** GiB that a start and its workspaces need beside graphs and the prefill chunk; less than this does not serve. */
export const SMALLEST_HEADROOM_GIB = 2;

/**
 * Largest batch that is captured: SGLang leaves out what is larger than its request pool. sglang 0.5.9 srt/model_executor/cuda_graph_runner.py,
 * 0.5.14 to 0.5.23 srt/model_executor/runner/base_cuda_graph_runner.py `get_batch_sizes_to_capture`.
 */
function capturedBatch(input: MemoryInput): number {
    const wanted = input.maxRunningRequests ?? (input.speculative ? 48 : undefined);
    const requests = wanted === undefined ? [] : [Math.max(1, Math.floor(wanted / attentionDp(input)))];
    return Math.min(graphBatchOf(input), ...requests);
}

/**
 * GiB of CUDA graphs. 7 for a hybrid of Qwen3.5's size with a batch of 128 and more (SemiAnalysisAI/InferenceX#2312); 2 for others up to 32,
 * and SGLang's own 2 MiB for each further batch.
 */
export function graphsGiB(input: MemoryInput): number {
    const batch = capturedBatch(input);
    if (batch === 0) {
        return 0;
    }
    if (input.profile.structure.linear) {
        return 7 * Math.min(1, batch / 128);
    }
    return 2 + (Math.max(0, batch - 32) * 2) / 1024;
}

/** GiB that activations of one prefill chunk may take: 1.5 MiB a token, SGLang's own estimate. */
export function prefillGiB(input: MemoryInput): number {
    return (1.5 * chunkOf(input)) / 1024;
}

/** GiB that should stay outside the pools. */
export function safeHeadroomGiB(input: MemoryInput): number {
    return graphsGiB(input) + prefillGiB(input) + SMALLEST_HEADROOM_GIB;
}
