import { describe, expect, test } from "vitest";
import { stageBytes } from "../../../knowledge/memory/weights.ts";
import { checkpointOf, type ModelProfile, profileFor } from "../../../knowledge/models/index.ts";
import { cards, input, model, plan } from "./support.ts";

/** The profile without logs, so that the formula speaks. */
function unlogged(id: string): ModelProfile {
    const profile = profileFor(id)!;
    return { ...profile, checkpoints: profile.checkpoints.map((c) => ({ ...c, loggedWeights: [], loggedDraft: [] })) };
}

function weights(id: string, tp: number, repository?: string): number {
    return plan({ profile: unlogged(id), tp, ...(repository && { repository }) }).weightsGiBPerGpu;
}

describe("the formula against logs", () => {
    test.each([
        ["qwen3.5-397b-a17b", 4, "nvidia/Qwen3.5-397B-A17B-NVFP4", 56.12],
        ["glm-5", 8, "festr2/GLM-5-NVFP4-MTP", 57.06],
        ["glm-5.2", 8, "nvidia/GLM-5.2-NVFP4", 56.04],
        ["kimi-k2.5", 8, "moonshotai/Kimi-K2.5", 73.58],
        ["glm-5", 8, "zai-org/GLM-5-FP8", 89.58],
        ["glm-5.2", 8, "zai-org/GLM-5.2-FP8", 89.44],
        ["glm-5.3-flash", 4, "zai-org/GLM-5.3-Flash", 75.42],
        ["qwen3.8-27b", 1, "Qwen/Qwen3.8-27B-FP8", 28.47],
        ["qwen3.8-27b", 1, "Qwen/Qwen3.6-27B", 51.05],
    ])("%s at tp %d (%s): %d GiB, within 1.2 %%", (id, tp, repository, logged) => {
        expect(Math.abs(weights(id, tp, repository) / logged - 1)).toBeLessThan(0.012);
    });

    test("drafts: within 10 %", () => {
        const draft = (id: string, tp: number) =>
            plan({ profile: unlogged(id), tp, speculative: { algorithm: "NEXTN" } }).draftWeightsGiBPerGpu;
        expect(Math.abs(draft("qwen3.5-397b-a17b", 4) / 4.05 - 1)).toBeLessThan(0.1);
        expect(Math.abs(draft("glm-5.3-flash", 4) / 2.39 - 1)).toBeLessThan(0.1);
    });
});

describe("the bare formula, without what loading adds", () => {
    test.each([
        ["glm-5", 8, "lukealonso/GLM-5-NVFP4", 55.62],
        ["glm-5.2", 8, "nvidia/GLM-5.2-NVFP4", 54.62],
        ["kimi-k2.5", 8, "moonshotai/Kimi-K2.5", 71.91],
        ["deepseek-v3.2", 8, "nvidia/DeepSeek-V3.2-NVFP4", 50.3],
        ["deepseek-v3.2", 4, "nvidia/DeepSeek-V3.2-NVFP4", 97.1],
        ["minimax-m2.5", 2, "nvidia/MiniMax-M2.5-NVFP4", 62.6],
        ["qwen3-235b-a22b", 4, "nvidia/Qwen3-235B-A22B-NVFP4", 33.5],
        ["glm-4.7", 8, "nvidia/GLM-4.7-NVFP4", 26.0],
        ["gpt-oss-120b", 1, "openai/gpt-oss-120b", 60.7],
    ])("%s at tp %d (%s): %d GiB", (id, tp, repository, expected) => {
        const profile = model(id);
        const whole = { start: 0, end: profile.structure.layers };
        const bytes = stageBytes(input({ profile, tp }), checkpointOf(profile, repository), whole);
        expect(Math.abs(bytes / 2 ** 30 - expected)).toBeLessThan(0.1);
    });
});

describe("which figure is used", () => {
    test("a given one wins over a log, a log over the formula, and the plan says so", () => {
        const qwen = { profile: model("qwen3.5-397b-a17b"), tp: 4 } as const;
        expect(plan({ ...qwen, weightsGiB: 50 }).inputs.weights).toMatchObject({ value: 50, source: "given" });
        expect(plan(qwen).inputs.weights!.source).toContain("InferenceX");
        expect(plan({ ...qwen, tp: 8 }).inputs.weights!.source).toContain("formula");
    });

    test("a fine-tune counts as the profile's first checkpoint, without its log's repository", () => {
        const tuned = plan({ profile: model("qwen3.5-397b-a17b"), tp: 4, repository: "somebody/Tuned" });
        expect(tuned.weightsGiBPerGpu).toBe(56.12);
    });
});

describe("how weights are divided", () => {
    test("more GPUs, fewer weights; expert parallelism changes nothing", () => {
        expect(weights("minimax-m2.5", 4)).toBeLessThan(weights("minimax-m2.5", 2) / 1.9);
        const ep = plan({ profile: unlogged("minimax-m2.5"), tp: 4, ep: 4 });
        expect(ep.weightsGiBPerGpu).toBe(weights("minimax-m2.5", 4));
    });

    test("pipeline stages divide layers: six cards hold GLM-5", () => {
        const staged = plan({ profile: model("glm-5"), tp: 2, pp: 3, gpuMemoryMiB: cards(6), memFractionStatic: 0.9 });
        expect(staged.weightsGiBPerGpu).toBeGreaterThan(70);
        expect(staged.weightsGiBPerGpu).toBeLessThan(82);
        expect(staged.fits).toBe(true);
    });

    test("attention data-parallelism replicates attention", () => {
        const replicated = plan({ profile: unlogged("glm-5"), dp: 8, dpAttention: true });
        expect(replicated.weightsGiBPerGpu).toBeGreaterThan(weights("glm-5", 8) + 15);
    });
});
