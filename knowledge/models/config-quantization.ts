/** What a checkpoint's quantization configuration says of its bytes and its KV cache. */

import type { ConfigReader } from "./config-reader.ts";
import type { CalibratedKv, Checkpoint, ModelStructure, Quantization, StoredBytes } from "./profile.ts";
import { BF16_ALL, FOUR_BIT_GROUPED, FP8_ALL, MXFP4_EXPERTS, NVFP4_AND_FP8 } from "./stored.ts";

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Checkpoint facts from `quantization_config`, or from `hf_quant_config.json` when that is given. Unknown methods are a problem. */
export function checkpointFromConfig(
    reader: ConfigReader,
    repository: string,
    hfQuantConfig: unknown,
    structure: ModelStructure,
): Checkpoint {
    const beside = fields(fields(hfQuantConfig).quantization ?? hfQuantConfig);
    const inside = reader.object("quantization_config") ?? {};
    const config = Object.keys(inside).length > 0 ? { ...beside, ...inside } : beside;
    const quantization = method(reader, config);
    return {
        repository,
        quantization,
        stored: storedBytes(quantization, config),
        kvCalibrated: calibratedKv(config),
        hasMtp: structure.mtpLayers > 0 ? "unverified" : false,
        loggedWeights: [],
        loggedDraft: [],
        minimumGpus: 1,
    };
}

function method(reader: ConfigReader, config: Fields): Quantization {
    if (Object.keys(config).length === 0) {
        return "bf16";
    }
    const algorithm = String(config.quant_algo ?? "").toUpperCase();
    const name = String(config.quant_method ?? (algorithm ? "modelopt" : "")).toLowerCase();
    if (name.startsWith("modelopt")) {
        if (algorithm.includes("MIXED")) {
            return "modelopt_mixed";
        }
        if (algorithm.includes("NVFP4") || algorithm.includes("FP4")) {
            return "modelopt_fp4";
        }
        if (algorithm === "FP8") {
            return "fp8";
        }
    }
    if (name === "fp8" || name === "mxfp4") {
        return name;
    }
    if (name === "compressed-tensors") {
        const weights = Object.values(fields(config.config_groups)).map((group) => fields(fields(group).weights));
        const bits = weights.map((w) => w.num_bits).find((b) => typeof b === "number");
        const float = weights.some((w) => w.type === "float");
        if (bits === 4) {
            return float ? "modelopt_fp4" : "int4";
        }
        if (bits === 8 && float) {
            return "fp8";
        }
    }
    reader.problem(
        `quantization_config (quant_method ${JSON.stringify(config.quant_method)}, quant_algo ` +
            `${JSON.stringify(config.quant_algo)}) is none of modelopt NVFP4, modelopt FP8, modelopt mixed, fp8, mxfp4, int4`,
    );
    return "bf16";
}

/** Bytes per parameter, by the parts that the configuration leaves out of quantization. */
function storedBytes(quantization: Quantization, config: Fields): StoredBytes {
    if (quantization === "bf16") {
        return BF16_ALL;
    }
    if (quantization === "mxfp4") {
        return MXFP4_EXPERTS;
    }
    if (quantization === "modelopt_mixed") {
        return NVFP4_AND_FP8;
    }
    const left = [config.ignore, config.exclude_modules, config.modules_to_not_convert, config.ignored_layers]
        .filter(Array.isArray)
        .flat()
        .map(String);
    const leftOut = (pattern: RegExp) => left.some((module) => pattern.test(module));
    const bytes = quantization === "fp8" ? FP8_ALL.experts : FOUR_BIT_GROUPED;
    return {
        experts: bytes,
        sharedExperts: leftOut(/shared_expert/) ? 2 : bytes,
        denseMlp: leftOut(/mlp\*?$|mlp\.\(|mlp\.(gate_proj|up_proj|down_proj)/) ? 2 : bytes,
        attention: leftOut(/attn|attention/) ? 2 : bytes,
        mtp: quantization === "fp8" ? 1 : 2,
    };
}

/** What the KV cache was calibrated for: `kv_cache_scheme` (transformers) or `kv_cache_quant_algo` (ModelOpt). */
function calibratedKv(config: Fields): CalibratedKv {
    const scheme = fields(config.kv_cache_scheme);
    const algorithm = String(config.kv_cache_quant_algo ?? "").toUpperCase();
    return algorithm === "FP8" || (scheme.num_bits === 8 && scheme.type === "float") ? "fp8_e4m3" : "none";
}
