/** What kinds of speculative decoding mean for memory. */

import type { ModelProfile } from "../models/profile.ts";
import type { SpeculativeInput } from "./input.ts";

/** How a draft shares the target's memory. */
export type DraftKind = "none" | "eagle" | "standalone" | "dflash" | "ngram";

/** Kind of draft; `NEXTN` and `EAGLE3` are `eagle`. An algorithm that is not known counts as `eagle`, which reserves most. */
export function draftKind(speculative: SpeculativeInput | undefined): DraftKind {
    if (!speculative) {
        return "none";
    }
    switch (speculative.algorithm.toUpperCase()) {
        case "NGRAM":
            return "ngram";
        case "STANDALONE":
            return "standalone";
        case "DFLASH":
        case "DSPARK":
            return "dflash";
        default:
            return "eagle";
    }
}

/** Whether the draft is the model's own multi-token-prediction block. */
export function usesOwnMtp(speculative: SpeculativeInput | undefined): boolean {
    const algorithm = speculative?.algorithm.toUpperCase();
    return algorithm === "NEXTN" || (algorithm === "EAGLE" && speculative?.draftRepository === undefined);
}

/** Layers of the draft that keep a KV cache. */
export function draftLayers(profile: ModelProfile, speculative: SpeculativeInput | undefined): number {
    const kind = draftKind(speculative);
    if (kind === "none" || kind === "ngram") {
        return 0;
    }
    return speculative?.draftLayers ?? Math.max(1, profile.structure.mtpLayers);
}

/** Draft tokens per step. SGLang's own default depends on the model; 4 is what the recipes for this card use. */
export function draftTokens(speculative: SpeculativeInput | undefined): number {
    return speculative === undefined ? 0 : (speculative.draftTokens ?? 4);
}
