import { describe, expect, test } from "vitest";
import { stageBytes } from "../../../knowledge/memory/weights.ts";
import { checkpointOf, profileFromConfig } from "../../../knowledge/models/index.ts";
import { input } from "../memory/support.ts";
import { fixture } from "../service/service-spec.ts";

type Fields = Record<string, unknown>;

const base = (name: string): Fields => JSON.parse(fixture(`checkpoints/${name}/config.json`));
const llama = base("03-ct-fp8-dynamic");
const qwen3Moe = base("18-online-fp8-qwen3-moe");
const hybrid = base("02-ct-nvfp4-moe-gdn-bf16");

const read = (config: Fields, quantization_config?: Fields, hfQuantConfig?: unknown) => {
    const profile = profileFromConfig(
        { ...config, quantization_config },
        { repository: "owner/Model", ...(hfQuantConfig === undefined ? {} : { hfQuantConfig }) },
    );
    return { profile, checkpoint: checkpointOf(profile) };
};
const gib = ({ profile, checkpoint }: ReturnType<typeof read>): number =>
    stageBytes(input({ profile, tp: 1 }), checkpoint, { start: 0, end: profile.structure.layers }) / 2 ** 30;

const weights = (num_bits: number, type: string, group_size?: number) => ({ num_bits, type, group_size });
const four = { targets: ["Linear"], weights: weights(4, "float", 16), input_activations: weights(4, "float", 16) };
const eight = { targets: ["re:.*self_attn.*"], weights: weights(8, "float"), input_activations: weights(8, "float") };
const mlp = { targets: ["re:.*mlp\\..*"], weights: weights(4, "int", 128), input_activations: null };
const grouped = (groups: readonly Fields[], ignore: readonly string[] = ["lm_head"]): Fields => ({
    quant_method: "compressed-tensors",
    config_groups: Object.fromEntries(groups.map((group, index) => [`group_${index}`, group])),
    ignore,
});

/** Ways to say the same: how each method names what it leaves alone. */
const ways: readonly (readonly [string, Fields, string])[] = [
    ["compressed-tensors", grouped([four]), "ignore"],
    ["modelopt", { quant_method: "modelopt", quant_algo: "NVFP4" }, "ignore"],
    ["modelopt beside", { quant_method: "modelopt", quant_algo: "FP8" }, "exclude_modules"],
    ["fp8", { quant_method: "fp8", weight_block_size: [128, 128] }, "modules_to_not_convert"],
    ["fp8, other name", { quant_method: "fp8" }, "ignored_layers"],
    ["mxfp8", { quant_method: "mxfp8" }, "modules_to_not_convert"],
    ["awq", { quant_method: "awq", bits: 4, group_size: 128, zero_point: true }, "modules_to_not_convert"],
];
const modules = [
    "lm_head",
    "model.layers.0.mlp",
    "model.layers.0.self_attn.q_proj",
    "model.layers.1.",
    "self_attn",
    "model.layers.3.mlp.experts",
    "mlp.gate",
];

describe("config_groups", () => {
    test.each([[[four, eight]], [[eight, mlp]], [[four, eight, mlp]]])("their order changes nothing: %#", (groups) => {
        const orders = [groups, groups.toReversed(), [...groups.slice(1), groups[0]!]];
        const [first, ...others] = orders.map((order) => read(qwen3Moe, grouped(order)).checkpoint);
        for (const other of others) {
            expect(other).toEqual({ ...first });
        }
    });

    test("every one of them counts", () => {
        const { formats } = read(llama, grouped([mlp, eight])).checkpoint;
        expect(formats).toMatchObject({ attention: ["fp8"], denseMlp: ["int4"], head: ["bf16"] });
        expect(read(llama, grouped([four, eight])).checkpoint.formats).toMatchObject({
            attention: ["fp8"],
            denseMlp: ["nvfp4"],
        });
    });

    test("a name is any of its prefixes, with or without the language model's", () => {
        for (const prefix of ["model.", "model.language_model.", "language_model.model."]) {
            const ignore = Array.from({ length: 40 }, (_, layer) => `${prefix}layers.${layer}.linear_attn.out_proj`);
            const { formats } = read(hybrid, grouped([four], ["lm_head", ...ignore])).checkpoint;
            expect(formats.linear, prefix).toEqual(["bf16", "nvfp4"]);
        }
    });
});

describe.each(ways)("%s: what is left alone", (name, quantization, list) => {
    test.each(modules)("one more module, %s, never takes fewer bytes", (module) => {
        const before = gib(read(qwen3Moe, { ...quantization, [list]: ["lm_head"] }));
        const after = gib(read(qwen3Moe, { ...quantization, [list]: ["lm_head", module] }));
        expect(after).toBeGreaterThanOrEqual(before - 1e-9);
    });

    test("a module that is named takes more, in its layer only", () => {
        const pattern = name === "awq" ? "layers.2." : "model.layers.2";
        const { checkpoint } = read(qwen3Moe, { ...quantization, [list]: [pattern] });
        const attention = [checkpoint.stored.attention].flat();
        expect(attention[2]).toBe(2);
        expect(attention[1]).toBeLessThan(2);
        expect(attention[20]).toBeLessThan(2);
    });

    test("everything left alone is bf16", () => {
        const all = name === "awq" ? ["layers", "lm_head"] : ["re:.*"];
        expect(gib(read(llama, { ...quantization, [list]: all }))).toBeCloseTo(gib(read(llama)), 6);
    });
});

describe("the file beside the configuration", () => {
    const beside = (quantization: Fields) => ({ producer: { name: "modelopt" }, quantization });

    test("decides where the configuration itself says nothing", () => {
        const { checkpoint } = read(llama, undefined, beside({ quant_algo: "NVFP4", kv_cache_quant_algo: "FP8" }));
        expect(checkpoint).toMatchObject({ method: "modelopt_fp4", kvCalibrated: "fp8_e4m3" });
        expect(gib(read(llama, undefined, beside({ quant_algo: "NVFP4" })))).toBeLessThan(gib(read(llama)) / 2);
    });

    test("is not read beside one that says something, as SGLang does", () => {
        const inside = { quant_method: "modelopt", quant_algo: "NVFP4" };
        const { checkpoint } = read(llama, inside, beside({ quant_algo: "FP8", kv_cache_quant_algo: "FP8" }));
        expect(checkpoint).toMatchObject({ method: "modelopt_fp4", kvCalibrated: "none" });
    });

    test("gives a mixed one its layers", () => {
        const quantized_layers = { "model.layers.0.mlp.gate_proj": { quant_algo: "NVFP4" } };
        const inside = { quant_method: "modelopt", quant_algo: "MIXED_PRECISION" };
        const { checkpoint } = read(llama, inside, beside({ quantized_layers, kv_cache_quant_algo: "FP8" }));
        expect(checkpoint).toMatchObject({ method: "modelopt_mixed", kvCalibrated: "fp8_e4m3" });
        expect(() => read(llama, inside)).toThrow(/quantized_layers/);
    });
});

describe("experts of another kind than their method", () => {
    test.each([
        [{ quant_method: "fp8", quant_algo: "MIXED_PRECISION", moe_quant_algo: "NVFP4", group_size: 16 }, "nvfp4"],
        [{ quant_method: "fp8", routed_experts_quant_method: "mxfp4" }, "mxfp4"],
    ])("%o", (quantization, format) => {
        const { checkpoint } = read(qwen3Moe, quantization);
        expect(checkpoint).toMatchObject({ method: "fp8", formats: { experts: [format], attention: ["fp8"] } });
    });
});

describe("what is not known is refused in words", () => {
    test.each<[string, Fields, RegExp]>([
        ["method", { quant_method: "bitsandbytes", load_in_4bit: true }, /"bitsandbytes"/],
        ["algorithm", { quant_method: "modelopt", quant_algo: "INT3" }, /"INT3"/],
        ["bits", { quant_method: "gptq", bits: 3 }, /gptq has 3 bits/],
        ["group", grouped([{ targets: ["Linear"], weights: { num_bits: 2, type: "int" } }]), /group_0 stores/],
        [
            "layer",
            {
                quant_method: "modelopt",
                quant_algo: "MIXED_PRECISION",
                quantized_layers: { "model.layers.0.mlp.up_proj": { quant_algo: "FP3" }, a: { quant_algo: "NVFP4" } },
            },
            /FP3 of model\.layers\.0\.mlp\.up_proj/,
        ],
    ])("%s", (_, quantization, sentence) => {
        expect(() => read(llama, quantization)).toThrow(sentence);
    });
});

describe("a calibrated cache counts where the release reads it", () => {
    test.each([
        [{ ...grouped([four]), kv_cache_scheme: { num_bits: 8, type: "float", strategy: "tensor" } }, "0.5.19"],
        [{ quant_method: "fp8", kv_cache_quant_algo: "FP8" }, "0.5.18"],
        [{ quant_method: "modelopt", quant_algo: "NVFP4", kv_cache_quant_algo: "FP8" }, undefined],
    ])("%#", (quantization, since) => {
        expect(read(llama, quantization).checkpoint).toMatchObject({ kvCalibrated: "fp8_e4m3" });
        expect(read(llama, quantization).checkpoint.kvReadSince).toBe(since);
    });

    test("not where its scale is not for the whole tensor", () => {
        const scheme = { num_bits: 8, type: "float", strategy: "attn_head" };
        expect(read(llama, { ...grouped([four]), kv_cache_scheme: scheme }).checkpoint.kvCalibrated).toBe("none");
    });
});
