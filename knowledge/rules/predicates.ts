import { compareVersions, isVersion } from "../base/version.ts";
import { decided, numberOf, type RuleContext, type UsedGpu } from "./context.ts";

/** A question that the condition language cannot put. */
interface Predicate {
    /** Completes "applies when ..."; printed with the rules. */
    readonly description: string;
    /** Yes, no, or `undefined`: not known. */
    readonly test: (context: RuleContext) => boolean | undefined;
}

/** Lowest power limit in watts by edition, where a host's facts do not say (local-inference-lab/rtx6kpro power sweep). */
const editionMinimumWatts: readonly { readonly name: RegExp; readonly watts: number }[] = [
    { name: /Max-Q/, watts: 250 },
    { name: /Server Edition/, watts: 300 },
    { name: /Workstation Edition/, watts: 150 },
];

/** First Transformers release that knows a model type, where SGLang has no configuration class of its own (0.5.9, ran). */
const transformersFloors: Readonly<Record<string, string>> = { glm_moe_dsa: "5.2.0", minimax_m2: "5.0.0" };

/** Watts that eight cards draw in prefill on one circuit before breakers are reported to trip. */
const circuitWatts = 4800;

/** Named predicates; a rule refers to one by its name. */
export const predicates = {
    "no-sm120": {
        description: "no GPU of the service has compute capability 12.x",
        test: ({ gpus }) => gpus.length > 0 && !gpus.some(isSm120),
    },
    "mixed-gpus": {
        description: "some GPUs of the service have compute capability 12.x and some have not",
        test: ({ gpus }) => gpus.some(isSm120) && !gpus.every(isSm120),
    },
    "expert-size-between": {
        description: "ep-size is neither 1 nor tp-size",
        test: (context) => {
            const expert = numberOf(context, "ep-size", 1);
            return expert !== 1 && expert !== numberOf(context, "tp-size", 1);
        },
    },
    "chunk-not-pages": {
        description:
            "chunked-prefill-size is no multiple of page-size (always 64 for a model with DeepSeek sparse attention)",
        test: (context) => {
            const fixed = context.model?.profile.structure.attention === "dsa";
            const page = fixed ? 64 : numberOf(context, "page-size", 1);
            const chunk = numberOf(context, "chunked-prefill-size", 0);
            return chunk > 0 && page > 0 && chunk % page !== 0;
        },
    },
    "name-with-colon": {
        description: "served-model-name has a colon and is no address of an object store",
        test: ({ settings }) => {
            const name = String(settings["served-model-name"]?.value ?? "");
            return name.includes(":") && !/^(?:s3|gs|az):\/\//.test(name);
        },
    },
    "gpus-left-idle": {
        description: "tp-size, pp-size and dp-size leave GPUs of the service unused",
        test: (context) => gpusWanted(context) < context.gpus.length,
    },
    "context-beyond-model": {
        description: "context-length is longer than the model's own context",
        test: (context) =>
            context.model !== undefined &&
            numberOf(context, "context-length", 0) > context.model.profile.structure.context,
    },
    "flashinfer-fusion": {
        description: "FlashInfer's fused all-reduce is asked for, `auto` included",
        test: ({ settings }) => settings["flashinfer-allreduce-fusion-backend"] !== undefined,
    },
    "expandable-segments": {
        description: "PYTORCH_CUDA_ALLOC_CONF or PYTORCH_ALLOC_CONF switches expandable segments on",
        test: ({ environment }) =>
            ["PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"].some((name) =>
                /expandable_segments:\s*true/i.test(environment[name]?.value ?? ""),
            ),
    },
    "custom-all-reduce-unfit": {
        description:
            "SGLang's custom all-reduce cannot be used on these GPUs, or peer access between them is not shown",
        test: ({ fabric }) => fabric.customAllReduceUnfit,
    },
    "pcie-only": {
        description: "no two GPUs of the service are connected by NVLink",
        test: ({ fabric }) => fabric.pcieOnly,
    },
    "peer-access": {
        description: "nothing recorded of the hosts speaks against peer access between the GPUs",
        test: ({ fabric, environment }) => off(environment.NCCL_P2P_DISABLE?.value) ?? fabric.peerAccess,
    },
    "numa-nodes-known": {
        description: "the host has several NUMA nodes, those of its GPUs are known, and it has numactl",
        test: ({ fabric }) => fabric.numaNodes !== undefined,
    },
    "hidden-size-4096": {
        description: "the model's hidden size is 4096",
        test: ({ model }) => model && model.profile.structure.hidden === 4096,
    },
    "long-context": {
        description: "requests of 64k tokens and more are allowed",
        test: (context) => {
            const own = context.model?.profile.structure.context;
            const asked = context.settings["context-length"];
            return asked || own ? numberOf(context, "context-length", own ?? 0) >= 65536 : undefined;
        },
    },
    "power-limit-below-450": {
        description: "a GPU's power limit is below 450 W, and the card takes more",
        test: ({ gpus }) =>
            gpus.some(({ gpu }) => (gpu.powerLimitWatts ?? 450) < 450 && (gpu.powerMaxWatts ?? 0) >= 450),
    },
    "power-limit-above-400": {
        description: "every GPU's power limit is above 400 W",
        test: ({ gpus }) => gpus.length > 0 && gpus.every(({ gpu }) => (gpu.powerLimitWatts ?? 0) > 400),
    },
    "no-own-patch": {
        description: "the build has no patch but those that ship with this package",
        test: ({ patches }) => patches.every((name) => /^(?:redact-credentials|sm120-(?!.*til).*)$/.test(name)),
    },
    wsl2: {
        description: "a host is a Windows subsystem (its kernel's name has `microsoft`)",
        test: ({ nodes }) => nodes.some(({ facts }) => /microsoft|wsl/i.test(facts.os.kernel)),
    },
    "power-below-minimum": {
        description: "a GPU's power limit is below the lowest that its edition takes",
        test: ({ gpus }) =>
            gpus.some(({ gpu }) => (gpu.powerLimitWatts ?? Number.POSITIVE_INFINITY) < minimumWatts(gpu)),
    },
    "power-of-a-circuit": {
        description: `the power limits of one host's GPUs add up to ${circuitWatts} W or more`,
        test: ({ nodes, gpus }) =>
            nodes.some(({ name }) => {
                const used = gpus.filter(({ node }) => node === name);
                return used.reduce((sum, { gpu }) => sum + (gpu.powerLimitWatts ?? 0), 0) >= circuitWatts;
            }),
    },
    "no-tuned-moe-file": {
        description:
            "SGLang ships no tuned FP8 MoE file for the GPUs' product name (it has one for two shapes on Max-Q only)",
        test: ({ gpus }) => gpus.some(({ gpu }) => !gpu.name.includes("Max-Q")),
    },
    "transformers-cannot-read": {
        description: "the build's Transformers does not know the model type",
        test: (context) => transformersBelow(context, transformersFloors[context.model?.profile.modelType ?? ""]),
    },
    "transformers-below-recipe": {
        description: "the build's Transformers is older than what published recipes for the model ask for",
        test: (context) => transformersBelow(context, context.model?.profile.transformersFloor),
    },
    "torch-without-sm120": {
        description: "the build's PyTorch is older than 2.7",
        test: ({ packages }) => packageBelow(packages.torch, "2.7"),
    },
    "torch-without-kernels": {
        description: "PyTorch is pinned and the SGLang kernel package is not",
        test: ({ pinned }) => pinned.has("torch") && !pinned.has("sgl-kernel") && !pinned.has("sglang-kernel"),
    },
    "cudnn-too-old": {
        description: "cuDNN is older than 9.15; PyTorch 2.9.1 brings 9.10 unless the build pins another",
        test: ({ packages }) =>
            packageBelow(packages["nvidia-cudnn-cu12"] ?? packages["nvidia-cudnn-cu13"] ?? "9.10", "9.15"),
    },
    "slow-to-load": {
        description: "the weights are larger than 600 GB, or the service spans several hosts",
        test: ({ model, nodes }) => nodes.length > 1 || (model?.checkpoint.diskGB ?? 0) > 600,
    },
    "toolkit-elsewhere": {
        description: "CUDA_HOME names a folder that is not the recorded toolkit of a host",
        test: ({ environment, nodes }) => {
            const home = environment.CUDA_HOME?.value;
            return (
                home !== undefined && nodes.some(({ facts }) => facts.toolkit !== null && facts.toolkit.path !== home)
            );
        },
    },
    "open-without-key": {
        description: "the server would listen on other addresses than the loopback one, without an API key",
        test: (context) =>
            !context.hasApiKey &&
            !["127.0.0.1", "localhost", "::1"].includes(String(decided(context, "host") ?? "127.0.0.1")),
    },
} as const satisfies Record<string, Predicate>;

/** Name of a predicate. */
export type PredicateName = keyof typeof predicates;

/** GPUs that the parallel sizes ask for. Data parallel attention shares the GPUs of the tensor parallel group. */
export function gpusWanted(context: RuleContext): number {
    const data = context.settings["enable-dp-attention"] ? 1 : numberOf(context, "dp-size", 1);
    return numberOf(context, "tp-size", 1) * numberOf(context, "pp-size", 1) * data;
}

function isSm120({ gpu }: UsedGpu): boolean {
    return gpu.computeCapability.startsWith("12.");
}

function minimumWatts(gpu: UsedGpu["gpu"]): number {
    return gpu.powerMinWatts ?? editionMinimumWatts.find(({ name }) => name.test(gpu.name))?.watts ?? 0;
}

function transformersBelow({ packages }: RuleContext, floor: string | undefined): boolean {
    return floor !== undefined && packageBelow(packages.transformers, floor);
}

/** Whether a package is known to be older. */
function packageBelow(version: string | undefined, floor: string): boolean {
    return version !== undefined && isVersion(version) && compareVersions(version, floor) < 0;
}

/** No peer access where NCCL was told so; nothing where it was not. */
function off(disabled: string | undefined): false | undefined {
    return disabled !== undefined && disabled !== "0" ? false : undefined;
}
