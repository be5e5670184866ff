// The public surface, written by `npm run generate`.

/** Rules that are overridden on purpose. */
export interface AcceptedRule {
    /** Id of the rule, or of the row of what makes it fast. */
    rule: string;
    /** Why it is right to override it here; shown in every plan. */
    reason: string;
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

/** Whether a build has everything that a server needs. */
export declare const BuildDependencies: {
    /** Everything that the release needs. */
    readonly Full: "full";
    /** Only what the argument parser needs; nothing but a stand-in server may serve from it. */
    readonly ParserOnly: "parser-only";
};

/** See {@link BuildDependencies}. */
export type BuildDependencies = (typeof BuildDependencies)[keyof typeof BuildDependencies];

/** A pool whose pods run an image. */
export interface BuildInPool {
    /** The pool. */
    pool: GpuPool;
    /** Container image with SGLang, `NAME@sha256:…`; a tag is refused, since it can move. Without one a preview shows the rest, and an update is refused. */
    image?: pulumi.Input<string>;
}

/** Where a build is: made on hosts, or an image that the pods of a pool run. */
export type BuildPlacement = OnHosts | BuildInPool;

/** What a deletion does with the downloaded files. */
export declare const CacheRetention: {
    /** Leave the files; the next `up` finds them. */
    readonly Retain: "Retain";
    /** Delete the snapshot. */
    readonly Purge: "Purge";
};

/** See {@link CacheRetention}. */
export type CacheRetention = (typeof CacheRetention)[keyof typeof CacheRetention];

/** One mounted disk. */
export interface DiskFacts {
    /** Mount point. */
    mount: string;
    /** Size, bytes. */
    sizeBytes: number;
    /** Free for root, bytes. */
    freeBytes: number;
}

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

/** Questions of your own with one sure answer, asked greedily after those that ship. */
export interface GateQuestion {
    /** What is asked. */
    prompt: string;
    /** Text or regular expression that the answer has in it, in either case of letters. */
    expect: string;
    /** Longest answer, reasoning included, tokens. Defaults to 2048. */
    maxTokens?: number;
}

/** Questions that a started server must answer before it counts as deployed. */
export interface GateSettings {
    /** Requests at once in the concurrency check. Defaults to 16. */
    concurrency?: number;
    /** Sampled requests. Defaults to 4. */
    sampled?: number;
    /** Questions of your own with one sure answer, asked greedily after those that ship. Defaults to none. */
    questions?: GateQuestion[];
    /** Factor of every distance from the oracle that is allowed. Defaults to 1. */
    oracleTolerance?: number;
    /** Whether the server is held against itself: alone, with its prefix cached, and many requests at once. Defaults to true. */
    itself?: boolean;
    /** Length of the text before a known question, characters; a token has at least one character. Defaults to half of the context, at most 16384. */
    longPrompt?: number;
    /** Time of one request to its first token, once warm, above which the answer is "no", seconds. Defaults to none. */
    maximumSecondsToFirstToken?: number;
    /** Throughput of all requests together, once warm, below which the answer is "no", tokens per second. Defaults to none. */
    minimumTokensPerSecond?: number;
    /** Time for all questions together, seconds. Defaults to 600. */
    timeoutSeconds?: number;
}

/** A commit of a git repository. */
export interface GitSource {
    /** Repository, as `git clone` takes it. */
    repository: string;
    /** Commit, 40 hex digits. */
    commit: string;
}

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
    /** What a server's pod asks of its node beside GPUs. */
    requests?: PoolRequests;
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
    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: HostArgs, opts?: pulumi.ComponentResourceOptions);
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

/** Hosts that a service runs on. */
export interface HostsPlacement extends OnHosts {
    /** GPU indices to use on each host. Defaults to all. */
    gpus?: number[];
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
    /** A trusted server's log-probabilities, an oracle or a recording as an object, that this server's are held against. Defaults to none. */
    oracle?: unknown;
    /** API key. Required when the server listens on more than the loopback address. */
    apiKey?: SecretSource;
    /** Environment of the server, NCCL included; checked by the rules. */
    environment?: Record<string, pulumi.Input<string>>;
}

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

/** The packages of one build. */
export interface LockedBuild {
    /** Every package of the environment, `sglang` included unless it is built from source. */
    packages: LockedPackage[];
    /** Digest of the patched `sglang` package, 64 hex digits. */
    treeSha256?: string | undefined;
}

/** One file of a model's revision. */
export interface LockedFile {
    /** Path in the repository. */
    path: string;
    /** Size, bytes. */
    size: number;
    /** SHA-256 of a file in large file storage, 64 hex digits. */
    sha256?: string | undefined;
    /** Git blob id of any other file, 40 hex digits. */
    gitBlob?: string | undefined;
}

/** One revision of a model, as the hub has it. */
export interface LockedModel {
    /** Commit, 40 hex digits. */
    revision: string;
    /** Bytes of all files. */
    bytes: number;
    /** Digest over the file list, 64 hex digits. */
    manifestDigest: string;
    /** Every file. */
    files: LockedFile[];
}

/** One package of a build. */
export interface LockedPackage {
    /** Normalized name. */
    name: string;
    /** Version. */
    version: string;
    /** Hashes that are accepted, `sha256:…`. */
    hashes: string[];
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
    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: ModelCacheArgs, opts?: pulumi.ComponentResourceOptions);
}

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

/** A pool that keeps a model's files on a volume. */
export interface ModelInPool {
    /** The pool. */
    pool: GpuPool;
    /** Image with the hub's client, `NAME@sha256:…`: that of the build which serves. Without one a preview shows the rest, and an update is refused. */
    image?: pulumi.Input<string>;
    /** Size of the volume, GiB. Defaults to the size of the files and a fifth. */
    storageGiB?: number;
}

/** Where a model's files are: on hosts, or on a volume of a pool. */
export type ModelPlacement = OnHosts | ModelInPool;

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

/** How one server that spans several nodes is run. */
export declare const MultiNode: {
    /** A StatefulSet with a headless Service; needs nothing beside Kubernetes. */
    readonly StatefulSet: "statefulSet";
    /** A LeaderWorkerSet; needs its controller in the cluster. */
    readonly LeaderWorkerSet: "leaderWorkerSet";
};

/** See {@link MultiNode}. */
export type MultiNode = (typeof MultiNode)[keyof typeof MultiNode];

/** One network interface. */
export interface NicFacts {
    /** Name, such as `eno1`. */
    name: string;
    /** Whether it does RDMA. */
    rdma: boolean;
}

/** Hosts that keep a build or a model. */
export interface OnHosts {
    /** The hosts, none of them twice. */
    hosts: Host[];
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

/** Texts of `nvidia-smi topo -p2p`. */
export interface P2pFacts {
    /** Text of `nvidia-smi topo -p2p r`. */
    r?: string | undefined;
    /** Text of `nvidia-smi topo -p2p w`. */
    w?: string | undefined;
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

/** Parsers of the answer; `none` switches one off that the model's profile would set. */
export interface ParserSettings {
    /** Parser of the reasoning, as SGLang names it; `none` for no parser. Defaults to the profile's. */
    reasoning?: string;
    /** Parser of tool calls, as SGLang names it; `none` for no parser. Defaults to the profile's. */
    toolCall?: string;
}

/** One patch: a unified diff and its name. */
export interface PatchFile {
    /** File name without `.patch`. */
    readonly name: string;
    /** The unified diff. */
    readonly text: string;
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
    /** Throws a `RunError` that names every invalid argument, a patch that this package does not have included. */
    constructor(name: string, args: PatchedBuildArgs, opts?: pulumi.ComponentResourceOptions);
}

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
    /** Versions that differ from the release's pins, by package: `0.6.6`, or `2.9.1+cu130`. Defaults to none. */
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

/** Nodes of a pool that a service runs on. */
export interface PoolPlacement {
    /** The pool. */
    pool: GpuPool;
    /** Nodes that one server spans. Defaults to 1. */
    nodes?: number;
    /** GPUs of each node, by their indices in the pool's facts; Kubernetes chooses which, so only their number counts. Defaults to all. */
    gpus?: number[];
}

/** What a server's pod asks of its node beside GPUs. */
export interface PoolRequests {
    /** CPUs that stay free for it: `8`, or `500m` for half of one. Defaults to `500m`. */
    cpu?: string;
    /** Memory that stays free for it, such as `64Gi`. Defaults to `2Gi`. */
    memory?: string;
}

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

/** Admission of requests. */
export interface SchedulingSettings {
    /** Requests that run at once. Defaults to what the memory holds. */
    maxRunningRequests?: number;
    /** Longest context, tokens. Defaults to what the model's configuration says. */
    contextLength?: number;
    /** Part of a prompt that is computed at once, tokens. Defaults to SGLang's own choice. */
    chunkedPrefillSize?: number;
}

/** A secret in a Secret of the pool's namespace. */
export interface SecretInCluster {
    /** Name of the Secret. */
    kubernetesSecret: pulumi.Input<string>;
    /** Key inside that Secret. Defaults to `token`. */
    key?: string;
}

/** A secret in a file on the host, mode 0600, that someone else keeps. */
export interface SecretOnHost {
    /** Absolute path of the file. */
    hostFile: string;
}

/** A secret: its value, or a reference to where it already is. */
export type SecretSource = SecretValue | SecretOnHost | SecretInCluster;

/** A secret by its value: a secret of the stack's configuration or `pulumi.secret(…)`. */
export interface SecretValue {
    /** The value. */
    value: pulumi.Input<string>;
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

/** Where a service runs: on hosts, or on nodes of a pool. Nothing of one goes with the other. */
export type ServicePlacement = HostsPlacement | PoolPlacement;

/** Everything that decides how a server runs; the same on a host and in a pool. */
export interface ServiceSettings {
    /** What is made fast, after everything is safe: few users (`latency`), many (`throughput`), or between (`balanced`); `none` sets nothing for speed. Defaults to balanced; `none` for a service with a `launch`. */
    objective?: "latency" | "balanced" | "throughput" | "none";
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
    /** On hosts: a systemd unit `sglang-<service>.service` that somebody else made is kept aside and its place taken, instead of refused. Defaults to refused, with the unit's name. */
    adopt?: boolean;
    /** Time from start to ready, minutes. Defaults to 30. */
    startupBudgetMinutes?: number;
}

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

/** How commands become root on a host. */
export declare const Sudo: {
    /** The user is root. */
    readonly None: "none";
    /** `sudo -n`, which must not ask for a password. */
    readonly Passwordless: "passwordless";
};

/** See {@link Sudo}. */
export type Sudo = (typeof Sudo)[keyof typeof Sudo];

/** CUDA toolkit of a host. */
export interface ToolkitFacts {
    /** Folder. */
    path: string;
    /** Version, such as `13.0`. */
    version: string;
}
