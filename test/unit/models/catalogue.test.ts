import { describe, expect, test } from "vitest";
import { checkpointOf, profileFor, profiles, repositoriesOf } from "../../../knowledge/models/index.ts";

describe("profileFor", () => {
    test("finds a model by repository, whatever the case, and by id", () => {
        expect(profileFor("nvidia/Qwen3.5-397B-A17B-NVFP4")?.id).toBe("qwen3.5-397b-a17b");
        expect(profileFor("NVIDIA/qwen3.5-397b-a17b-nvfp4")?.id).toBe("qwen3.5-397b-a17b");
        expect(profileFor("glm-5")?.id).toBe("glm-5");
    });

    test("does not guess: a fine-tune is unknown until it names a profile", () => {
        expect(profileFor("somebody/GLM-5-NVFP4-roleplay")).toBeUndefined();
    });

    test.each([
        "nvidia/Qwen3.5-397B-A17B-NVFP4",
        "lukealonso/GLM-5-NVFP4",
        "nvidia/GLM-5.2-NVFP4",
        "nvidia/GLM-5.1-NVFP4",
        "zai-org/GLM-5.3-Flash",
        "nvidia/Kimi-K2.5-NVFP4",
        "nvidia/Kimi-K2-Thinking-NVFP4",
        "nvidia/DeepSeek-V3.2-NVFP4",
        "nvidia/MiniMax-M2.5-NVFP4",
        "nvidia/Qwen3-235B-A22B-NVFP4",
        "nvidia/Qwen3-235B-A22B-Instruct-2507-NVFP4",
        "openai/gpt-oss-120b",
        "nvidia/GLM-4.7-NVFP4",
        "Qwen/Qwen3-Coder-Next",
        "Qwen/Qwen3.8-27B-FP8",
    ])("knows %s", (repository) => {
        expect(profileFor(repository)).toBeDefined();
    });
});

describe("the catalogue", () => {
    test("is sorted, and every id and repository is there once", () => {
        const ids = profiles().map((p) => p.id);
        expect(ids).toEqual([...ids].sort());
        const names = profiles()
            .flatMap((p) => [p.id, ...repositoriesOf(p)])
            .map((n) => n.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
    });

    test.each(profiles().map((p) => [p.id, p] as const))("%s is complete and consistent", (_, profile) => {
        const { structure } = profile;
        const layers = [
            ...structure.fullLayers,
            ...(structure.linear?.layers ?? []),
            ...(structure.window?.layers ?? []),
        ];
        expect(layers.sort((a, b) => a - b)).toEqual(Array.from({ length: structure.layers }, (_, i) => i));
        expect(profile.checkpoints.length).toBeGreaterThan(0);
        expect(profile.sources.length).toBeGreaterThan(0);
        expect(profile.evidence.length).toBeGreaterThan(0);
        for (const statement of profile.evidence) {
            expect(statement.sources.length).toBeGreaterThan(0);
        }
        expect(structure.mla === undefined).toBe(["gqa", "hybrid-gdn", "hybrid-swa"].includes(structure.attention));
    });

    test("says which GLM-5 checkpoint has prediction weights and which has not", () => {
        const glm = profileFor("glm-5")!;
        expect(checkpointOf(glm, "lukealonso/GLM-5-NVFP4").hasMtp).toBe(false);
        expect(checkpointOf(glm, "festr2/glm-5-nvfp4-mtp").hasMtp).toBe(true);
    });

    test("GLM-5.2 computes top-k on 21 layers: 0, 1, 2, then every fourth", () => {
        const { layers } = profileFor("glm-5.2")!.structure.index!;
        expect(layers).toHaveLength(21);
        expect(layers.slice(0, 5)).toEqual([0, 1, 2, 6, 10]);
        expect(profileFor("glm-5")!.structure.index!.layers).toHaveLength(78);
    });
});
