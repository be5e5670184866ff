/** Splits a model's layers over pipeline stages as SGLang does: the last stages get one more where it does not divide. */

import type { ModelStructure } from "../models/profile.ts";

/** Half-open range of layers on one pipeline stage. */
export interface Stage {
    readonly start: number;
    readonly end: number;
}

/** Stages in order. sglang 0.5.23 srt/distributed/utils.py `get_pp_indices`. */
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
