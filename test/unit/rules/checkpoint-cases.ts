import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import { fixture, type SpecChanges } from "../service/service-spec.ts";
import type { RuleCase } from "./cases.ts";

type Fields = Readonly<Record<string, unknown>>;

const llama = JSON.parse(fixture("checkpoints/03-ct-fp8-dynamic/config.json")) as Fields;
const qwen3Moe = JSON.parse(fixture("checkpoints/18-online-fp8-qwen3-moe/config.json")) as Fields;

/** A service on one model whose `config.json` has this quantization. */
const quantized = (config: Fields, quantization_config: Fields | undefined, release = "0.5.23"): SpecChanges => ({
    release,
    model: { repository: "owner/Model", config: { ...config, quantization_config } },
});
const flag = (name: string): { fields: ServiceFields } => ({ fields: { backends: { quantization: name } } });

const mxfp8 = { quant_method: "mxfp8" };
const layers = (algorithm: string) => ({
    quant_method: "modelopt",
    quant_algo: "MIXED_PRECISION",
    quantized_layers: {
        "model.layers.0.mlp.gate_proj": { quant_algo: "NVFP4" },
        "model.layers.0.mlp.down_proj": { quant_algo: algorithm },
    },
});
const groups = (input_activations: Fields | null, targets = ["Linear"], ignore = ["lm_head"]) => ({
    quant_method: "compressed-tensors",
    config_groups: { group_0: { targets, weights: { num_bits: 4, type: "float", group_size: 16 }, input_activations } },
    ignore,
});
const four = { num_bits: 4, type: "float" };

/** A pair for each rule about how a checkpoint is stored. */
export const checkpointCases: Readonly<Record<string, RuleCase>> = {
    "quantization-without-checkpoint": {
        inside: { ...quantized(llama, undefined), ...flag("awq") },
        outside: { ...quantized(llama, undefined), ...flag("fp8") },
    },
    "mxfp8-experts": {
        inside: { ...quantized(qwen3Moe, undefined), ...flag("mxfp8") },
        outside: { ...quantized(llama, undefined), ...flag("mxfp8") },
    },
    "mxfp8-dense": { inside: quantized(llama, mxfp8, "0.5.9"), outside: quantized(llama, mxfp8, "0.5.10") },
    "mxfp8-unread": {
        inside: quantized(llama, { quant_method: "modelopt", quant_algo: "MXFP8" }, "0.5.17"),
        outside: quantized(llama, { quant_method: "modelopt", quant_algo: "MXFP8" }, "0.5.18"),
    },
    "layer-algorithm-unread": {
        inside: quantized(llama, layers("W4A16_NVFP4"), "0.5.14"),
        outside: quantized(llama, layers("W4A16_NVFP4"), "0.5.15"),
    },
    "nvfp4-weight-only-unread": {
        inside: quantized(llama, groups(null), "0.5.21"),
        outside: quantized(llama, groups(four), "0.5.21"),
    },
    "quantized-head-unread": {
        inside: quantized(llama, groups(four, ["Linear", "lm_head"], []), "0.5.18"),
        outside: quantized(llama, groups(four, ["Linear", "lm_head"], []), "0.5.19"),
    },
    "w4afp8-hopper": {
        inside: quantized(qwen3Moe, {
            quant_method: "modelopt",
            quant_algo: "MIXED_PRECISION",
            quantized_layers: { "model.layers.0.mlp.experts": { quant_algo: "W4A8_AWQ" } },
        }),
        outside: quantized(qwen3Moe, { quant_method: "fp8" }),
    },
};
