import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ModelConfigError, profileFor, profileFromConfig } from "../../../knowledge/models/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: a configuration is free JSON, and the tests take it apart
type Config = any;

function config(name: string): Config {
    return JSON.parse(readFileSync(new URL(`../../fixtures/model-configs/${name}.json`, import.meta.url), "utf8"));
}

const read = (value: unknown, hfQuantConfig?: unknown) =>
    profileFromConfig(value, { repository: "owner/Model", hfQuantConfig });

describe("profileFromConfig", () => {
    test.each(["deepseek-v3.2", "glm-5", "kimi-k2.5", "qwen3-235b-a22b", "qwen3.5-397b-a17b"])(
        "reads %s as the catalogue describes it",
        (name) => {
            const profile = read(config(name));
            const known = profileFor(name)!;
            expect(profile.structure).toEqual(known.structure);
            expect(profile.architecture).toBe(known.architecture);
            expect(profile.modelType).toBe(known.modelType);
            expect(profile.checkpoints[0]!.method).toBe("modelopt_fp4");
        },
    );

    test("reads the calibrated cache from the quantization configuration, inside or beside", () => {
        expect(read(config("qwen3.5-397b-a17b")).checkpoints[0]!.kvCalibrated).toBe("fp8_e4m3");
        expect(read(config("glm-5")).checkpoints[0]!.kvCalibrated).toBe("none");
        const { quantization_config: _, ...bare } = config("glm-5");
        const beside = { quantization: { quant_algo: "NVFP4", kv_cache_quant_algo: "FP8" } };
        expect(read(bare, beside).checkpoints[0]).toMatchObject({
            method: "modelopt_fp4",
            kvCalibrated: "fp8_e4m3",
        });
    });

    test("a shared expert that is left out of quantization stays bf16", () => {
        expect(read(config("qwen3.5-397b-a17b")).checkpoints[0]!.stored).toMatchObject({
            experts: 0.5625,
            sharedExperts: 2,
            attention: 2,
        });
        expect(read(config("glm-5")).checkpoints[0]!.stored.sharedExperts).toBe(0.5625);
    });

    test.each([
        [{ quant_method: "fp8", weight_block_size: [128, 128] }, "fp8"],
        [{ quant_method: "mxfp4" }, "mxfp4"],
        [
            {
                quant_method: "modelopt",
                quant_algo: "MIXED_PRECISION",
                quantized_layers: { "model.layers.0.mlp.experts": { quant_algo: "NVFP4" } },
            },
            "modelopt_mixed",
        ],
        [{ quant_method: "modelopt", quant_algo: "FP8" }, "modelopt_fp8"],
        [{ quant_method: "modelopt", quant_algo: "MXFP8" }, "mxfp8"],
        [{ quant_method: "awq", bits: 4, group_size: 128 }, "awq"],
        [{ quant_method: "gptq", bits: 8, group_size: -1 }, "gptq"],
        [
            { quant_method: "compressed-tensors", config_groups: { g: { weights: { num_bits: 4, type: "int" } } } },
            "compressed-tensors",
        ],
        [
            { quant_method: "compressed-tensors", config_groups: { g: { weights: { num_bits: 8, type: "float" } } } },
            "compressed-tensors",
        ],
    ])("understands %o", (quantization, expected) => {
        const value = { ...config("qwen3-235b-a22b"), quantization_config: quantization };
        expect(read(value).checkpoints[0]!.method).toBe(expected);
    });

    test("no quantization is bf16", () => {
        const { quantization_config: _, ...bare } = config("qwen3-235b-a22b");
        expect(read(bare).checkpoints[0]!.method).toBe("bf16");
    });

    test("reads windowed layers of gpt-oss", () => {
        const known = profileFor("gpt-oss-120b")!;
        const profile = read({
            architectures: ["GptOssForCausalLM"],
            model_type: "gpt_oss",
            num_hidden_layers: 36,
            hidden_size: 2880,
            intermediate_size: 2880,
            num_attention_heads: 64,
            num_key_value_heads: 8,
            head_dim: 64,
            num_local_experts: 128,
            num_experts_per_tok: 4,
            sliding_window: 128,
            layer_types: Array.from({ length: 36 }, (_, i) => (i % 2 ? "full_attention" : "sliding_attention")),
            vocab_size: 201088,
            max_position_embeddings: 131072,
            quantization_config: { quant_method: "mxfp4" },
        });
        expect(profile.structure).toEqual(known.structure);
    });

    test("one error names every field that is missing", () => {
        const { num_attention_heads: _a, vocab_size: _b, ...rest } = config("glm-5");
        const broken = { ...rest, quantization_config: { quant_method: "quark" } };
        expect(() => read(broken)).toThrow(ModelConfigError);
        expect(() => read(broken)).toThrow(/num_attention_heads is missing.*vocab_size is missing.*"quark"/);
        expect(() => read({ model_type: "x" })).toThrow(/num_hidden_layers is missing.*architectures is missing/);
        expect(() => read("text")).toThrow(/not an object/);
    });

    test("a layer whose cache is not known is refused by name", () => {
        const value = config("qwen3-235b-a22b");
        value.layer_types = Array(94).fill("block_sparse");
        expect(() => read(value)).toThrow(/block_sparse/);
    });
});
