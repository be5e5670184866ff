/** The budget of one GPU: what is free before loading, what the weights leave, and what the fraction makes available for pools. */

import type { Origin } from "../base/settings.ts";
import type { Checkpoint } from "../models/profile.ts";
import { defaultFraction, smallestGpu } from "./default-fraction.ts";
import type { MemoryInput } from "./input.ts";
import { stagesOf } from "./parallel.ts";
import { traitsOf } from "./release-traits.ts";
import { draftWeights, targetWeights, type Weights } from "./weights.ts";

/** GiB free on an RTX PRO 6000 before loading: logs show 93.3 to 94.1. sgl-project/sglang#29562, flashinfer-ai/flashinfer#5445. */
const RTX_PRO_6000_FREE_GIB = 94.0;

/** Share of the memory that is free before loading on other cards: H100 and MI35x logs show 0.985. */
const FREE_SHARE = 0.985;

/** A budget; all in GiB. */
export interface Budget {
    readonly free: number;
    readonly freeSource: string;
    readonly fraction: number;
    readonly fractionOrigin: Origin;
    readonly target: Weights;
    readonly draft: Weights;
    /** Whether the checkpoint is calibrated for an FP8 cache. */
    readonly calibrated: boolean;
    /** Kept for multimodal allocations after sizing. */
    readonly multimodalReserve: number;
    /** Left for pools; negative when the weights alone exceed the fraction. */
    readonly rest: number;
    /** How far off `rest` may be. */
    readonly uncertainty: number;
}

/** Computes the budget. With pipeline stages the fullest one decides, as SGLang takes the minimum over all ranks. */
export function budgetOf(input: MemoryInput, checkpoint: Checkpoint): Budget {
    const traits = traitsOf(input.release);
    const { gib: free, source: freeSource, uncertainty: freeUncertainty } = freeMemory(input);
    const given = input.memFractionStatic;
    const fraction = effectiveFraction(input, given ?? defaultFraction(input));
    const target = stagesOf(input.profile.structure, input.pp ?? 1)
        .map((stage) => targetWeights(input, checkpoint, stage))
        .reduce((most, weights) => (weights.gib > most.gib ? weights : most));
    const draft = draftWeights(input, checkpoint);
    const resident = target.gib + (traits.draftCounted ? draft.gib : 0);
    const multimodal = input.profile.structure.vision !== undefined && !input.languageOnly;
    const multimodalReserve = traits.multimodalReserve && multimodal ? 100 / 1024 : 0;
    const garbage = traits.collectsGarbage ? 0 : 0.1;
    return {
        free,
        freeSource,
        fraction,
        fractionOrigin: given === undefined ? "release default" : (input.memFractionOrigin ?? "user"),
        target,
        draft,
        calibrated: checkpoint.kvCalibrated === "fp8_e4m3",
        multimodalReserve,
        rest: free * fraction - resident - multimodalReserve,
        uncertainty: freeUncertainty * fraction + target.uncertainty + draft.uncertainty + garbage,
    };
}

/** GiB free on one GPU before the weights are loaded. */
export function freeMemory(input: MemoryInput): { gib: number; source: string; uncertainty: number } {
    if (input.freeGiB !== undefined) {
        return { gib: input.freeGiB, source: "given", uncertainty: 0.02 };
    }
    const memory = smallestGpu(input);
    if (Math.abs(memory - 97887) <= 1024) {
        const source =
            "observed on RTX PRO 6000, 93.3 to 94.1: sgl-project/sglang#29562, flashinfer-ai/flashinfer#5445";
        return { gib: RTX_PRO_6000_FREE_GIB, source, uncertainty: 0.4 };
    }
    return {
        gib: (memory / 1024) * FREE_SHARE,
        source: `${FREE_SHARE} of the smallest GPU's memory, as H100 and MI35x logs show; unverified for this card`,
        uncertainty: 0.01 * (memory / 1024),
    };
}

/** The aiter backend lowers every fraction for contexts above 8192 tokens. sglang 0.5.9 srt/server_args.py. */
function effectiveFraction(input: MemoryInput, fraction: number): number {
    const context = input.contextLength ?? input.profile.structure.context;
    return input.attentionBackend === "aiter" && context > 8192 ? fraction * 0.85 : fraction;
}
