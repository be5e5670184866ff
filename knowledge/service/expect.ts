import type { Settings, SettingValue } from "../base/settings.ts";
import { type MemoryPlan, memoryPlan, type Roofline, roofline } from "../memory/index.ts";
import { release as releaseOf } from "../sglang/index.ts";
import { type NearReference, nearReferences } from "../tuning/index.ts";
import { serviceMemory } from "./memory.ts";
import { loadedModel, servedModel } from "./model.ts";
import type { ResolvedService, ServiceSpec } from "./spec.ts";

/** Room for tokens and requests under one choice of settings. */
export interface MemoryChoice {
    /** What is chosen, in words. */
    readonly choice: string;
    readonly memFractionStatic: number;
    /** Tokens that the cache holds; 0 when it does not fit. */
    readonly kvTokens: number;
    /** Requests that run at once. */
    readonly requests: number;
}

/** What to expect of a service: the bound of the hardware, what others measured, and what other choices would hold. */
export interface Expectation {
    readonly roofline?: Roofline;
    /** Nearest first; empty when nobody published a figure. */
    readonly references: readonly NearReference[];
    /** The plan first, then SGLang's own defaults, then one choice changed at a time. */
    readonly choices: readonly MemoryChoice[];
}

/** What to expect of a resolved service; nothing when its release or model is not known. */
export function expectation(spec: ServiceSpec, resolved: ResolvedService): Expectation | undefined {
    const { memory, settings } = resolved;
    if (memory === undefined) {
        return undefined;
    }
    const model = loadedModel(servedModel(spec, releaseOf(spec.build.release), [])!, settings);
    const planned = serviceMemory(spec, model, settings);
    if (planned === undefined) {
        return undefined;
    }
    const cards = spec.nodes.flatMap(({ facts, gpus }) =>
        facts.gpus.filter(({ index }) => gpus.includes(index)).map(({ name }) => name),
    );
    const crosses = resolved.environment.some(({ name, value }) => name === "NCCL_P2P_LEVEL" && value === "SYS");
    const bound = roofline(planned.input, memory, cards, crosses);
    return {
        ...(bound && { roofline: bound }),
        references: nearReferences({
            model,
            release: spec.build.release,
            stock: spec.build.stock ?? true,
            cards: cards.length,
            speculation: settings["speculative-algorithm"] !== undefined,
        }),
        choices: choicesOf(
            settings,
            memory,
            (changed) => serviceMemory(spec, model, changed)?.plan,
            () => memoryPlan(ownDefaults(planned.input)),
        ),
    };
}

/** What SGLang would plan when told nothing but the model, its division and its context. */
function ownDefaults(input: Parameters<typeof memoryPlan>[0]): Parameters<typeof memoryPlan>[0] {
    const {
        memFractionStatic: _fraction,
        memFractionOrigin: _origin,
        kvCacheDtype: _dtype,
        chunkedPrefillSize: _chunk,
        cudaGraphMaxBs: _graphs,
        maxRunningRequests: _requests,
        speculative: _speculative,
        mamba: _mamba,
        ...rest
    } = input;
    return rest;
}

const cacheTypes = ["bfloat16", "fp8_e4m3"];
const stateTypes = ["float32", "bfloat16"];

function choicesOf(
    settings: Settings,
    plan: MemoryPlan,
    planned: (settings: Settings) => MemoryPlan | undefined,
    own: () => MemoryPlan,
): MemoryChoice[] {
    const choices = [choiceOf("as planned", plan), choiceOf("SGLang's own defaults", own())];
    const { "mem-fraction-static": fraction, ...open } = settings;
    const base: Settings = fraction?.origin === "memory" ? open : settings;
    const add = (choice: string, changed: Settings) => {
        const other = planned(changed);
        if (other !== undefined) {
            choices.push(choiceOf(choice, other));
        }
    };
    const set = (name: string, value: SettingValue): Settings => ({ ...base, [name]: { value, origin: "user" } });
    for (const type of cacheTypes.filter((type) => type !== plan.kvCacheDtype && isPlain(plan.kvCacheDtype))) {
        add(`kv-cache-dtype ${type}`, set("kv-cache-dtype", type));
    }
    const state = settings["mamba-ssm-dtype"]?.value;
    for (const type of plan.mambaGiB === undefined ? [] : stateTypes.filter((type) => type !== state)) {
        add(`mamba-ssm-dtype ${type}`, set("mamba-ssm-dtype", type));
    }
    if (settings["speculative-algorithm"] !== undefined) {
        const plain = Object.entries(base).filter(([name]) => !name.startsWith("speculative-"));
        add("without speculative decoding", Object.fromEntries(plain));
    }
    if (settings["disable-radix-cache"] === undefined && plan.mambaGiB !== undefined) {
        add("disable-radix-cache", set("disable-radix-cache", true));
    }
    return choices;
}

/** Whether the cache is of one of the types that are compared. */
function isPlain(type: string): boolean {
    return cacheTypes.includes(type);
}

function choiceOf(choice: string, plan: MemoryPlan): MemoryChoice {
    const { memFractionStatic, kvTokens, maxRunningRequests, fits } = plan;
    return { choice, memFractionStatic, kvTokens: fits ? kvTokens : 0, requests: fits ? maxRunningRequests : 0 };
}
