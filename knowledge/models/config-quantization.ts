/** What a checkpoint's quantization configuration says: who wrote it, what each layer holds, and what its KV cache was calibrated for. */

import type { ConfigReader } from "./config-reader.ts";
import type { Method, NumberFormat, StoredAs } from "./formats.ts";
import { fieldsOf, type LayerMap, layerMap } from "./layer-map.ts";
import { headOf, type Module, modulesOfLayer, modulesOfMtp, type Part } from "./modules.ts";
import type { CalibratedKv, Checkpoint, ModelStructure, StoredBytes, StoredFormats } from "./profile.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Checkpoint facts from `quantization_config`, or from `hf_quant_config.json` where SGLang reads that. Unknown methods are a problem. */
export function checkpointFromConfig(
    reader: ConfigReader,
    repository: string,
    hfQuantConfig: unknown,
    structure: ModelStructure,
): Checkpoint {
    const config = quantizationOf(reader, hfQuantConfig);
    const method = methodOf(reader, config);
    const map = layerMap(method, config, (sentence) => reader.problem(sentence));
    return {
        repository,
        method,
        ...stored(structure, map),
        algorithms: algorithmsOf(config),
        ...calibration(method, config),
        hasMtp: structure.mtpLayers > 0 ? "unverified" : false,
        loggedWeights: [],
        loggedDraft: [],
        minimumGpus: 1,
    };
}

/**
 * The configuration that SGLang reads: the one in `config.json`, else `hf_quant_config.json`. A mixed one takes from the file beside it
 * what it lacks itself. sglang 0.5.16 srt/configs/model_config.py `_parse_quant_hf_config`, srt/model_loader/weight_utils.py `get_quant_config`.
 */
function quantizationOf(reader: ConfigReader, hfQuantConfig: unknown): Fields {
    const file = fieldsOf(hfQuantConfig);
    const beside = fieldsOf(file.quantization ?? (file.quant_algo === undefined ? {} : file));
    const inside = reader.object("quantization_config") ?? reader.object("compression_config") ?? {};
    if (Object.keys(inside).length === 0) {
        return beside;
    }
    const given = Object.fromEntries(Object.entries(inside).filter(([, value]) => value !== null));
    const keys = ["quantized_layers", "kv_cache_quant_algo"].filter((name) => beside[name] !== undefined);
    const calibrated = given.kv_cache_scheme !== undefined || "kv_cache_scheme" in inside;
    const lacking = keys.filter((name) => given[name] === undefined && !(name === "kv_cache_quant_algo" && calibrated));
    return isMixed(inside) ? { ...Object.fromEntries(lacking.map((name) => [name, beside[name]])), ...given } : given;
}

function isMixed(config: Fields): boolean {
    return algorithmOf(config).includes("MIXED");
}

function algorithmOf(config: Fields): string {
    return String(config.quant_algo ?? "").toUpperCase();
}

function methodOf(reader: ConfigReader, config: Fields): Method {
    if (Object.keys(config).length === 0) {
        return "bf16";
    }
    const algorithm = algorithmOf(config);
    const name = String(config.quant_method ?? (algorithm ? "modelopt" : "")).toLowerCase();
    if (name.startsWith("modelopt")) {
        const found = modeloptMethod(algorithm, config);
        if (found !== undefined) {
            return found;
        }
    }
    switch (name) {
        case "fp8":
        case "mxfp8":
        case "mxfp4":
        case "awq":
        case "gptq":
            return name;
        case "compressed-tensors":
        case "compressed_tensors":
            return "compressed-tensors";
    }
    reader.problem(
        `quantization_config (quant_method ${JSON.stringify(config.quant_method)}, quant_algo ` +
            `${JSON.stringify(config.quant_algo)}) is none of modelopt, compressed-tensors, fp8, mxfp8, mxfp4, awq, gptq`,
    );
    return "bf16";
}

function modeloptMethod(algorithm: string, config: Fields): Method | undefined {
    if (algorithm.includes("MIXED")) {
        const layers = Object.values(fieldsOf(config.quantized_layers));
        const nvfp4 = layers.some((info) => String(fieldsOf(info).quant_algo).toUpperCase().includes("NVFP4"));
        return nvfp4 || layers.length === 0 ? "modelopt_mixed" : "w4afp8";
    }
    if (algorithm === "MXFP8") {
        return "mxfp8";
    }
    if (algorithm.includes("FP4")) {
        return "modelopt_fp4";
    }
    return algorithm.includes("FP8") ? "modelopt_fp8" : undefined;
}

/** Algorithms that not every release reads, by name: `MXFP8` and `W4A16_NVFP4` of ModelOpt, `NVFP4A16` of compressed-tensors. */
function algorithmsOf(config: Fields): readonly string[] {
    const layers = Object.values(fieldsOf(config.quantized_layers)).map((info) =>
        String(fieldsOf(info).quant_algo ?? "").toUpperCase(),
    );
    const groups = Object.values(fieldsOf(config.config_groups)).map(fieldsOf);
    const weightOnly = groups.some(
        ({ weights, input_activations: activations }) =>
            fieldsOf(weights).type === "float" &&
            fieldsOf(weights).num_bits === 4 &&
            (activations === null || activations === undefined),
    );
    const own = config.quant_method === "compressed-tensors" && weightOnly ? ["NVFP4A16"] : [];
    const experts = config.moe_quant_algo ?? config.routed_experts_quant_method;
    const named = experts === undefined || experts === null ? [] : [`EXPERTS_${String(experts).toUpperCase()}`];
    return [...new Set([...[algorithmOf(config), ...layers].filter(Boolean), ...own, ...named])].sort();
}

/** Bytes and formats of each part, module by module. */
function stored(structure: ModelStructure, map: LayerMap): { stored: StoredBytes; formats: StoredFormats } {
    const layers = Array.from({ length: structure.layers }, (_, layer) => modulesOfLayer(structure, layer));
    const formatOf = ({ names, part }: Module) => map(names, part === "experts" || names.some(isExpert));
    const one = (modules: readonly Module[]) => average(modules.map((module) => [module, formatOf(module)]));
    const formats = new Map<Part, Set<NumberFormat>>();
    const all = [...layers.flat(), ...modulesOfMtp(structure), headOf(structure)];
    for (const module of all.filter(({ parameters }) => parameters > 0)) {
        formats.set(module.part, (formats.get(module.part) ?? new Set()).add(formatOf(module).format));
    }
    const byLayer = (part: Part) => simplest(layers.map((modules) => one(modules.filter((m) => m.part === part))));
    return {
        stored: {
            experts: byLayer("experts"),
            sharedExperts: byLayer("sharedExperts"),
            denseMlp: byLayer("denseMlp"),
            attention: byLayer("attention"),
            linear: byLayer("linear"),
            index: byLayer("index"),
            mtp: one(modulesOfMtp(structure)) ?? 2,
            head: one([headOf(structure)]) ?? 2,
        },
        formats: Object.fromEntries([...formats].map(([part, found]) => [part, [...found].sort()])),
    };
}

function isExpert(name: string): boolean {
    return name.includes(".experts.");
}

/** Bytes per parameter over modules; nothing when there are none. */
function average(modules: readonly (readonly [Module, StoredAs])[]): number | undefined {
    const parameters = modules.reduce((sum, [module]) => sum + module.parameters, 0);
    const bytes = modules.reduce((sum, [module, { bytes: each }]) => sum + module.parameters * each, 0);
    return parameters > 0 ? bytes / parameters : undefined;
}

/** One number where all layers agree. Layers without the part count as the others. */
function simplest(layers: readonly (number | undefined)[]): number | readonly number[] {
    const known = layers.find((value) => value !== undefined) ?? 2;
    const filled = layers.map((value) => value ?? known);
    return filled.every((value) => value === known) ? known : filled;
}

/**
 * What the KV cache was calibrated for, and the first release that reads it there: ModelOpt's in every release, compressed-tensors'
 * from 0.5.19 (static, symmetric, one scale for the tensor), that of method fp8 from 0.5.18.
 * sglang 0.5.9 to 0.5.23 srt/layers/quantization (`kv_cache_quant_algo`).
 */
function calibration(method: Method, config: Fields): { kvCalibrated: CalibratedKv; kvReadSince?: string } {
    const scheme = fieldsOf(config.kv_cache_scheme);
    const eight = scheme.num_bits === 8 && scheme.type === "float";
    const algorithm = String(config.kv_cache_quant_algo ?? "").toUpperCase() === "FP8";
    if (method.startsWith("modelopt")) {
        return { kvCalibrated: algorithm || eight ? "fp8_e4m3" : "none" };
    }
    if (method === "compressed-tensors") {
        const still = scheme.strategy === "tensor" && scheme.symmetric !== false && scheme.dynamic !== true;
        return eight && still ? { kvCalibrated: "fp8_e4m3", kvReadSince: "0.5.19" } : { kvCalibrated: "none" };
    }
    const fp8 = method === "fp8" || method === "mxfp8";
    return fp8 && (algorithm || (method === "mxfp8" && eight))
        ? { kvCalibrated: "fp8_e4m3", kvReadSince: "0.5.18" }
        : { kvCalibrated: "none" };
}
