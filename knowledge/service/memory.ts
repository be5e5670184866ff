import type { Setting, Settings } from "../base/settings.ts";
import { type MemoryInput, type MemoryPlan, memoryPlan, recommendedFraction } from "../memory/index.ts";
import type { ServedModel } from "../rules/model-traits.ts";
import type { ServiceSpec } from "./spec.ts";

/** The memory plan, and the fraction that it leads to when the user gave none. */
export interface ServiceMemory {
    /** What the planner was told; without the fraction, where the plan decides it. */
    readonly input: MemoryInput;
    readonly plan: MemoryPlan;
    readonly fraction?: Setting;
}

/** Plans the memory of a service with these settings; nothing when a size is no number, which is a problem elsewhere. */
export function serviceMemory(spec: ServiceSpec, model: ServedModel, settings: Settings): ServiceMemory | undefined {
    const input = memoryInput(spec, model, settings);
    if (input === undefined || input.gpuMemoryMiB.length === 0) {
        return undefined;
    }
    if (input.memFractionStatic !== undefined) {
        return { input, plan: memoryPlan(input) };
    }
    const { fraction, plan } = recommendedFraction(input);
    return { input, plan, fraction: { value: fraction, origin: "memory" } };
}

/** Names of the planner's inputs that are whole numbers, and the settings that they are. */
const sizes = {
    pp: "pp-size",
    ep: "ep-size",
    chunkedPrefillSize: "chunked-prefill-size",
    cudaGraphMaxBs: "cuda-graph-max-bs-decode",
    maxRunningRequests: "max-running-requests",
    contextLength: "context-length",
    maxTotalTokens: "max-total-tokens",
    pageSize: "page-size",
} as const satisfies Partial<Record<keyof MemoryInput, string>>;

/** Names of the planner's inputs that are words. */
const words = {
    kvCacheDtype: "kv-cache-dtype",
    attentionBackend: "attention-backend",
    dsaPrefillBackend: "dsa-prefill-backend",
    dsaDecodeBackend: "dsa-decode-backend",
    moeA2aBackend: "moe-a2a-backend",
} as const satisfies Partial<Record<keyof MemoryInput, string>>;

function memoryInput(
    spec: ServiceSpec,
    { profile, checkpoint }: ServedModel,
    settings: Settings,
): MemoryInput | undefined {
    const has = (name: string) => settings[name] !== undefined;
    const text = (name: string) => (has(name) ? String(settings[name]!.value) : undefined);
    const number = (name: string) => (has(name) ? Number(settings[name]!.value) : undefined);
    const attentionReplicas = number("attn-dp-size");
    const numbers = Object.fromEntries(
        Object.entries(sizes).flatMap(([key, name]) => (has(name) ? [[key, number(name)!] as const] : [])),
    );
    const fraction = number("mem-fraction-static");
    const tp = number("tp-size") ?? 1;
    const dp = attentionReplicas ?? number("dp-size");
    const decisive = [tp, dp ?? 1, numbers.pp ?? 1, numbers.ep ?? 1];
    const others = Object.values(numbers);
    if (
        decisive.some((size) => !Number.isInteger(size) || size < 1) ||
        others.some((size) => !Number.isInteger(size)) ||
        (fraction !== undefined && !(fraction > 0 && fraction < 1))
    ) {
        return undefined;
    }
    const graphsOff = settings["cuda-graph-backend-decode"]?.value === "disabled";
    return {
        profile,
        repository: spec.model.repository,
        checkpoint,
        release: spec.build.release,
        gpuMemoryMiB: spec.nodes.flatMap(({ facts, gpus }) =>
            facts.gpus.filter(({ index }) => gpus.includes(index)).map(({ memoryMiB }) => memoryMiB),
        ),
        nodes: spec.nodes.length,
        tp,
        ...(dp === undefined ? {} : { dp }),
        ...numbers,
        ...(graphsOff ? { cudaGraphMaxBs: 0 } : {}),
        ...Object.fromEntries(Object.entries(words).flatMap(([key, name]) => (has(name) ? [[key, text(name)!]] : []))),
        dpAttention: has("enable-dp-attention") || attentionReplicas !== undefined,
        disableRadixCache: has("disable-radix-cache"),
        disableOverlapSchedule: has("disable-overlap-schedule"),
        languageOnly: has("language-only"),
        ...(fraction === undefined
            ? {}
            : { memFractionStatic: fraction, memFractionOrigin: settings["mem-fraction-static"]!.origin }),
        ...(has("swa-full-tokens-ratio") ? { swaFullTokensRatio: number("swa-full-tokens-ratio")! } : {}),
        ...(settings["cuda-graph-backend-prefill"]?.value === "disabled" ? { prefillGraph: false } : {}),
        ...speculation(settings, text, number),
        ...recurrent(text, number),
        ...hierarchical(has, number),
        hostMemoryBytes: Math.min(...spec.nodes.map(({ facts }) => facts.memoryBytes)),
    };
}

type Text = (name: string) => string | undefined;
type Numeric = (name: string) => number | undefined;

function speculation(settings: Settings, text: Text, number: Numeric): Partial<MemoryInput> {
    if (settings["speculative-algorithm"] === undefined) {
        return {};
    }
    const draftTokens = number("speculative-num-draft-tokens");
    return {
        speculative: {
            algorithm: text("speculative-algorithm")!,
            ...(Number.isInteger(draftTokens) ? { draftTokens: draftTokens! } : {}),
        },
    };
}

const stateTypes = ["float32", "bfloat16", "float16"] as const;
const strategies = ["auto", "no_buffer", "extra_buffer", "extra_buffer_lazy"] as const;

function recurrent(text: Text, number: Numeric): Partial<MemoryInput> {
    const ssmDtype = stateTypes.find((name) => name === text("mamba-ssm-dtype"));
    const strategy = strategies.find((name) => name === text("mamba-radix-cache-strategy"));
    const cacheSize = number("max-mamba-cache-size");
    const fullMemoryRatio = number("mamba-full-memory-ratio");
    return {
        mamba: {
            ...(ssmDtype && { ssmDtype }),
            ...(strategy && { strategy }),
            ...(Number.isInteger(cacheSize) ? { cacheSize: cacheSize! } : {}),
            ...(Number.isFinite(fullMemoryRatio) ? { fullMemoryRatio: fullMemoryRatio! } : {}),
        },
    };
}

function hierarchical(has: (name: string) => boolean, number: Numeric): Partial<MemoryInput> {
    if (!has("enable-hierarchical-cache")) {
        return {};
    }
    const ratio = number("hicache-ratio");
    const sizeGB = number("hicache-size");
    return {
        hicache: {
            ...(Number.isFinite(ratio) ? { ratio: ratio! } : {}),
            ...(Number.isFinite(sizeGB) ? { sizeGB: sizeGB! } : {}),
        },
    };
}
