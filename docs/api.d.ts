// index.d.ts
/** Pulumi components that put SGLang on NVIDIA RTX PRO 6000 Blackwell (SM120) machines, with settings that are known to be safe there. */
export * from "./components/backends.ts";
export { InferenceService, type InferenceServiceArgs, type ServiceMemory } from "./components/inference-service.ts";
export { CacheRetention, ModelCache, type ModelCacheArgs } from "./components/model-cache.ts";
export { BuildDependencies, type GitSource, PatchedBuild, type PatchedBuildArgs } from "./components/patched-build.ts";
export type * from "./components/service-settings.ts";
export type { PatchFile } from "./knowledge/artifacts/build-plan.ts";
export type { DiskFacts, GpuFacts, HostFacts, NicFacts, OsFacts, P2pFacts, ToolkitFacts, } from "./knowledge/records/facts.ts";
export type { LockedBuild, LockedFile, LockedModel, LockedPackage } from "./knowledge/records/lock.ts";
export { Host, type HostArgs, type JumpHostArgs } from "./placements/hosts/host.ts";
export { type HostAccess, Sudo } from "./placements/hosts/host-access.ts";
export type { HostsPlacement, OnHosts } from "./placements/hosts/resources.ts";
export { type BuildInPool, type GpuPool, type ModelInPool, MultiNode, type PoolPlacement, type PoolStorage, type PoolToleration, } from "./placements/pool/gpu-pool.ts";
export type { BuildPlacement, ModelPlacement, ServicePlacement } from "./placements/registry.ts";
export type { SecretInCluster, SecretOnHost, SecretSource, SecretValue } from "./placements/secret-source.ts";

// components/backends.d.ts
/**
 * Backends that can be right on SM120 in some release. Which of them is right in yours, the rules say at preview.
 *
 * Left out are those that no release runs on compute capability 12.0, such as the FP4 GEMM `flashinfer_trtllm`
 * (flashinfer-ai/flashinfer#2577).
 */
/** Dense NVFP4 matrix multiplication. */
export declare const Fp4GemmBackend: {
    /** NaN under concurrency with FlashInfer 0.5.3 to 0.6.6 (flashinfer-ai/flashinfer#2780). */
    readonly FlashinferCutlass: "flashinfer_cutlass";
    /** Sparse NaN with FlashInfer 0.6.8 to 0.6.10 (flashinfer-ai/flashinfer#3192). */
    readonly FlashinferCudnn: "flashinfer_cudnn";
    /** SGLang's own kernel; SGLang 0.5.10 to 0.5.15. */
    readonly Cutlass: "cutlass";
    /** Weight-only; SGLang 0.5.13 and later. */
    readonly Marlin: "marlin";
};
/** See {@link Fp4GemmBackend}. */
export type Fp4GemmBackend = (typeof Fp4GemmBackend)[keyof typeof Fp4GemmBackend];
/** Dense FP8 matrix multiplication. */
export declare const Fp8GemmBackend: {
    /** SGLang's CUTLASS kernel. */
    readonly Cutlass: "cutlass";
    /** Triton. */
    readonly Triton: "triton";
    /** FlashInfer's CUTLASS kernel; SGLang 0.5.10 and later. */
    readonly FlashinferCutlass: "flashinfer_cutlass";
};
/** See {@link Fp8GemmBackend}. */
export type Fp8GemmBackend = (typeof Fp8GemmBackend)[keyof typeof Fp8GemmBackend];
/** Kernels of the mixture-of-experts layers. */
export declare const MoeRunnerBackend: {
    /** FlashInfer's fused CUTLASS kernel: the one for NVFP4 experts. */
    readonly FlashinferCutlass: "flashinfer_cutlass";
    /** SGLang's CUTLASS kernel. */
    readonly Cutlass: "cutlass";
    /** Triton. */
    readonly Triton: "triton";
    /** Triton kernels for MXFP4 experts. */
    readonly TritonKernel: "triton_kernel";
    /** FlashInfer's MXFP4 kernel. */
    readonly FlashinferMxfp4: "flashinfer_mxfp4";
    /** Weight-only. */
    readonly Marlin: "marlin";
};
/** See {@link MoeRunnerBackend}. */
export type MoeRunnerBackend = (typeof MoeRunnerBackend)[keyof typeof MoeRunnerBackend];
/** Attention kernels. */
export declare const AttentionBackend: {
    /** FlashInfer. */
    readonly Flashinfer: "flashinfer";
    /** Triton. */
    readonly Triton: "triton";
    /** TensorRT-LLM kernels for multi-head attention; prefill on SM120 from SGLang 0.5.19. */
    readonly TrtllmMha: "trtllm_mha";
    /** DeepSeek sparse attention, as SGLang 0.5.13 and later name it. */
    readonly Dsa: "dsa";
    /** The older name of `dsa`. */
    readonly Nsa: "nsa";
};
/** See {@link AttentionBackend}. */
export type AttentionBackend = (typeof AttentionBackend)[keyof typeof AttentionBackend];
/** Kernels of sparse attention in models such as GLM-5. */
export declare const SparseAttentionBackend: {
    /** FlashInfer's SM120 kernel for GLM with an FP8 cache; SGLang 0.5.17 and later. */
    readonly FlashinferSparseMla: "flashinfer_sparse_mla";
    /** Triton, for prefill; SGLang 0.5.22 and later. */
    readonly TritonSparseMla: "triton_sparse_mla";
    /** TileLang. */
    readonly Tilelang: "tilelang";
    /** TensorRT-LLM kernels, for SM100; never chosen by a rule. */
    readonly Trtllm: "trtllm";
};
/** See {@link SparseAttentionBackend}. */
export type SparseAttentionBackend = (typeof SparseAttentionBackend)[keyof typeof SparseAttentionBackend];
/** Element type of the KV cache. */
export declare const KvCacheDtype: {
    /** What the checkpoint or the architecture says. */
    readonly Auto: "auto";
    /** 16 bit brain floating point. */
    readonly Bfloat16: "bfloat16";
    /** 8 bit floating point, 4 bit exponent. */
    readonly Fp8E4m3: "fp8_e4m3";
    /** 8 bit floating point, 5 bit exponent. */
    readonly Fp8E5m2: "fp8_e5m2";
};
/** See {@link KvCacheDtype}. */
export type KvCacheDtype = (typeof KvCacheDtype)[keyof typeof KvCacheDtype];

// components/inference-service.d.ts
import * as pulumi from "@pulumi/pulumi";
import { type ServicePlacement } from "../placements/registry.ts";
import { type SecretSource } from "../placements/secret-source.ts";
import { ModelCache } from "./model-cache.ts";
import { PatchedBuild } from "./patched-build.ts";
import type { ServiceSettings } from "./service-settings.ts";
/** Arguments of {@link InferenceService}. */
export interface InferenceServiceArgs extends Omit<ServiceSettings, "environment"> {
    /** Build that serves; where the service runs. */
    build: PatchedBuild;
    /** Model that is served; where the service runs. */
    cache: ModelCache;
    /** Where it runs: on hosts, or on nodes of a pool. */
    placement: ServicePlacement;
    /** Id of the model's profile. Defaults to the profile that lists the repository. */
    profile?: string;
    /** The model's `config.json`, for a model without a profile. */
    modelConfig?: unknown;
    /** API key. Required when the server listens on more than the loopback address. */
    apiKey?: SecretSource;
    /** Environment of the server, NCCL included; checked by the rules. */
    environment?: Record<string, pulumi.Input<string>>;
}
/** What the memory of one GPU is planned to hold. */
export interface ServiceMemory {
    /** Whether everything fits. */
    fits: boolean;
    /** Weights on one GPU, GiB. */
    weightsGiBPerGpu: number;
    /** Bytes of one token in the KV cache of one GPU. */
    kvBytesPerToken: number;
    /** Tokens that the KV cache holds. */
    kvTokens: number;
    /** GiB left outside weights and pools, for graphs, activations and workspaces. */
    headroomGiB: number;
}
/**
 * One inference server: its settings made safe for SM120, launched, and proved by questions before it counts as deployed.
 *
 * @example
 * ```ts
 * const service = new InferenceService("qwen", { build, cache, placement: { hosts: [host] }, api: { port: 8000 } });
 * export const endpoint = service.endpoint;
 * ```
 */
export declare class InferenceService extends pulumi.ComponentResource {
    /** URL of the server. Known at preview; whoever uses it waits until the server was proved. */
    readonly endpoint: pulumi.Output<string>;
    /** Launch command, one argument an element; on several hosts the first host's. */
    readonly launchCommand: pulumi.Output<string[]>;
    /** What the rules changed or warn about. */
    readonly findings: pulumi.Output<string[]>;
    /** Memory plan of one GPU; undefined when the model cannot be planned. */
    readonly memory: pulumi.Output<ServiceMemory | undefined>;
    /** Throws a `RunError` that names every invalid argument and every setting that a rule refuses. */
    constructor(name: string, args: InferenceServiceArgs, opts?: pulumi.ComponentResourceOptions);
}

// placements/registry.d.ts
import { type HostsPlacement, type OnHosts } from "./hosts/resources.ts";
import type { BuildInPool, ModelInPool, PoolPlacement } from "./pool/gpu-pool.ts";
import type { PlacementResources } from "./resources.ts";
/** Where a build is: made on hosts, or an image that the pods of a pool run. */
export type BuildPlacement = OnHosts | BuildInPool;
/** Where a model's files are: on hosts, or on a volume of a pool. */
export type ModelPlacement = OnHosts | ModelInPool;
/** Where a service runs: on hosts, or on nodes of a pool. Nothing of one goes with the other. */
export type ServicePlacement = HostsPlacement | PoolPlacement;
type AnyResources = PlacementResources<BuildPlacement, ModelPlacement, ServicePlacement>;
/** What makes the resources of a placement. */
export declare function resourcesOf(place: BuildPlacement | ModelPlacement | ServicePlacement): AnyResources;
/** The schema of a placement of a build, a model or a service. */
export declare function placementArgs<Part extends "build" | "model" | "service">(part: Part): AnyResources["args"][Part];
export {};

// placements/hosts/resources.d.ts
import type { PlacementResources } from "../resources.ts";
import { Host } from "./host.ts";
/** Hosts that keep a build or a model. */
export interface OnHosts {
    /** The hosts, none of them twice. */
    hosts: Host[];
}
/** Hosts that a service runs on. */
export interface HostsPlacement extends OnHosts {
    /** GPU indices to use on each host. Defaults to all. */
    gpus?: number[];
}
/** Bare-metal hosts, as components use them. */
export declare const hostsResources: PlacementResources<OnHosts, OnHosts, HostsPlacement>;

// placements/resources.d.ts
import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { BuildSpec } from "../knowledge/artifacts/build-plan.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import type { Target } from "./index.ts";
import type { Judged } from "./judge.ts";
import type { SecretSource } from "./secret-source.ts";
/** A service that was judged; a function, since the engine walks a value to its last leaf wherever outputs are joined. */
export type Decided = pulumi.Output<() => Judged>;
/** A service on its way to its resources. */
export interface ServiceToPlace {
    readonly name: string;
    /** What was judged when the program ran: all that does not depend on later facts. */
    readonly judged: Judged;
    /** What was judged with everything known. */
    readonly decided: Decided;
    readonly apiKey: SecretSource | undefined;
    /** Image of the build, where it runs one. */
    readonly image: pulumi.Output<string> | undefined;
    /** Build and model, which must be there first. */
    readonly after: readonly pulumi.Resource[];
}
/** What a placed service gives back. */
export interface Placed {
    /** URL of the server as its neighbours reach it; known at preview, and whoever uses it waits until the server was proved. */
    readonly endpoint: pulumi.Output<string>;
    /** Launch command, one argument an element. */
    readonly launchCommand: pulumi.Output<string[]>;
}
/** A kind of place as components use it: what makes its resources. Each is a folder beside this file, listed below. */
export interface PlacementResources<Build, Model, Service> {
    /** Schemas of what a build, a model and a service are told of the place. */
    readonly args: {
        readonly build: z.ZodType<Build>;
        readonly model: z.ZodType<Model>;
        readonly service: z.ZodType<Service>;
    };
    /** Facts of the machines of a service, rank by rank. */
    facts(place: Service): readonly (HostFacts | pulumi.Output<HostFacts>)[];
    /** The target of a service, with the facts that are known. */
    target(place: Service, facts: readonly (HostFacts | undefined)[]): Target;
    /** Why a service cannot use a build or a model that is elsewhere; nothing when it can. */
    elsewhere(place: Service, other: Build | Model): string | undefined;
    /** What of a machine another service of this program has already. */
    taken(place: Service, judged: Judged): Problem[];
    /** Makes a build; gives its digest there, and what was made. */
    build(parent: pulumi.Resource, spec: BuildSpec, place: Build): BuiltThere;
    /** Brings a model's files; gives what was made. */
    model(parent: pulumi.Resource, spec: ModelSpec, place: Model, token: SecretSource | undefined): pulumi.Resource[];
    /** Runs a service. */
    service(parent: pulumi.Resource, place: Service, service: ServiceToPlace): Placed;
}
/** A build where it runs. */
export interface BuiltThere {
    /** Names it there. */
    readonly digest: pulumi.Output<string>;
    /** Image, where it runs one. */
    readonly image?: pulumi.Output<string>;
    readonly made: readonly pulumi.Resource[];
}

// knowledge/records/facts.d.ts
import { z } from "zod";
/** One GPU of a host. */
export interface GpuFacts {
    /** Index as `nvidia-smi` counts. */
    index: number;
    /** Product name, edition included. */
    name: string;
    /** UUID. */
    uuid?: string | undefined;
    /** PCI bus id. */
    busId?: string | undefined;
    /** Total memory as `nvidia-smi` prints it, MiB. */
    memoryMiB: number;
    /** CUDA compute capability, `12.0` on RTX PRO 6000 Blackwell. */
    computeCapability: string;
    /** Power limit in force, W. */
    powerLimitWatts?: number | undefined;
    /** Lowest power limit that the card takes, W. */
    powerMinWatts?: number | undefined;
    /** Highest power limit that the card takes, W. */
    powerMaxWatts?: number | undefined;
    /** Process ids that held the GPU when the facts were recorded. */
    usedBy?: number[] | undefined;
}
/** Operating system of a host. */
export interface OsFacts {
    /** `ID` of `/etc/os-release`. */
    id: string;
    /** `VERSION_ID` of `/etc/os-release`. */
    version: string;
    /** Kernel release. */
    kernel: string;
}
/** CUDA toolkit of a host. */
export interface ToolkitFacts {
    /** Folder. */
    path: string;
    /** Version, such as `13.0`. */
    version: string;
}
/** Texts of `nvidia-smi topo -p2p`. */
export interface P2pFacts {
    /** Text of `nvidia-smi topo -p2p r`. */
    r?: string | undefined;
    /** Text of `nvidia-smi topo -p2p w`. */
    w?: string | undefined;
}
/** One mounted disk. */
export interface DiskFacts {
    /** Mount point. */
    mount: string;
    /** Size, bytes. */
    sizeBytes: number;
    /** Free for root, bytes. */
    freeBytes: number;
}
/** One network interface. */
export interface NicFacts {
    /** Name, such as `eno1`. */
    name: string;
    /** Whether it does RDMA. */
    rdma: boolean;
}
/**
 * What was recorded of one host: GPUs, driver, toolchain, topology. `pulumi-sglang facts HOST` writes such a file; it is
 * committed and reviewed.
 */
export interface HostFacts {
    /** Version of this layout. */
    schema: 1;
    /** Name that the host has for itself. */
    hostname: string;
    /** Operating system. */
    os: OsFacts;
    /** Every GPU. */
    gpus: GpuFacts[];
    /** NVIDIA driver, such as `595.58.03`. */
    driver: string;
    /** Highest CUDA version that the driver serves, as `nvidia-smi` prints it. */
    cudaDriver?: string | undefined;
    /** CUDA toolkit; null when there is none. */
    toolkit: ToolkitFacts | null;
    /** Versions of compilers and build tools, by name. */
    compilers: Record<string, string>;
    /** Python versions found, such as `3.12`. */
    python: string[];
    /** Text of `nvidia-smi topo -m`. */
    topology: string;
    /** Texts of `nvidia-smi topo -p2p`. */
    p2p?: P2pFacts | undefined;
    /** Text of `numactl -H`. */
    numactl?: string | undefined;
    /** How the kernel runs the IOMMU. */
    iommu: "off" | "passthrough" | "on" | "unknown";
    /** PCIe Access Control Services on the bridges above the GPUs. */
    acs: "off" | "on" | "unknown";
    /** Host memory, bytes. */
    memoryBytes: number;
    /** Mounted disks. */
    disks: DiskFacts[];
    /** Network interfaces. */
    nics: NicFacts[];
    /** Version of the control groups. */
    cgroup?: "v1" | "v2" | undefined;
    /** Keys that were not recorded on the machine but composed by hand. */
    composed?: string[] | undefined;
}
/** The schema of {@link HostFacts}. */
export declare const hostFactsSchema: z.ZodType<HostFacts>;

// placements/index.d.ts
import { type HostsTarget } from "./hosts/placement.ts";
import type { Placement, ServiceRequest } from "./placement.ts";
import { type PoolTarget } from "./pool/placement.ts";
/** Where a service is to run. */
export type Target = HostsTarget | PoolTarget;
/** The placement of a target. */
export declare function placementOf(target: Pick<Target, "kind">): Placement<Target>;
/** A service that is asked for somewhere. */
export type AnyRequest = ServiceRequest<Target>;

// placements/hosts/placement.d.ts
import type { HostFacts } from "../../knowledge/records/facts.ts";
import type { ServiceNode } from "../../knowledge/service/spec.ts";
import type { Placement, ServiceRequest } from "../placement.ts";
import { type ServicePlace } from "./service-plan.ts";
/** One host, as far as a plan needs it. */
export interface PlannedHost {
    readonly name: string;
    /** Folder for everything but weights. */
    readonly root: string;
    /** `<project>/<stack>`. */
    readonly owner: string;
    /** Absent while nobody knows it. */
    readonly address?: string;
    /** Absent while nobody knows them. */
    readonly facts?: HostFacts;
}
/** Hosts that a service runs on; several for one server that spans them, the first of which serves. */
export interface HostsTarget {
    readonly kind: "hosts";
    readonly hosts: readonly PlannedHost[];
    /** GPU indices to use on each host. Defaults to all. */
    readonly gpus?: readonly number[] | undefined;
}
/** What only the engine knows of a service on a host. */
export interface HostBinding {
    /** Address of the first host. */
    readonly leaderAddress: string;
    /** Fingerprint and file of the API key, when there is one. */
    readonly apiKey?: ServicePlace["apiKey"];
}
/** What one rank of a service is placed with. */
export declare function placeOnHost(request: ServiceRequest<HostsTarget>, nodes: readonly ServiceNode[], rank: number, { leaderAddress, apiKey }: HostBinding): ServicePlace;
/** Bare-metal hosts, reached over SSH and run by systemd. */
export declare const hostsPlacement: Placement<HostsTarget>;

// placements/placement.d.ts
import type { BuildSpec } from "../knowledge/artifacts/build-plan.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import type { Problem, SettingValue } from "../knowledge/base/settings.ts";
import type { ServiceFields } from "../knowledge/fields/service.ts";
import type { ResolvedService, ServiceNode } from "../knowledge/service/spec.ts";
/** How a secret is given: its value, a file that is on the host, or a Secret of a cluster. */
export type SecretKind = "value" | "hostFile" | "kubernetesSecret";
/** A service as it is asked for: its references followed, nothing decided yet. */
export interface ServiceRequest<Target> {
    readonly name: string;
    readonly build: BuildSpec;
    readonly model: ModelSpec;
    /** Where it is to run. */
    readonly target: Target;
    /** How the API key is given, when there is one. */
    readonly apiKey?: SecretKind | undefined;
    readonly fields: ServiceFields;
}
/** A name and a text. */
export type Row = readonly [string, string];
/** A service as it will be where it runs: what a plan shows, and the files that `plan --write` puts down. */
export interface PlannedPlacement {
    /** Everything that the server gets, in the release's spelling. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The launch command, one argument an element, without the key. */
    readonly argv: readonly string[];
    /** Changes exactly when the server must restart. */
    readonly restartDigest: string;
    /** Names the build where it runs. */
    readonly buildDigest: string;
    /** What a plan shows of the build before its patches and after them: rows of a name and a text. */
    readonly buildRows: {
        readonly before: readonly Row[];
        readonly after: readonly Row[];
    };
    /** What is put there, as a heading and a text. */
    readonly listing: {
        readonly title: string;
        readonly text: string;
    };
    /** What is put there, by file name. */
    files(): Readonly<Record<string, string>>;
}
/**
 * A kind of place where services run, as far as it can be said without an engine. Each is a folder beside this file, listed in
 * `index.ts`; what makes its resources is in `resources.ts`.
 */
export interface Placement<Target> {
    /** What the rules call it. */
    readonly kind: "hosts" | "pool";
    /** The machines, rank by rank; `undefined` while the facts of one are not known. */
    nodes(target: Target): readonly ServiceNode[] | undefined;
    /** What it cannot do for a service, paths below the service. */
    problems(request: ServiceRequest<Target>): Problem[];
    /** Why a secret cannot be given so; `undefined` when it can. */
    secretProblem(kind: SecretKind): string | undefined;
    /** The service as it will be there; of several machines the first. */
    plan(service: ResolvedService, nodes: readonly ServiceNode[], request: ServiceRequest<Target>): PlannedPlacement;
}

// placements/hosts/service-plan.d.ts
import type { SettingValue } from "../../knowledge/base/settings.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import type { ResolvedService } from "../../knowledge/service/spec.ts";
/** Where a service runs: what a host adds to the settings. */
export interface ServicePlace {
    /** `<root>` of the host. */
    readonly root: string;
    /** `<project>/<stack>`. */
    readonly owner: string;
    readonly facts: HostFacts;
    /** Indices of the GPUs. */
    readonly gpus: readonly number[];
    readonly build: {
        readonly digest: string;
    };
    readonly model: {
        readonly path: string;
        readonly manifestDigest: string;
    };
    /** Fingerprint and file of the API key, when there is one. */
    readonly apiKey?: {
        readonly fingerprint: string;
        readonly path: string;
    };
    /** Set when the service spans several hosts. */
    readonly cluster?: {
        readonly nodes: number;
        readonly rank: number;
        readonly leaderAddress: string;
    };
    /** Seconds from start to ready. */
    readonly startupBudgetSeconds: number;
}
/** A service as it will be on one host. */
export interface ServicePlan {
    /** Changes exactly when the server must restart. */
    readonly restartDigest: string;
    /** Everything that the server gets, in the release's spelling. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The launch command, one argument an element, without the key. */
    readonly argv: readonly string[];
    readonly unitName: string;
    /** Text of the systemd unit. */
    readonly unit: string;
    /** Desired state for the agent's `prepare`: what the host must have, and the parts of the service that no review needs. */
    readonly prepare: Readonly<Record<string, unknown>>;
    /** Desired state for the agent's `activate`: what a diff shows. */
    readonly activate: Readonly<Record<string, unknown>>;
}
/** Places a resolved service on a host; pure. */
export declare function servicePlan(service: ResolvedService, place: ServicePlace): ServicePlan;


// placements/pool/placement.d.ts
import type { HostFacts } from "../../knowledge/records/facts.ts";
import type { ServiceNode } from "../../knowledge/service/spec.ts";
import type { Placement, ServiceRequest } from "../placement.ts";
import type { Pool } from "./pool.ts";
import { type PoolApiKey, type PoolPlace } from "./service-plan.ts";
/** Nodes of a pool that a service runs on. */
export interface PoolTarget {
    readonly kind: "pool";
    /** Name of the pool in the stack. */
    readonly name: string;
    readonly pool: Pool;
    /** Facts of each node; absent while nobody knows them. */
    readonly facts?: HostFacts;
    /** Namespace, as far as it is known. */
    readonly namespace?: string;
    /** Nodes that one server spans. */
    readonly nodes: number;
    /** GPUs of each node, by index. Defaults to all. */
    readonly gpus?: readonly number[] | undefined;
    /** How the model's hub token is given, when there is one. */
    readonly token?: SecretReference | undefined;
    /** How the API key is given, when there is one. */
    readonly apiKey?: SecretReference | undefined;
}
/** A Secret of the namespace, or a value that becomes one. */
export type SecretReference = {
    readonly kubernetesSecret: string;
    readonly key: string;
} | {
    readonly value: true;
};
/** What a service is placed with. */
export declare function placeInPool({ build, model, target, fields }: ServiceRequest<PoolTarget>, nodes: readonly ServiceNode[], apiKey: PoolApiKey | undefined): PoolPlace;
/** A Kubernetes node pool of equal GPU nodes. */
export declare const poolPlacement: Placement<PoolTarget>;

// placements/pool/pool.d.ts
import type { PoolFields } from "../../knowledge/fields/pool.ts";
/** A node pool as far as manifests need it. */
export type Pool = Pick<PoolFields, "nodeSelector" | "tolerations" | "gpuResource" | "runtimeClass" | "multiNode"> & {
    readonly storage: PoolFields["storage"];
    /** Whether a further pod finds free GPUs during a rollout. */
    readonly spareGpus: boolean;
    /** GPUs of a node. */
    readonly gpusPerNode: number;
};
/** What every pod of a pool has in common: where it runs, as whom, and that it needs nothing of the Kubernetes API. */
export declare function podBase({ nodeSelector, tolerations, runtimeClass }: Pool): Record<string, unknown>;

// placements/pool/service-plan.d.ts
import type { SettingValue } from "../../knowledge/base/settings.ts";
import type { ResolvedService } from "../../knowledge/service/spec.ts";
import { type Budgets } from "./budgets.ts";
import type { PoolBuild } from "./build.ts";
import type { Pool } from "./pool.ts";
import { type Workload } from "./workload.ts";
/** Where a service runs: what a pool adds to the settings. */
export interface PoolPlace {
    readonly pool: Pool;
    /** Memory of a node, bytes. */
    readonly memoryBytes: number;
    readonly build: PoolBuild;
    readonly weights: {
        /** Claim that holds the snapshot. */
        readonly claim: string;
        /** Where the claim is mounted. */
        readonly directory: string;
        readonly path: string;
        readonly manifestDigest: string;
    };
    /** GPUs of each node. */
    readonly gpus: readonly number[];
    /** The API key, when there is one. */
    readonly apiKey?: PoolApiKey;
    /** Seconds from start to ready. */
    readonly startupBudgetSeconds: number;
}
/** A Secret that holds the API key. */
export interface PoolApiKey {
    /** Name of the Secret; a new value made here has a new name, and so restarts the server. */
    readonly secret: string;
    /** Key inside it. */
    readonly key: string;
}
/** A service as it will be in a pool. */
export interface PoolServicePlan {
    readonly name: string;
    readonly place: PoolPlace;
    readonly workload: Workload;
    readonly budgets: Budgets;
    readonly port: number;
    /** Changes exactly when the server must restart. */
    readonly restartDigest: string;
    /** Everything that the server gets, in the release's spelling; on several nodes less what each adds for itself. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The launch command, one argument an element, without the key. */
    readonly argv: readonly string[];
    /** Desired state for the agent in the pod. */
    readonly desired: Readonly<Record<string, unknown>>;
}
/** Places a resolved service in a pool; pure. */
export declare function poolServicePlan(service: ResolvedService, place: PoolPlace): PoolServicePlan;

// placements/pool/budgets.d.ts
/** Times of a rollout, all from one budget, in seconds. */
export interface Budgets {
    /** From start to ready, as the stack says it. */
    readonly start: number;
    /** All questions of the gate together. */
    readonly gate: number;
    /** Until the startup probe gives up on a container: a slow server is never killed before its time. */
    readonly startupProbe: number;
    /** `progressDeadlineSeconds`: the same, with the image to pull before it. */
    readonly progressDeadline: number;
    /** Until Pulumi stops waiting. */
    readonly wait: number;
}
/** Seconds between two looks of the startup probe. */
export declare const startupPeriod = 5;
/**
 * Derives every time of a rollout. Each is longer than the one before, so that the one that knows the reason ends first:
 * the agent, then the probe, then the Deployment, then Pulumi. Kubernetes' default is 600 s, and so is Pulumi's.
 */
export declare function budgets(startupBudgetSeconds: number, gateSeconds: number): Budgets;
/** Seconds for the download of weights: a quarter of an hour, or what 20 MB/s need. */
export declare function downloadSeconds(bytes: number): number;

// placements/pool/build.d.ts
import { type BuildSpec } from "../../knowledge/artifacts/build-plan.ts";
/** A build as it is in a pod: an image, and what is changed in it. */
export interface PoolBuild {
    /** Names the build: image and patches. */
    readonly digest: string;
    /** `NAME@sha256:…`. */
    readonly image: string;
    /** What the init container is to do. */
    readonly stage: Readonly<Record<string, unknown>>;
}
/** Stands for the image of a build that names none: a preview shows it, an update refuses it. */
export declare const noImage = "image-not-given";
/** Plans a build for pods; pure. An image of a git commit is not asked for its release. */
export declare function poolBuild(build: BuildSpec): PoolBuild;

// placements/pool/workload.d.ts
import type { Pool } from "./pool.ts";
/** The kind of object that keeps a server's pods. */
export type Workload = "Deployment" | "StatefulSet" | "LeaderWorkerSet";
/** One node: a Deployment; several: what the pool says. */
export declare function workloadOf({ multiNode }: Pick<Pool, "multiNode">, nodes: number): Workload;
/** Name of the Service without an address of its own that finds pods before they are ready. */
export declare function podsService(name: string): string;
/** Name of a LeaderWorkerSet; its controller makes a Service of that name, which must not be the one that clients use. */
export declare function groupName(name: string): string;
/** Where the pod is that serves, as other pods of the namespace find it. */
export declare function headOf(name: string, workload: Workload): string;
/** Label that only the pod of rank 0 has. */
export declare function headLabel(name: string, workload: Workload): Record<string, string>;

// placements/judge.d.ts
import type { Problem } from "../knowledge/base/settings.ts";
import type { ResolvedService, ServiceSpec } from "../knowledge/service/spec.ts";
import { type AnyRequest } from "./index.ts";
/** A request with everything decided, and everything that stands against it. */
export interface Judged {
    readonly request: AnyRequest;
    readonly spec: ServiceSpec;
    readonly resolved: ResolvedService;
    /** Mistakes in what was asked for, paths below the service. */
    readonly problems: readonly Problem[];
    /** Settings that are open while the facts of a machine are not known; none when they are. */
    readonly open: readonly string[];
}
/**
 * The one judgement of a service: stack files, components and commands all take it. Pure; never throws for a mistake of the user's.
 *
 * Where the facts of a machine are not known yet, all is judged that does not depend on them.
 */
export declare function judge(request: AnyRequest): Judged;
/** Everything that keeps a service from being deployed: mistakes, and settings that a rule refuses. */
export declare function objections({ problems, resolved }: Pick<Judged, "problems" | "resolved">): Problem[];

// placements/secret-source.d.ts
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { SecretKind } from "./placement.ts";
/** A secret by its value: a secret of the stack's configuration or `pulumi.secret(…)`. */
export interface SecretValue {
    /** The value. */
    value: pulumi.Input<string>;
}
/** A secret in a file on the host, mode 0600, that someone else keeps. */
export interface SecretOnHost {
    /** Absolute path of the file. */
    hostFile: string;
}
/** A secret in a Secret of the pool's namespace. */
export interface SecretInCluster {
    /** Name of the Secret. */
    kubernetesSecret: pulumi.Input<string>;
    /** Key inside that Secret. Defaults to `token`. */
    key?: string;
}
/** A secret: its value, or a reference to where it already is. */
export type SecretSource = SecretValue | SecretOnHost | SecretInCluster;
/** The schema of {@link SecretSource}. */
export declare const secretSource: z.ZodUnion<readonly [z.ZodObject<{
    value: z.ZodPipe<z.ZodOptional<z.ZodUnknown>, z.ZodTransform<string | pulumi.Output<string>, unknown>>;
}, z.core.$strict>, z.ZodObject<{
    hostFile: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
    kubernetesSecret: z.ZodPipe<z.ZodOptional<z.ZodUnknown>, z.ZodTransform<string | pulumi.Output<string>, unknown>>;
    key: z.ZodDefault<z.ZodString>;
}, z.core.$strict>]>;
/** How a secret is given. */
export declare function kindOf(source: SecretSource): SecretKind;
/** Deliberately slow and keyed by the place, so that a fingerprint in a diff is no shortcut to the value. */
export declare function fingerprintOf(value: string, place: string): string;

// placements/hosts/host.d.ts
import * as pulumi from "@pulumi/pulumi";
import { type HostFacts } from "../../knowledge/records/facts.ts";
import { type HostAccess, Sudo } from "./host-access.ts";
/** A machine between the operator and a host. */
export interface JumpHostArgs {
    /** Address of the machine in between. */
    address: pulumi.Input<string>;
    /** SSH port. Defaults to 22. */
    port?: number;
    /** User. Defaults to `root`. */
    user?: pulumi.Input<string>;
    /** Its ed25519 or ecdsa host key, as `ssh-keyscan` prints it. */
    hostKey: pulumi.Input<string>;
}
/** Arguments of {@link Host}. */
export interface HostArgs {
    /** Address or DNS name. A new address moves everything that runs on the host to the new machine. */
    address: pulumi.Input<string>;
    /** SSH port. Defaults to 22. */
    port?: number;
    /** User to log in as. Defaults to `root`. */
    user?: pulumi.Input<string>;
    /** The host's ed25519 or ecdsa key, as `ssh-keyscan -t ed25519` prints it. Required: without it any machine would be trusted. */
    hostKey: pulumi.Input<string>;
    /** Private key text. Defaults to the operator's SSH agent. */
    privateKey?: pulumi.Input<string>;
    /** Machine in between. Defaults to none. */
    proxy?: JumpHostArgs;
    /** How commands become root. Defaults to `none` for the user root and `passwordless` for all others. */
    sudo?: Sudo;
    /** Seconds for one connection attempt. Defaults to 15. */
    dialTimeoutSeconds?: number;
    /** Folder on the host for everything but weights. Defaults to `/opt/sglang`. */
    root?: string;
    /**
     * Facts recorded from the machine by `pulumi-sglang facts`; checked against the machine before anything else happens there.
     * Where they come from another resource, a preview of services on this host says which settings are open.
     */
    facts: pulumi.Input<HostFacts>;
}
/**
 * One bare-metal machine: reachable over SSH, its agent installed, its facts checked against the recorded ones.
 *
 * @example
 * ```ts
 * const host = new Host("rack1", { address: "192.0.2.11", hostKey: "ssh-ed25519 AAAA…", facts });
 * ```
 */
export declare class Host extends pulumi.ComponentResource {
    /** Name of the host, as given. */
    readonly name: string;
    /** Facts that were recorded of it. */
    readonly facts: pulumi.Output<HostFacts>;
    /** @internal The facts, where they are known when the program runs. */
    readonly knownFacts: HostFacts | undefined;
    /** @internal How other components reach it; whoever uses it waits until the agent is installed. */
    readonly access: HostAccess;
    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: HostArgs, opts?: pulumi.ComponentResourceOptions);
}

// placements/hosts/host-access.d.ts
import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
/** How commands become root on a host. */
export declare const Sudo: {
    /** The user is root. */
    readonly None: "none";
    /** `sudo -n`, which must not ask for a password. */
    readonly Passwordless: "passwordless";
};
/** See {@link Sudo}. */
export type Sudo = (typeof Sudo)[keyof typeof Sudo];
/** How a host is reached and where things are on it: what the commands of other components need. */
export interface HostAccess {
    /** Name of the host, part of every command's name. */
    readonly name: string;
    /** Address; a new one moves everything to the new machine. */
    readonly address: pulumi.Output<string>;
    /** SSH connection, secret as a whole. */
    readonly connection: pulumi.Output<command.types.input.remote.ConnectionArgs>;
    /** How commands become root. */
    readonly sudo: pulumi.Output<Sudo>;
    /** Folder for everything but weights. */
    readonly root: string;
    /** Path of the agent on the host. */
    readonly agent: string;
    /** `<project>/<stack>`, written into every receipt: only its owner removes a thing. */
    readonly owner: string;
    /** Name and address, written into every receipt: a host that gets another of either may be the same machine. */
    readonly place: pulumi.Output<string>;
}

// placements/pool/gpu-pool.d.ts
import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type HostFacts } from "../../knowledge/records/facts.ts";
import type { Pool } from "./pool.ts";
/** How one server that spans several nodes is run. */
export declare const MultiNode: {
    /** A StatefulSet with a headless Service; needs nothing beside Kubernetes. */
    readonly StatefulSet: "statefulSet";
    /** A LeaderWorkerSet; needs its controller in the cluster. */
    readonly LeaderWorkerSet: "leaderWorkerSet";
};
/** See {@link MultiNode}. */
export type MultiNode = (typeof MultiNode)[keyof typeof MultiNode];
/** How weights are stored. */
export interface PoolStorage {
    /** Storage class. Defaults to the cluster's default. */
    className?: string;
    /** Access mode of the claim; a server over several nodes needs `ReadWriteMany`. Defaults to `ReadWriteOnce`. */
    accessMode?: "ReadWriteOnce" | "ReadWriteMany";
}
/** A taint that pods of the pool tolerate. */
export interface PoolToleration {
    /** Key of the taint; absent for all. */
    key?: string;
    /** Whether the value counts. Defaults to `Equal`. */
    operator?: "Exists" | "Equal";
    /** Value of the taint. */
    value?: string;
    /** Effect of the taint; absent for all. */
    effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}
/** A Kubernetes node pool of equal GPU nodes: where pods go and what is there. Not a component; it creates nothing. */
export interface GpuPool {
    /** Namespace for everything; must exist. */
    namespace: pulumi.Input<string>;
    /** Labels of the nodes, such as `nvidia.com/gpu.product`. */
    nodeSelector: Record<string, string>;
    /** Taints of the nodes. Defaults to `nvidia.com/gpu` with any value. */
    tolerations?: PoolToleration[];
    /** GPUs of each node. */
    gpusPerNode: number;
    /** Resource name of a GPU. Defaults to `nvidia.com/gpu`. */
    gpuResource?: string;
    /** Runtime class. Defaults to the cluster's default. */
    runtimeClass?: string;
    /** How weights are stored. */
    storage?: PoolStorage;
    /** How one server that spans several nodes is run. Defaults to `statefulSet`. */
    multiNode?: MultiNode;
    /** Whether GPUs are free for a second pod during a rollout. Defaults to false: the old pod ends before the new one starts. */
    spareGpus?: boolean;
    /** Facts recorded from a node of the pool. */
    facts: pulumi.Input<HostFacts>;
    /** Provider of the cluster. Defaults to the one that the component inherits. */
    provider?: kubernetes.Provider;
}
/** Nodes of a pool that a service runs on. */
export interface PoolPlacement {
    /** The pool. */
    pool: GpuPool;
    /** Nodes that one server spans. Defaults to 1. */
    nodes?: number;
    /** GPUs of each node, by their indices in the pool's facts; Kubernetes chooses which, so only their number counts. Defaults to all. */
    gpus?: number[];
}
/** A pool whose pods run an image. */
export interface BuildInPool {
    /** The pool. */
    pool: GpuPool;
    /** Container image with SGLang, `NAME@sha256:…`; a tag is refused, since it can move. Without one a preview shows the rest, and an update is refused. */
    image?: pulumi.Input<string>;
}
/** A pool that keeps a model's files on a volume. */
export interface ModelInPool {
    /** The pool. */
    pool: GpuPool;
    /** Image with the hub's client, `NAME@sha256:…`: that of the build which serves. Without one a preview shows the rest, and an update is refused. */
    image?: pulumi.Input<string>;
    /** Size of the volume, GiB. Defaults to the size of the files and a fifth. */
    storageGiB?: number;
}
/** Checks a {@link GpuPool}. */
export declare const gpuPool: z.ZodPipe<z.ZodOptional<z.ZodUnknown>, z.ZodTransform<GpuPool, unknown>>;
/** The pool as manifests need it, defaults filled in. */
export declare function poolForManifests(pool: GpuPool): Pool;
/** The pool's namespace, checked where it came later. */
export declare function namespaceOf({ namespace }: GpuPool): pulumi.Output<string>;



// components/model-cache.d.ts
import * as pulumi from "@pulumi/pulumi";
import { type ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import { type LockedModel } from "../knowledge/records/lock.ts";
import { type ModelPlacement } from "../placements/registry.ts";
import { type SecretSource } from "../placements/secret-source.ts";
/** What a deletion does with the downloaded files. */
export declare const CacheRetention: {
    /** Leave the files; the next `up` finds them. */
    readonly Retain: "Retain";
    /** Delete the snapshot. */
    readonly Purge: "Purge";
};
/** See {@link CacheRetention}. */
export type CacheRetention = (typeof CacheRetention)[keyof typeof CacheRetention];
/** Arguments of {@link ModelCache}. */
export interface ModelCacheArgs {
    /** Where the files are: on hosts, or on a volume of a pool. */
    placement: ModelPlacement;
    /** Model repository, `owner/name`. */
    repository: string;
    /** Commit to pin, 40 hex digits. Branches are refused, so that a preview never changes by itself. Defaults to the one in `lock`. */
    revision?: string;
    /** Folder for all snapshots. Defaults to `/var/lib/models`. */
    directory?: string;
    /** What a deletion does with the files. Defaults to `Retain`. */
    retention?: CacheRetention;
    /** Hub token for a gated repository. A new token downloads nothing again and restarts nothing. */
    token?: SecretSource;
    /** Hub endpoint. Defaults to the hub client's own. */
    endpoint?: string;
    /** What `pulumi-sglang pin` found for this repository. Without it nothing is downloaded. */
    lock?: LockedModel;
}
/**
 * One revision of a model on hosts or in a pool, every file verified.
 *
 * @example
 * ```ts
 * const cache = new ModelCache("glm", { placement: { hosts: [host] }, repository: "owner/model", lock });
 * ```
 */
export declare class ModelCache extends pulumi.ComponentResource {
    /** Model repository. */
    readonly repository: string;
    /** Commit, or `not-pinned`. */
    readonly revision: string;
    /** Absolute path of the snapshot. Whoever uses it waits for the download. */
    readonly path: pulumi.Output<string>;
    /** Bytes of all files; 0 before `pin`. */
    readonly bytes: number;
    /** Digest over the file list; `not-pinned` before `pin`. */
    readonly manifestDigest: pulumi.Output<string>;
    /** @internal What was asked for. */
    readonly spec: ModelSpec;
    /** @internal Where it is, as given. */
    readonly placement: ModelPlacement;
    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: ModelCacheArgs, opts?: pulumi.ComponentResourceOptions);
}

// components/patched-build.d.ts
import * as pulumi from "@pulumi/pulumi";
import { type BuildSpec, type PatchFile } from "../knowledge/artifacts/build-plan.ts";
import { type LockedBuild } from "../knowledge/records/lock.ts";
import { type BuildPlacement } from "../placements/registry.ts";
/** A commit of a git repository. */
export interface GitSource {
    /** Repository, as `git clone` takes it. */
    repository: string;
    /** Commit, 40 hex digits. */
    commit: string;
}
/** Whether a build has everything that a server needs. */
export declare const BuildDependencies: {
    /** Everything that the release needs. */
    readonly Full: "full";
    /** Only what the argument parser needs; nothing but a stand-in server may serve from it. */
    readonly ParserOnly: "parser-only";
};
/** See {@link BuildDependencies}. */
export type BuildDependencies = (typeof BuildDependencies)[keyof typeof BuildDependencies];
/** Arguments of {@link PatchedBuild}. */
export interface PatchedBuildArgs {
    /** Where the build is: made on hosts, or an image that the pods of a pool run. */
    placement: BuildPlacement;
    /** SGLang release, or the release whose knowledge the commit follows. */
    release: string;
    /** Git source. Defaults to the published wheel of the release. */
    source?: GitSource;
    /** Patches in order: names of patches that ship with this package for the release, or diffs. Defaults to none. */
    patches?: (string | PatchFile)[];
    /** Python version. Defaults to 3.12. */
    python?: string;
    /** CUDA version. Defaults to 13.0. */
    cuda?: string;
    /** Versions that differ from the release's pins, by package. Defaults to none. */
    versions?: Record<string, string>;
    /** Whether the build has everything that a server needs. Defaults to `full`. */
    dependencies?: BuildDependencies;
    /** False for a fork or image that has more options than the release whose knowledge it follows. Defaults to true. */
    stock?: boolean;
    /** Package index. Defaults to pip's own configuration on the host. */
    indexUrl?: string;
    /** What `pulumi-sglang pin` found for this build. Without it nothing is built. */
    lock?: LockedBuild;
}
/**
 * One build of SGLang, named by what went in: release or commit, patches, Python, and the locked packages.
 *
 * @example
 * ```ts
 * const build = new PatchedBuild("sglang", { placement: { hosts: [host] }, release: "0.5.23", lock });
 * ```
 */
export declare class PatchedBuild extends pulumi.ComponentResource {
    /** SGLang release whose knowledge applies. */
    readonly release: string;
    /** Names the build: 12 hex digits over everything that went in. Whoever uses it waits for the build. */
    readonly digest: pulumi.Output<string>;
    /** @internal What went in. */
    readonly spec: BuildSpec;
    /** @internal Where it is, as given. */
    readonly placement: BuildPlacement;
    /** @internal Container image, where pods run one. */
    readonly image: pulumi.Output<string> | undefined;
    /** Throws a `RunError` that names every invalid argument, a patch that this package does not have included. */
    constructor(name: string, args: PatchedBuildArgs, opts?: pulumi.ComponentResourceOptions);
}

// components/service-settings.d.ts
import type { AttentionBackend, Fp4GemmBackend, Fp8GemmBackend, KvCacheDtype, MoeRunnerBackend, SparseAttentionBackend } from "./backends.ts";
/** Kernel backends: which implementation computes what. What is left out is set by the rules for the release, never left to SGLang's `auto` where that is wrong. */
export interface BackendSettings {
    /** Attention, prefill and decode. Defaults to the rules' choice for the release, or else SGLang's own. */
    attention?: AttentionBackend;
    /** Attention in prefill. Defaults to `attention`. */
    prefillAttention?: AttentionBackend;
    /** Attention in decode. Defaults to `attention`. */
    decodeAttention?: AttentionBackend;
    /** Sparse attention in prefill. Defaults to the rules' choice for the release, or else SGLang's own. */
    sparsePrefill?: SparseAttentionBackend;
    /** Sparse attention in decode. Defaults to the rules' choice for the release, or else SGLang's own. */
    sparseDecode?: SparseAttentionBackend;
    /** Attention of the vision tower. Defaults to the rules' choice for the release, or else SGLang's own. */
    multimodalAttention?: string;
    /** Linear attention, prefill and decode. Defaults to the rules' choice for the release, or else SGLang's own. */
    linearAttention?: string;
    /** Linear attention in prefill. Defaults to `linearAttention`. */
    linearAttentionPrefill?: string;
    /** Linear attention in decode. Defaults to `linearAttention`. */
    linearAttentionDecode?: string;
    /** Mamba layers. Defaults to the rules' choice for the release, or else SGLang's own. */
    mamba?: string;
    /** Mixture-of-experts layers. Defaults to the rules' choice for the release, or else SGLang's own. */
    moeRunner?: MoeRunnerBackend;
    /** Exchange between expert parallel ranks. Defaults to the rules' choice for the release, or else SGLang's own. */
    moeAllToAll?: string;
    /** Dense NVFP4 matrix multiplication. Defaults to the rules' choice for the release, or else SGLang's own. */
    fp4Gemm?: Fp4GemmBackend;
    /** Dense FP8 matrix multiplication. Defaults to the rules' choice for the release, or else SGLang's own. */
    fp8Gemm?: Fp8GemmBackend;
    /** Sampling. Defaults to the rules' choice for the release, or else SGLang's own. */
    sampling?: string;
    /** Constrained decoding. Defaults to the rules' choice for the release, or else SGLang's own. */
    grammar?: string;
    /** Quantization method as SGLang names it, such as `modelopt_fp4`. Defaults to the rules' choice for the checkpoint, or else what that says. */
    quantization?: string;
    /** SGLang's custom all-reduce kernel; false switches it off. Defaults to true where the topology is fit for it. */
    customAllReduce?: boolean;
    /** FlashInfer's fused all-reduce. Defaults to false. */
    flashinferAllReduceFusion?: boolean;
    /** All-reduce over torch symmetric memory. Defaults to false. */
    torchSymmetricMemory?: boolean;
    /** Fusion of shared experts into the routed ones; false switches it off. Defaults to true, but for what the rules say. */
    sharedExpertsFusion?: boolean;
    /** CUDA graphs in decode. Defaults to true. */
    decodeCudaGraph?: boolean;
    /** CUDA graphs in prefill. Defaults to the rules' choice for the release, or else SGLang's own. */
    prefillCudaGraph?: boolean;
    /** Largest batch with a decode CUDA graph, requests. Defaults to SGLang's own choice. */
    decodeCudaGraphMaxBatchSize?: number;
}
/** How the model is spread over GPUs. */
export interface ParallelismSettings {
    /** Tensor parallel size, GPUs. Defaults to all GPUs of the placement divided by the pipeline size. */
    tensor?: number;
    /** Pipeline parallel size, stages. Defaults to 1. */
    pipeline?: number;
    /** Data parallel size, replicas. Defaults to 1. */
    data?: number;
    /** Expert parallel size, GPUs. Defaults to 1. */
    expert?: number;
    /** Data parallel attention. Defaults to false. */
    dataParallelAttention?: boolean;
}
/** Hierarchical KV cache (HiCache): a second tier in pinned host memory, a third on storage. */
export interface HierarchicalCacheSettings {
    /** Host tier as a multiple of the GPU tier. Defaults to 2. */
    ratio?: number;
    /** Host tier of each rank, GB; wins over `ratio`. Defaults to none. */
    sizeGb?: number;
    /** When pages are written to the host tier. Defaults to SGLang's own choice. */
    writePolicy?: "write_back" | "write_through" | "write_through_selective";
    /** How pages are copied. Defaults to SGLang's own choice. */
    ioBackend?: "direct" | "kernel";
    /** Layout in host memory. Defaults to SGLang's own choice. */
    memoryLayout?: string;
    /** Storage tier. Defaults to none. */
    storageBackend?: string;
    /** When pages are read ahead from storage. Defaults to SGLang's own choice. */
    storagePrefetchPolicy?: string;
}
/** Key-value cache. */
export interface KvCacheSettings {
    /** Element type, such as `fp8_e4m3` or `bfloat16`. Defaults to the rules' choice for the checkpoint, or else `auto`. */
    dtype?: KvCacheDtype;
    /** Share of free GPU memory for weights and pools. Defaults to what the memory plan finds safe. */
    memoryFraction?: number;
    /** Upper bound of the pool, tokens. Defaults to what the memory holds. */
    maxTotalTokens?: number;
    /** Size of a page, tokens. Defaults to the rules' choice for the backend, or else SGLang's own. */
    pageSize?: number;
    /** Prefix cache; false switches it off. Defaults to true. */
    radixCache?: boolean;
    /** Strategy of the prefix cache for Mamba-like layers. Defaults to the rules' choice for the release, or else SGLang's own. */
    mambaRadixStrategy?: string;
    /** Element type of the state of Mamba-like layers. Defaults to what the model's configuration says. */
    mambaStateDtype?: string;
    /** Hierarchical KV cache (HiCache): a second tier in pinned host memory, a third on storage. Defaults to none. */
    hierarchical?: HierarchicalCacheSettings;
}
/** Admission of requests. */
export interface SchedulingSettings {
    /** Requests that run at once. Defaults to what the memory holds. */
    maxRunningRequests?: number;
    /** Longest context, tokens. Defaults to what the model's configuration says. */
    contextLength?: number;
    /** Part of a prompt that is computed at once, tokens. Defaults to SGLang's own choice. */
    chunkedPrefillSize?: number;
}
/** Speculative decoding. */
export interface SpeculativeSettings {
    /** Algorithm as SGLang names it, such as `EAGLE` or `NEXTN`. */
    algorithm: string;
    /** Draft steps. Defaults to SGLang's own choice. */
    steps?: number;
    /** Candidates of each draft step. Defaults to SGLang's own choice. */
    eagleTopK?: number;
    /** Draft tokens that are verified at once. Defaults to SGLang's own choice. */
    draftTokens?: number;
    /** Draft model: a repository or a path. Defaults to the model's own prediction layers. */
    draftModel?: string;
}
/** Parsers of the answer; `none` switches one off that the model's profile would set. */
export interface ParserSettings {
    /** Parser of the reasoning, as SGLang names it; `none` for no parser. Defaults to the profile's. */
    reasoning?: string;
    /** Parser of tool calls, as SGLang names it; `none` for no parser. Defaults to the profile's. */
    toolCall?: string;
}
/** The HTTP side. */
export interface ApiSettings {
    /** Address to listen on; any but a loopback address needs an API key. A pod listens on all of its own. Defaults to 127.0.0.1. */
    listen?: string;
    /** TCP port. Defaults to 30000. */
    port?: number;
    /** Name of the model in requests. Defaults to the repository. */
    servedModelName?: string;
    /** Prometheus metrics at `/metrics`. Defaults to true. */
    metrics?: boolean;
}
/** Questions that a started server must answer before it counts as deployed. */
export interface GateSettings {
    /** Requests at once in the concurrency check. Defaults to 16. */
    concurrency?: number;
    /** Sampled requests. Defaults to 4. */
    sampled?: number;
    /** Throughput of all requests together below which the answer is "no", tokens per second. Defaults to none. */
    minimumTokensPerSecond?: number;
    /** Time for all questions together, seconds. Defaults to 600. */
    timeoutSeconds?: number;
}
/** Rules that are overridden on purpose. */
export interface AcceptedRule {
    /** Id of the rule. */
    rule: string;
    /** Why it is right to override it here; shown in every plan. */
    reason: string;
}
/** Everything that decides how a server runs; the same on a host and in a pool. */
export interface ServiceSettings {
    /** Kernel backends: which implementation computes what. What is left out is set by the rules for the release, never left to SGLang's `auto` where that is wrong. */
    backends?: BackendSettings;
    /** How the model is spread over GPUs. */
    parallelism?: ParallelismSettings;
    /** Key-value cache. */
    kvCache?: KvCacheSettings;
    /** Admission of requests. */
    scheduling?: SchedulingSettings;
    /** Speculative decoding. Defaults to none. */
    speculative?: SpeculativeSettings;
    /** Parsers of the answer; `none` switches one off that the model's profile would set. */
    parsers?: ParserSettings;
    /** The HTTP side. */
    api?: ApiSettings;
    /** Questions that a started server must answer before it counts as deployed. */
    gate?: GateSettings;
    /** Environment of the server, NCCL included; checked by the rules. Defaults to what the topology and the rules set. */
    environment?: Record<string, string>;
    /** A launch command as it was used elsewhere: each part is kept, translated or refused. Typed fields win over it. Defaults to none. */
    launch?: string;
    /** Further options of the release, by long name without dashes; checked against the release's option table. Defaults to none. */
    extraArgs?: Record<string, string | number | boolean | (string | number)[]>;
    /** Rules that are overridden on purpose. Defaults to none. */
    accept?: AcceptedRule[];
    /** Time from start to ready, minutes. Defaults to 30. */
    startupBudgetMinutes?: number;
}










