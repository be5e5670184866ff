/** Which module of a checkpoint is stored in which format, as its quantization configuration says. */

import { integers, type Method, type StoredAs, storedAs } from "./formats.ts";
import { type ModuleTest, moduleTest, type PlainPatterns, withoutPrefix } from "./module-patterns.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Format of a module by its names; `expert` for a routed expert. */
export type LayerMap = (names: readonly string[], expert: boolean) => StoredAs;

/** Takes a sentence about what cannot be understood. */
type Note = (sentence: string) => void;

const bf16 = storedAs("bf16");

/** An object, or an empty one. */
export function fieldsOf(value: unknown): Fields {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The map of a checkpoint; what cannot be understood is noted, and never taken for 16 bits without a word. */
export function layerMap(method: Method, config: Fields, note: Note): LayerMap {
    const ignored = ignoredModules(method, config);
    const quantized = quantizedMap(method, config, note);
    return (names, expert) => (ignored(names) ? bf16 : quantized(names, expert));
}

/** Lists under which the configurations name what stays as it was. */
const ignoring = ["ignore", "exclude_modules", "modules_to_not_convert", "ignored_layers"] as const;

function ignoredModules(method: Method, config: Fields): ModuleTest {
    const plain: PlainPatterns = method === "awq" ? "text" : "path";
    const lists = ignoring.flatMap((name) => (Array.isArray(config[name]) ? config[name].map(String) : []));
    const removed = Object.keys(fieldsOf(config.dynamic)).filter((pattern) => pattern.startsWith("-:"));
    const head = method === "compressed-tensors" || method.startsWith("modelopt") ? [] : ["lm_head"];
    const tested = moduleTest([...lists, ...removed.map((pattern) => `re:${pattern.slice(2)}`)], plain);
    const headTested = moduleTest(config.lm_head === true ? [] : head);
    return (names) => tested(names) || headTested(names);
}

function quantizedMap(method: Method, config: Fields, note: Note): LayerMap {
    switch (method) {
        case "bf16":
            return () => bf16;
        case "compressed-tensors":
            return groupsMap(config, note);
        case "modelopt_mixed":
        case "w4afp8":
            return mixedMap(method, config, note);
        case "modelopt_fp4":
            return () => storedAs("nvfp4");
        case "mxfp4":
            return (_names, expert) => (expert ? storedAs("mxfp4") : bf16);
        case "mxfp8":
            return () => storedAs("mxfp8");
        case "modelopt_fp8":
            return () => storedAs(/MXFP8/i.test(String(config.quant_algo)) ? "mxfp8" : "fp8");
        case "awq":
        case "gptq":
            return integersMap(method, config, note);
        case "fp8":
            return fp8Map(config);
    }
}

/** FP8, but for experts that are named otherwise. sglang 0.5.14 and 0.5.19 srt/configs/model_config.py. */
function fp8Map(config: Fields): LayerMap {
    const nvfp4 = String(config.moe_quant_algo).toUpperCase() === "NVFP4";
    const mxfp4 = config.routed_experts_quant_method === "mxfp4" || config.store_dtype === "mxfp4";
    const experts = storedAs(nvfp4 ? "nvfp4" : mxfp4 ? "mxfp4" : "fp8");
    return (_names, expert) => (expert ? experts : storedAs("fp8"));
}

function integersMap(method: Method, config: Fields, note: Note): LayerMap {
    const bits = config.bits ?? config.w_bit;
    if (bits !== 4 && bits !== 8) {
        note(`quantization_config of ${method} has ${JSON.stringify(bits)} bits, which is neither 4 nor 8`);
        return () => bf16;
    }
    const group = Number(config.group_size ?? config.q_group_size ?? 128);
    const format = integers(bits, group, method === "awq" ? config.zero_point !== false : config.sym !== true);
    return () => format;
}

/** Algorithms of ModelOpt's `quantized_layers`. sglang 0.5.23 srt/layers/quantization/modelopt_quant.py. */
const algorithms: Readonly<Record<string, StoredAs>> = {
    NVFP4: storedAs("nvfp4"),
    W4A16_NVFP4: storedAs("nvfp4"),
    FP8: storedAs("fp8"),
    FP8_PB_WO: storedAs("fp8"),
    FP8_BLOCK_SCALES: storedAs("fp8"),
    MXFP8: storedAs("mxfp8"),
    W4A8_AWQ: integers(4, 128, false),
    INT4_AWQ: integers(4, 128, false),
};

function mixedMap(method: Method, config: Fields, note: Note): LayerMap {
    const layers = Object.entries(fieldsOf(config.quantized_layers));
    if (layers.length === 0) {
        if (method === "modelopt_mixed") {
            note("quantization_config is MIXED_PRECISION without `quantized_layers`, which say what each layer is");
        }
        return (_names, expert) => (expert ? integers(4, 128, false) : storedAs("fp8"));
    }
    const exact = new Map<string, StoredAs>();
    for (const [name, info] of layers) {
        const algorithm = String(fieldsOf(info).quant_algo).toUpperCase();
        const format = algorithms[algorithm];
        if (format === undefined) {
            note(`quantized_layers says ${algorithm} of ${name}, which is not known`);
        }
        const path = withoutPrefix(name);
        // A module's parents get the format of what is inside, as SGLang looks up fused modules.
        for (const key of [path, ...parents(path)]) {
            if (key === path || !exact.has(key)) {
                exact.set(key, format ?? bf16);
            }
        }
    }
    return (names) => names.map((name) => exact.get(name)).find((format) => format !== undefined) ?? bf16;
}

/** What a module is inside of, as far as it says something of the module: `mlp.experts`, not the whole layer. */
function parents(path: string): string[] {
    const parts = path.split(".");
    return parts
        .map((_, index) => parts.slice(0, parts.length - 1 - index).join("."))
        .filter((name) => /\.(?:mlp|self_attn|linear_attn|block_sparse_moe)\.|\.experts$/.test(name));
}

interface Group {
    readonly named: ModuleTest;
    /** Whether a target is a kind of module, which covers what no other group names. */
    readonly everyLinear: boolean;
    readonly format: StoredAs;
}

/** Every group counts; a name wins over a kind, and where two say different things the wider format is planned. */
function groupsMap(config: Fields, note: Note): LayerMap {
    const entries = Object.entries(fieldsOf(config.config_groups));
    const groups = entries.flatMap(([name, value]): Group[] => {
        const group = fieldsOf(value);
        const format = groupFormat(group);
        if (format === undefined) {
            note(`config_groups.${name} stores ${JSON.stringify(group.weights)}, which is no known format`);
            return [];
        }
        const targets = Array.isArray(group.targets) ? group.targets.map(String) : ["Linear"];
        const kinds = targets.filter((target) => /^[A-Z]\w*$/.test(target));
        return [
            {
                named: moduleTest(targets.filter((target) => !kinds.includes(target))),
                everyLinear: kinds.length > 0,
                format,
            },
        ];
    });
    if (entries.length === 0) {
        note("quantization_config is compressed-tensors without `config_groups`");
    }
    return (names) => {
        const named = groups.filter((group) => group.named(names));
        const meant = named.length > 0 ? named : groups.filter(({ everyLinear }) => everyLinear);
        return meant.map(({ format }) => format).toSorted((a, b) => b.bytes - a.bytes)[0] ?? bf16;
    };
}

function groupFormat({ weights }: Fields): StoredAs | undefined {
    const { num_bits: bits, type, group_size: size, symmetric } = fieldsOf(weights);
    const group = typeof size === "number" ? size : 0;
    if (type === "float") {
        if (bits === 8) {
            return storedAs(group === 32 ? "mxfp8" : "fp8");
        }
        return bits === 4 ? storedAs(group === 32 ? "mxfp4" : "nvfp4") : undefined;
    }
    return type === "int" && (bits === 4 || bits === 8) ? integers(bits, group, symmetric === false) : undefined;
}
