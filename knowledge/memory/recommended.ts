/** The fraction that is set when the user gives none: always explicit, because SGLang's own is wrong for multimodal models. */

import { isMultimodal } from "../models/profile.ts";
import { freeMemory } from "./budget.ts";
import { chunkOf } from "./default-fraction.ts";
import { graphsGiB, safeHeadroomGiB } from "./headroom.ts";
import type { MemoryInput, MemoryPlan } from "./input.ts";
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
    /** The plan with it. */
    readonly plan: MemoryPlan;
}

/**
 * The highest fraction, in hundredths, that leaves graphs and a prefill chunk their room beside what the release allocates uncounted.
 * When a request of full context (at most 131072 tokens) does not fit so, the lowest fraction where one does, up to 0.92; the plan then warns of thin headroom.
 */
export function recommendedFraction(input: MemoryInput): RecommendedFraction {
    const plans = new Map<number, MemoryPlan>();
    const at = (fraction: number) => {
        const plan =
            plans.get(fraction) ?? memoryPlan({ ...input, memFractionStatic: fraction, memFractionOrigin: "memory" });
        plans.set(fraction, plan);
        return plan;
    };
    const freeGiB = freeMemory(input).gib;
    const headroom = safeHeadroomGiB(input);
    const counted = Math.min(HIGHEST_STABLE, hundredths(1 - headroom / freeGiB));
    const safe = belowUncounted(counted, headroom, at);
    const context = input.contextLength ?? input.profile.structure.context;
    const tokens = Math.min(context, LONG_REQUEST, input.maxTotalTokens ?? context);
    const kept =
        `keeps ${gib(headroom)} for graphs (about ${gib(graphsGiB(input))}), a prefill chunk of ${chunkOf(input)} tokens and workspaces` +
        (isMultimodal(input.profile) ? "; SGLang's own choice misreads the vision tower" : "");
    if (safe > 0 && at(safe).kvTokens >= tokens) {
        return { fraction: safe, reason: kept, plan: at(safe) };
    }
    for (let percent = Math.max(1, Math.round(safe * 100) + 1); percent <= HIGHEST_STABLE * 100; percent++) {
        if (at(percent / 100).kvTokens >= tokens) {
            const reason = `holds one request of ${tokens} tokens, with less headroom than the ${gib(headroom)} that are safe`;
            return { fraction: percent / 100, reason, plan: at(percent / 100) };
        }
    }
    return {
        fraction: HIGHEST_STABLE,
        reason: `is the highest that was seen stable on this card; a request of ${tokens} tokens does not fit even so`,
        plan: at(HIGHEST_STABLE),
    };
}

/** The highest fraction up to this one whose headroom holds what comes uncounted, too; this one where none does. */
function belowUncounted(fraction: number, headroom: number, at: (fraction: number) => MemoryPlan): number {
    for (let percent = Math.round(fraction * 100); percent > 0; percent--) {
        const plan = at(percent / 100);
        if (plan.uncountedGiB <= 0 || plan.headroomGiB - plan.uncountedGiB >= headroom) {
            return plan.kvTokens > 0 ? percent / 100 : fraction;
        }
    }
    return fraction;
}

function hundredths(fraction: number): number {
    return Math.floor(fraction * 100 + 1e-9) / 100;
}
