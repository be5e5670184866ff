/**
 * SGLang's own `mem_fraction_static` when none is given: (memory - reserve) / memory, in MiB, lowered for multimodal models.
 * sglang 0.5.23 srt/arg_groups/memory_hook.py; up to 0.5.18 srt/server_args.py `_handle_gpu_memory_settings`.
 */

import { isMultimodal, type VisionTower } from "../models/profile.ts";
import type { MemoryInput } from "./input.ts";
import { capturesPrefillGraphs, prefillGraphMiB } from "./prefill-graphs.ts";
import { traitsOf } from "./release-traits.ts";
import { draftKind } from "./speculation.ts";

/** Chunk and batch that SGLang picks by the size of the card. */
export interface CardDefaults {
    readonly chunkedPrefillSize: number;
    readonly cudaGraphMaxBs: number;
}

/** Defaults by memory of the smallest GPU in MiB. */
export function cardDefaults(memoryMiB: number, tp: number, release: string): CardDefaults {
    const gib = memoryMiB / 1024;
    const wide = tp >= 4;
    if (gib < 20) {
        return { chunkedPrefillSize: 2048, cudaGraphMaxBs: 8 };
    }
    if (gib < 35) {
        return traitsOf(release).largerSmallCards
            ? { chunkedPrefillSize: 4096, cudaGraphMaxBs: wide ? 160 : 48 }
            : { chunkedPrefillSize: 2048, cudaGraphMaxBs: wide ? 80 : 24 };
    }
    if (gib < 60) {
        return { chunkedPrefillSize: 4096, cudaGraphMaxBs: wide ? 160 : 32 };
    }
    if (gib < 160) {
        return { chunkedPrefillSize: 8192, cudaGraphMaxBs: wide ? 512 : 256 };
    }
    return { chunkedPrefillSize: 16384, cudaGraphMaxBs: 512 };
}

/** Chunked prefill size in effect. */
export function chunkOf(input: MemoryInput): number {
    return input.chunkedPrefillSize ?? cardDefaults(smallestGpu(input), input.tp, input.release).chunkedPrefillSize;
}

/** Largest batch with a decode graph in effect; 0 when decode graphs are off. */
export function graphBatchOf(input: MemoryInput): number {
    if (input.cudaGraphMaxBs !== undefined) {
        return input.cudaGraphMaxBs;
    }
    const batch = cardDefaults(smallestGpu(input), input.tp, input.release).cudaGraphMaxBs;
    const capped = traitsOf(input.release).graphsCappedByRequests && input.maxRunningRequests !== undefined;
    return capped ? Math.min(batch, input.maxRunningRequests!) : batch;
}

/** Memory of the smallest GPU in MiB. */
export function smallestGpu(input: MemoryInput): number {
    return Math.min(...input.gpuMemoryMiB);
}

/** The fraction that this release picks by itself. */
export function defaultFraction(input: MemoryInput): number {
    const memory = smallestGpu(input);
    const fraction = Math.round(((memory - reserveMiB(input)) / memory) * 1000) / 1000;
    const vision = input.profile.structure.vision;
    return vision && isMultimodal(input.profile) && !input.languageOnly ? fraction * visionFactor(vision) : fraction;
}

/** MiB that the release leaves outside the pools. */
function reserveMiB(input: MemoryInput): number {
    const traits = traitsOf(input.release);
    const pp = input.pp ?? 1;
    let reserve = 512 + 1.5 * Math.max(chunkOf(input), 2048) + ((input.tp * pp) / 8) * 1024;
    const batch = graphBatchOf(input);
    const sizedBatch =
        batch === 0 && !traits.disabledGraphsAreFree
            ? cardDefaults(smallestGpu(input), input.tp, input.release).cudaGraphMaxBs
            : batch;
    reserve += 2 * sizedBatch;
    if (input.dpAttention) {
        reserve += sizedBatch * (input.dp ?? 1) * (sizedBatch > 300 ? 4.5 : 3);
    }
    if (capturesPrefillGraphs(input)) {
        reserve += prefillGraphMiB(input, chunkOf(input));
    }
    if (smallestGpu(input) > 60 * 1024) {
        reserve = Math.max(reserve, 10 * 1024);
    }
    if (traits.deepepReserve && input.moeA2aBackend === "deepep" && batch > 0) {
        reserve += 2048;
    }
    const kind = draftKind(input.speculative);
    if (kind === "standalone") {
        reserve += traits.standaloneReserveMiB;
    } else if (kind === "eagle" || kind === "dflash") {
        reserve += traits.draftReserveMiB;
    }
    return reserve;
}

/** Factor for the vision tower: 0.95, less 10 % for each ViT-L/14 on top of one, within 0.8 and 1.05. */
export function visionFactor(vision: VisionTower): number {
    const { layers, hidden } = vision.asRead;
    const complexity = (layers * hidden ** 2) / (24 * 1024 ** 2);
    return 0.95 * Math.min(1.05, Math.max(0.8, 1 - 0.1 * (complexity - 1)));
}
