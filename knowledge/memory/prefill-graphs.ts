/**
 * Whether a release captures graphs of the prefill when nobody says, and what it sets aside for them.
 * Read in the wheels: srt/server_args.py `_handle_piecewise_cuda_graph` (0.5.10 to 0.5.14) and
 * `_disable_breakable_cudagraph_if_incompatible` (from 0.5.15; srt/arg_groups/cuda_graph_hook.py from 0.5.19).
 */

import { inWindow } from "../base/version.ts";
import type { MemoryInput } from "./input.ts";

/** Whether prefill graphs are captured. An explicit `prefillGraph` wins. */
export function capturesPrefillGraphs(input: MemoryInput): boolean {
    if (input.prefillGraph !== undefined) {
        return input.prefillGraph;
    }
    const within = (since: string, before?: string) => inWindow(input.release, { since, ...(before && { before }) });
    if (!within("0.5.10")) {
        return false;
    }
    return within("0.5.15") ? breakable(input, within) : piecewise(input, within);
}

type Within = (since: string, before?: string) => boolean;

/** 0.5.10 to 0.5.14: off for everything that torch.compile cannot follow. The flag that turns decode graphs off leaves them alone. */
function piecewise(input: MemoryInput, within: Within): boolean {
    const { architecture, structure } = input.profile;
    const excluded = within("0.5.10", "0.5.13")
        ? ["DeepseekV32ForCausalLM", "GlmMoeDsaForCausalLM", "Qwen3NextForCausalLM"]
        : ["Qwen3NextForCausalLM"];
    return !(
        excluded.includes(architecture) ||
        structure.vision !== undefined ||
        input.dpAttention ||
        (input.pp ?? 1) > 1 ||
        usesAllToAll(input) ||
        input.hicache !== undefined
    );
}

/** From 0.5.15. Latent attention and most multimodal models join in 0.5.16 and 0.5.17; pipeline stages leave in 0.5.19. */
function breakable(input: MemoryInput, within: Within): boolean {
    const { architecture, structure } = input.profile;
    if (input.cudaGraphMaxBs === 0) {
        return false;
    }
    if (within("0.5.17")) {
        return !((input.pp ?? 1) > 1 && within("0.5.19"));
    }
    const multimodal = structure.vision !== undefined && !(within("0.5.16") && architecture.startsWith("Qwen3_5"));
    return !(structure.mla || multimodal || input.dpAttention || usesAllToAll(input));
}

function usesAllToAll(input: MemoryInput): boolean {
    return input.moeA2aBackend !== undefined && input.moeA2aBackend !== "none";
}

/** MiB set aside for prefill graphs up to `chunk` tokens: 1536 for latent attention, else 8 for each captured size. */
export function prefillGraphMiB(input: MemoryInput, chunk: number): number {
    if (input.profile.structure.mla) {
        return 1536;
    }
    return 8 * capturedSizes(Math.min(chunk, input.maxTotalTokens ?? chunk));
}

/** How many sizes are captured up to this many tokens. */
function capturedSizes(largest: number): number {
    const steps: readonly (readonly [number, number, number])[] = [
        [4, 32, 4],
        [48, 256, 16],
        [288, 512, 32],
        [576, 1024, 64],
        [1280, 4096, 256],
        [4608, largest, 512],
    ];
    return steps.reduce(
        (count, [first, last, step]) => count + Math.max(0, Math.floor((Math.min(last, largest) - first) / step) + 1),
        0,
    );
}
