import type { EnvironmentVariable, Settings } from "../base/settings.ts";
import type { HostFacts } from "../records/facts.ts";
import type { ServedModel } from "./model-traits.ts";

/** One GPU that the service uses, with the host that it is in. */
export interface UsedGpu {
    readonly node: string;
    readonly gpu: HostFacts["gpus"][number];
}

/** What the rules know of how the GPUs are connected. */
export interface Fabric {
    /** Whether no pair of used GPUs has NVLink; `undefined` when no table could be read. */
    readonly pcieOnly: boolean | undefined;
    /** Whether SGLang's custom all-reduce must stay off on a host of the service. */
    readonly customAllReduceUnfit: boolean;
    /** Whether nothing that was recorded speaks against peer access between the used GPUs; `undefined` when no table could be read. */
    readonly peerAccess?: boolean;
    /** NUMA node of each used GPU in rank order, on one host with several nodes and `numactl`. */
    readonly numaNodes?: readonly number[];
}

/** Versions that windows of rules refer to; absent when not known. */
export interface KnownVersions {
    readonly sglang: string;
    readonly flashinfer?: string;
    readonly nccl?: string;
    readonly driver?: string;
    readonly cuda?: string;
}

/** Everything that a rule may look at. Pure data. */
export interface RuleContext {
    readonly versions: KnownVersions;
    /** Packages of the build by name: the release's pins, overridden by `build.versions`. */
    readonly packages: Readonly<Record<string, string>>;
    /** Packages that the user pinned. */
    readonly pinned: ReadonlySet<string>;
    readonly stock: boolean;
    /** Patches of the build by name. */
    readonly patches: readonly string[];
    /** Whether an API key is given to the server. */
    readonly hasApiKey: boolean;
    readonly model?: ServedModel;
    readonly placement: "hosts" | "pool";
    readonly nodes: readonly { readonly name: string; readonly facts: HostFacts }[];
    readonly gpus: readonly UsedGpu[];
    readonly fabric: Fabric;
    readonly settings: Settings;
    readonly environment: Readonly<Record<string, EnvironmentVariable>>;
}

/** Value of a setting, when it is one that decides: not absent, and not `auto`, which leaves it to SGLang. */
export function decided(context: RuleContext, setting: string): Settings[string]["value"] | undefined {
    const value = context.settings[setting]?.value;
    return value === "auto" ? undefined : value;
}

/** A setting that is a number, or its default. */
export function numberOf(context: RuleContext, setting: string, otherwise: number): number {
    const value = Number(context.settings[setting]?.value);
    return Number.isFinite(value) && context.settings[setting] !== undefined ? value : otherwise;
}

/** Whether every used GPU is an SM120 (compute capability 12.x). False without GPUs. */
export function allSm120(context: RuleContext): boolean {
    return context.gpus.length > 0 && context.gpus.every(({ gpu }) => gpu.computeCapability.startsWith("12."));
}
