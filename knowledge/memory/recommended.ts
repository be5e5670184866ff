/** The fraction that is set when the user gives none: always explicit, because SGLang's own is wrong for multimodal models. */

import { isMultimodal } from "../models/profile.ts";
import { chunkOf } from "./default-fraction.ts";
import { graphsGiB, safeHeadroomGiB } from "./headroom.ts";
import type { MemoryInput } from "./input.ts";
import { memoryPlan } from "./plan.ts";
import { gib } from "./report.ts";

/** Highest fraction that public logs show stable on this card (GLM-5 on 8 cards). */
const HIGHEST_STABLE = 0.92;

/** Longest request that is worth thin headroom, tokens. A model may allow a million; few services need it. */
const LONG_REQUEST = 131072;

/** A fraction and why. */
export interface RecommendedFraction {
    readonly fraction: number;
    readonly reason: string;
}

/**
 * The highest fraction, in hundredths, that leaves graphs and a prefill chunk their room. When a request of full context (at most
 * 131072 tokens) does not fit so, the lowest fraction where one does, up to 0.92; the plan then warns of thin headroom.
 */
export function recommendedFraction(input: MemoryInput): RecommendedFraction {
    const at = (fraction: number) => memoryPlan({ ...input, memFractionStatic: fraction, memFractionOrigin: "memory" });
    const { freeGiB } = at(HIGHEST_STABLE);
    const headroom = safeHeadroomGiB(input);
    const safe = Math.min(HIGHEST_STABLE, hundredths(1 - headroom / freeGiB));
    const context = input.contextLength ?? input.profile.structure.context;
    const tokens = Math.min(context, LONG_REQUEST, input.maxTotalTokens ?? context);
    const kept =
        `keeps ${gib(headroom)} for graphs (about ${gib(graphsGiB(input))}), a prefill chunk of ${chunkOf(input)} tokens and workspaces` +
        (isMultimodal(input.profile) ? "; SGLang's own choice misreads the vision tower" : "");
    if (safe > 0 && at(safe).kvTokens >= tokens) {
        return { fraction: safe, reason: kept };
    }
    for (let percent = Math.max(1, Math.round(safe * 100) + 1); percent <= HIGHEST_STABLE * 100; percent++) {
        if (at(percent / 100).kvTokens >= tokens) {
            const reason = `holds one request of ${tokens} tokens, with less headroom than the ${gib(headroom)} that are safe`;
            return { fraction: percent / 100, reason };
        }
    }
    return {
        fraction: HIGHEST_STABLE,
        reason: `is the highest that was seen stable on this card; a request of ${tokens} tokens does not fit even so`,
    };
}

function hundredths(fraction: number): number {
    return Math.floor(fraction * 100 + 1e-9) / 100;
}
