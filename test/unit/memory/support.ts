import { type MemoryInput, type MemoryPlan, memoryPlan } from "../../../knowledge/memory/index.ts";
import { type ModelProfile, profileFor } from "../../../knowledge/models/index.ts";

/** A profile that must be there. */
export function model(id: string): ModelProfile {
    const profile = profileFor(id);
    if (!profile) {
        throw new Error(`no profile ${id}`);
    }
    return profile;
}

/** So many RTX PRO 6000. */
export function cards(count: number): number[] {
    return Array<number>(count).fill(97887);
}

/** GLM-5 on eight cards with the newest release, changed where a test says so. */
export function input(changes: Partial<MemoryInput> = {}): MemoryInput {
    const tp = changes.tp ?? 8;
    return {
        profile: model("glm-5"),
        release: "0.5.23",
        gpuMemoryMiB: cards(tp * (changes.pp ?? 1)),
        tp,
        memFractionStatic: 0.81,
        ...changes,
    };
}

/** A plan of {@link input}. */
export function plan(changes: Partial<MemoryInput> = {}): MemoryPlan {
    return memoryPlan(input(changes));
}

/** Rules of a plan's findings, as `refuse memory-...`. */
export function rules(of: MemoryPlan): string[] {
    return of.findings.map((f) => `${f.verdict} ${f.rule}`);
}
