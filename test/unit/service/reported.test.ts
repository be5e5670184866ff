import { describe, expect, it } from "vitest";
import { profileFor } from "../../../knowledge/models/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { plan } from "../memory/support.ts";
import { fixture, hostFacts, type SpecChanges, serviceSpec } from "./service-spec.ts";

/** Public reports, each with what happened: sgl-project/sglang by number, or the log that is named. */

const rules = (changes: SpecChanges) => {
    const { findings } = resolve(serviceSpec(changes));
    return findings.map(({ verdict, rule }) => `${verdict} ${rule}`);
};
const refused = (changes: SpecChanges) => rules(changes).filter((rule) => rule.startsWith("refuse"));

describe("one RTX 5090 (32 GB) with an NVFP4 checkpoint of 27B, 0.5.17 (#35777)", () => {
    const facts = hostFacts({ count: 1, gpu: { name: "NVIDIA GeForce RTX 5090", memoryMiB: 32607 } });
    const served = (memoryFraction: number): SpecChanges => ({
        release: "0.5.17",
        repository: "RadixArk/Qwen3.8-27B-NVFP4",
        facts,
        fields: { kvCache: { memoryFraction }, scheduling: { chunkedPrefillSize: 2048 } },
    });

    it("0.80, which serves, is not refused", () => {
        expect(refused(served(0.8))).toEqual([]);
    });

    it("0.92, which ran out of memory at the decode graphs, is warned of", () => {
        expect(rules(served(0.92))).toContain("warn memory-headroom-thin");
    });

    it("the weights are counted by layer: MLPs in NVFP4, attention in FP8", () => {
        const weights = resolve(serviceSpec(served(0.8))).memory!.weightsGiBPerGpu;
        expect(weights).toBeGreaterThan(19);
        expect(weights).toBeLessThan(22);
    });
});

describe("a shortfall by formula warns", () => {
    it.each([0.3, 0.5])("fraction %d of a checkpoint that no log shows", (memFractionStatic) => {
        const profile = profileFor("minimax-m2.5")!;
        const { findings } = plan({ profile, tp: 2, memFractionStatic });
        expect(findings.filter(({ verdict }) => verdict === "refuse")).toEqual([]);
        expect(findings.map(({ rule }) => rule)).toContain("memory-no-kv-pool");
    });
});

describe("decode graphs are captured for what can run", () => {
    it.each([
        ["qwen3.5-397b-a17b", 4, 64, 3.5],
        ["qwen3.5-397b-a17b", 4, 1000, 7],
        ["kimi-k2.5", 8, 8, 2],
    ])("%s at tp %d, %d requests: %d GiB", (id, tp, maxRunningRequests, graphs) => {
        const profile = profileFor(id)!;
        expect(plan({ profile, tp, maxRunningRequests, release: "0.5.16" }).graphsGiB).toBeCloseTo(graphs, 2);
    });
});

describe("sparse-attention models served densely", () => {
    const glm52: SpecChanges = {
        release: "0.5.15.post1",
        repository: "nvidia/GLM-5.2-NVFP4",
        fields: {
            backends: { attention: "triton" },
            contextLength: 262144,
            kvCache: { memoryFraction: 0.85 },
        } as NonNullable<SpecChanges["fields"]>,
    };

    it("the published launch of GLM-5.2 keeps its cache type, and holds what its log shows", () => {
        const service = resolve(serviceSpec(glm52));
        expect(service.settings["kv-cache-dtype"]).toBeUndefined();
        expect(Math.abs(service.memory!.kvTokens / 464_768 - 1)).toBeLessThan(0.1);
    });

    it.each([
        ["0.5.22", [], "fp8_e4m3", "tilelang"],
        ["0.5.23", ["sm120-sparse-attention"], undefined, undefined],
    ])("an explicit choice or a patch that has one is left alone on %s", (release, patches, dtype, sparse) => {
        const fields = {
            ...(dtype && { kvCache: { dtype } }),
            ...(sparse && { backends: { sparsePrefill: sparse, sparseDecode: sparse } }),
        } as NonNullable<SpecChanges["fields"]>;
        const found = rules({ release, patches, repository: "nvidia/DeepSeek-V3.2-NVFP4", fields });
        expect(found).not.toContain("fix dsa-dense-instead");
    });
});

describe("a model that is known by its configuration only", () => {
    const config = JSON.parse(fixture("checkpoints/18-online-fp8-qwen3-moe/config.json"));
    const served = (changes: object): SpecChanges => ({
        model: { repository: "owner/Model", config: { ...config, ...changes } },
    });

    it("its own code is trusted when it has some", () => {
        expect(resolve(serviceSpec(served({}))).settings["trust-remote-code"]).toBeUndefined();
        const own = served({ auto_map: { AutoConfig: "configuration.Config" } });
        expect(resolve(serviceSpec(own)).settings["trust-remote-code"]?.value).toBe(true);
    });

    it.each([
        ["sparse_attention_config", { sparse_attention_freq: [1] }],
        ["compress_ratios", [4]],
        ["index_topk", 2048],
        ["attention_chunk_size", 8192],
        ["linear_num_value_heads", 32],
    ])("%s is not planned as plain attention", (name, value) => {
        const { problems } = resolve(serviceSpec(served({ [name]: value })));
        expect(problems.map(({ message }) => message).join()).toContain(`${name} is set`);
    });

    it("16-bit weights that SGLang quantizes while loading count as what they become", () => {
        const weights = (fields: SpecChanges["fields"]) =>
            resolve(serviceSpec({ ...served({}), facts: hostFacts({ count: 1 }), ...(fields && { fields }) })).memory!
                .weightsGiBPerGpu;
        expect(weights({ backends: { quantization: "fp8" } })).toBeLessThan(0.55 * weights(undefined));
    });
});

describe("nothing is known of the model", () => {
    it("no rule says what it lacks", () => {
        const found = resolve(
            serviceSpec({
                model: { repository: "nvidia/Qwen3.8-Flash-Next-NVFP4" },
                fields: { extraArgs: { "mamba-radix-cache-strategy": "extra_buffer_lazy" } },
            }),
        ).findings.map(({ rule }) => rule);
        expect(found).not.toContain("state-strategy-without-state");
    });
});
