import type { EnvironmentVariable, Finding, Problem, Settings, SettingValue } from "../base/settings.ts";
import type { ServiceFields } from "../fields/service.ts";
import type { MemoryPlan } from "../memory/index.ts";
import type { TensorIndex } from "../models/index.ts";
import type { Limits } from "../oracle/limits.ts";
import type { PackedOracle } from "../oracle/packed.ts";
import type { HostFacts } from "../records/facts.ts";
import type { TuningNote } from "../tuning/index.ts";

/** One machine of a service as the rules see it: a bare-metal host, or a node of a pool. */
export interface ServiceNode {
    /** Name of the host, or of the pool with the ordinal. */
    readonly name: string;
    /** Recorded facts. */
    readonly facts: HostFacts;
    /** Indices of the GPUs that the service uses. */
    readonly gpus: readonly number[];
}

/** What a service is asked to be: everything that {@link resolve} needs, and nothing that depends on an engine. */
export interface ServiceSpec {
    /** Name of the service. */
    readonly name: string;
    readonly build: {
        /** SGLang release whose knowledge applies. */
        readonly release: string;
        /** Patches by name, in order. */
        readonly patches: readonly string[];
        /** Versions that differ from what the release pins, such as `{ "flashinfer-python": "0.6.11" }`. Defaults to none. */
        readonly versions?: Readonly<Record<string, string>>;
        /** False for an image or fork that ships more than the release (`b12x`, one-shot all-reduce). Defaults to true. */
        readonly stock?: boolean;
    };
    readonly model: {
        /** Hub repository, `owner/name`. */
        readonly repository: string;
        /** 40 hex digits; absent when not pinned yet. */
        readonly revision?: string;
        /** Id of the profile to use. Defaults to the profile that lists the repository. */
        readonly profile?: string;
        /** The model's own `config.json`, for a model without a profile. */
        readonly config?: unknown;
        /** Content of `hf_quant_config.json`, where the checkpoint has one beside its `config.json`. */
        readonly hfQuantConfig?: unknown;
        /** What the index of the checkpoint's files says, where it lies beside its `config.json`. */
        readonly tensors?: TensorIndex | undefined;
    };
    readonly placement: "hosts" | "pool";
    readonly nodes: readonly ServiceNode[];
    /** Whether an API key is given. */
    readonly hasApiKey: boolean;
    /** What `gate.oracle` names. */
    readonly oracle?: PackedOracle | undefined;
    readonly fields: ServiceFields;
}

/** What a started server is asked; the agent's `GateSpec`. */
export interface GatePlan {
    readonly greedy: readonly { readonly prompt: string; readonly expect: string; readonly maxTokens: number }[];
    readonly sampled: { readonly requests: number; readonly temperature: number; readonly maxTokens: number };
    readonly concurrency: { readonly requests: number; readonly maxTokens: number };
    readonly toolCall: boolean;
    readonly reasoning: boolean;
    readonly structured?: true;
    readonly longCharacters?: number;
    readonly itself?: { readonly crowds: readonly number[]; readonly limits: Limits };
    readonly oracle?: Pick<PackedOracle, "sha256" | "packed"> & { readonly limits: Limits };
    readonly servedModelName: string;
    readonly minimumTokensPerSecond?: number;
    readonly maximumSecondsToFirstToken?: number;
    readonly timeoutSeconds: number;
}

/** A service with every setting decided, and the reasons. */
export interface ResolvedService {
    readonly name: string;
    readonly release: string;
    readonly placement: "hosts" | "pool";
    /** True when a problem or a refusal stands against it; nothing may be deployed then. */
    readonly refused: boolean;
    readonly problems: readonly Problem[];
    readonly findings: readonly Finding[];
    /** Canonical name to value and origin. Without what the placement adds (model path, node rank, port). */
    readonly settings: Settings;
    readonly environment: readonly EnvironmentVariable[];
    /** Arguments in the release's own spelling, without dashes, sorted. Without what the placement adds. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    /** Memory of one GPU; absent when the release or the model is not known. */
    readonly memory: MemoryPlan | undefined;
    /** What was considered to make it faster, and what became of it. */
    readonly tuning: readonly TuningNote[];
    readonly gate: GatePlan;
    /** Digest over release, patches, model revision, arguments, environment and gate: equal on a host and in a pool. */
    readonly settingsDigest: string;
}
