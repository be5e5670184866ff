import type { Verdict } from "../../../knowledge/base/settings.ts";
import { fixture, hostFacts, type SpecChanges } from "./service-spec.ts";

/** One public report as an input, and what the plan must say of it. */
export interface BugCase {
    readonly name: string;
    readonly input: SpecChanges;
    /** Rule and verdict of each finding that must be there. */
    readonly says: Readonly<Record<string, Verdict>>;
    /** Settings and variables of the result; `null` for one that must be absent. */
    readonly gives?: Readonly<Record<string, unknown>>;
    readonly refused: boolean;
}

const GLM5 = "festr2/GLM-5-NVFP4-MTP";
const QWEN35 = "nvidia/Qwen3.5-397B-A17B-NVFP4";
const KIMI = "nvidia/Kimi-K2.5-NVFP4";
const QWEN3 = "nvidia/Qwen3-235B-A22B-NVFP4";
const MINIMAX = "lukealonso/MiniMax-M2.5-NVFP4";

const topology = (file: string, count: number, more: Parameters<typeof hostFacts>[0] = {}) =>
    hostFacts({ count, topology: fixture(`topology/${file}`), ...more });
const twoCards = (more: Parameters<typeof hostFacts>[0] = {}): SpecChanges => ({
    repository: MINIMAX,
    facts: topology("02-2x-rtxpro6000-ws-phb.txt", 2, more),
});
const seenAfterStart = { "nccl-p2p-unproven": "warn" } as const;
const mtp = { algorithm: "NEXTN", steps: 3, eagleTopK: 1, draftTokens: 4 };
const dsaBackends = ["flashmla_sparse", "flashmla_kv", "flashmla_auto", "fa3", "tilelang", "aiter", "trtllm"];

/** A21: variables of a recipe on a host that they are not for. */
const copiedNccl = (what: string, environment: Record<string, string>, says: Record<string, Verdict>): BugCase => ({
    name: `A21 copied NCCL environment: ${what}`,
    input: { facts: topology("03-8x-rtxpro6000-wrx90-2switch-pix-node.txt", 8), fields: { environment } },
    says,
    refused: Object.values(says).includes("refuse"),
});

/** All of them; some with variants. */
export const bugCases: readonly BugCase[] = [
    {
        name: "A1 FP4 cutlass, NaN under load",
        input: {
            release: "0.5.9",
            fields: { backends: { quantization: "modelopt_fp4", fp4Gemm: "flashinfer_cutlass" } },
        },
        says: { "fp4-cutlass-race": "fix" },
        gives: { "fp4-gemm-backend": "flashinfer_cudnn" },
        refused: false,
    },
    {
        name: "A1 left to auto",
        input: { release: "0.5.9", fields: { backends: { quantization: "modelopt_fp4" } } },
        says: { "fp4-cutlass-race": "fix" },
        gives: { "fp4-gemm-backend": "flashinfer_cudnn" },
        refused: false,
    },
    {
        name: "A1 forced: backend and FlashInfer both pinned",
        input: {
            release: "0.5.10.post1",
            versions: { "flashinfer-python": "0.6.6" },
            fields: { backends: { fp4Gemm: "flashinfer_cutlass" } },
        },
        says: { "fp4-cutlass-race-pinned": "refuse" },
        refused: true,
    },
    ...["0.6.8", "0.6.9", "0.6.10.post1"].map(
        (version): BugCase => ({
            name: `A2 FP4 cudnn, NaN with FlashInfer ${version}`,
            input: {
                release: "0.5.11",
                versions: { "flashinfer-python": version },
                fields: { backends: { fp4Gemm: "flashinfer_cudnn" } },
            },
            says: { "fp4-cudnn-nan": "fix" } as const,
            gives: { "fp4-gemm-backend": "flashinfer_cutlass" },
            refused: false,
        }),
    ),
    {
        name: "A3 every mm_fp4 backend fails: trtllm",
        input: {
            release: "0.5.9",
            facts: hostFacts({ driver: "580.126.09" }),
            fields: { backends: { fp4Gemm: "flashinfer_trtllm" } },
        },
        says: { "fp4-trtllm": "refuse", "fp4-all-backends-broken": "warn" },
        refused: true,
    },
    {
        name: "A3 every mm_fp4 backend fails: cudnn",
        input: {
            release: "0.5.9",
            facts: hostFacts({ driver: "580.126.09" }),
            fields: { backends: { fp4Gemm: "flashinfer_cudnn" } },
        },
        says: { "fp4-all-backends-broken": "warn" },
        refused: false,
    },
    {
        name: "A4 all-reduce fusion",
        input: { release: "0.5.8.post1", fields: { backends: { flashinferAllReduceFusion: true } } },
        says: { "flashinfer-all-reduce-fusion": "fix" },
        gives: { "flashinfer-allreduce-fusion-backend": null },
        refused: false,
    },
    {
        name: "A5 deep_gemm MoE with NVFP4 scales",
        input: {
            release: "0.5.10.post1",
            repository: GLM5,
            fields: {
                backends: {
                    attention: "flashinfer",
                    moeRunner: "deep_gemm",
                    quantization: "modelopt_fp4",
                    decodeCudaGraphMaxBatchSize: 32,
                },
                kvCache: { dtype: "bf16", memoryFraction: 0.85 },
                scheduling: { maxRunningRequests: 64 },
                speculative: { ...mtp, algorithm: "EAGLE" },
            },
        },
        says: { "moe-deepgemm": "fix", "deepgemm-jit-off": "fix", "spec-v2-needed": "fix" },
        gives: { "moe-runner-backend": "flashinfer_cutlass", SGLANG_ENABLE_JIT_DEEPGEMM: "0" },
        refused: false,
    },
    {
        name: "A6 MLA on trtllm_mla",
        input: { release: "0.5.10.post1", repository: KIMI, fields: { backends: { attention: "trtllm_mla" } } },
        says: { "trtllm-mla": "refuse" },
        refused: true,
    },
    ...dsaBackends.flatMap((backend) =>
        ["bf16", "fp8_e4m3"].map(
            (dtype): BugCase => ({
                name: `A7 GLM-5.1 on stock 0.5.12 with ${backend}, ${dtype}`,
                input: {
                    release: "0.5.12.post1",
                    repository: "nvidia/GLM-5.1-NVFP4",
                    fields: {
                        backends: { quantization: "modelopt_fp4", sparsePrefill: backend, sparseDecode: backend },
                        kvCache: { dtype },
                    },
                },
                says: { "dsa-no-sm120-kernels": "refuse" } as const,
                refused: true,
            }),
        ),
    ),
    {
        name: "A8 GLM-5.2: loader mismatch, then graph out of memory",
        input: {
            release: "0.5.17",
            repository: "nvidia/GLM-5.2-NVFP4",
            fields: { backends: { decodeCudaGraphMaxBatchSize: 512, sharedExpertsFusion: true } },
        },
        says: { "loose-shared-experts": "fix", "glm-decode-graphs": "fix", "glm-sparse-mla-unproven": "warn" },
        gives: { "disable-shared-experts-fusion": true, "cuda-graph-max-bs-decode": 256 },
        refused: false,
    },
    {
        name: "A9 GLM-5.3-Flash with the three settings together",
        input: {
            release: "0.5.20",
            versions: { "flashinfer-python": "0.6.17" },
            patches: ["tilelang-tiles"],
            repository: "zai-org/GLM-5.3-Flash",
            facts: hostFacts({ driver: "610.43.02" }),
            fields: {
                parallelism: { tensor: 8, data: 4, dataParallelAttention: true, expert: 8 },
                backends: { sparsePrefill: "tilelang", sparseDecode: "tilelang" },
                kvCache: { dtype: "bfloat16" },
                scheduling: { contextLength: 1048576 },
                environment: { SGLANG_OPT_DEEPGEMM_HC_PRENORM: "0" },
            },
        },
        says: {},
        gives: { "dsa-prefill-backend": "tilelang", "dsa-decode-backend": "tilelang", "kv-cache-dtype": "bfloat16" },
        refused: false,
    },
    {
        name: "A9 without them",
        input: { release: "0.5.20", repository: "zai-org/GLM-5.3-Flash" },
        says: { "glm-5.3-flash-tilelang": "fix", "glm-5.3-flash-tiles": "refuse" },
        gives: {
            "dsa-prefill-backend": "tilelang",
            "dsa-decode-backend": "tilelang",
            "kv-cache-dtype": "bfloat16",
            SGLANG_OPT_DEEPGEMM_HC_PRENORM: "0",
        },
        refused: true,
    },
    {
        name: "A10 FP8 MoE defaults crash",
        input: {
            release: "0.5.8.post1",
            versions: { transformers: "5.3.0" },
            repository: "MiniMaxAI/MiniMax-M2.5",
            facts: hostFacts({ driver: "580.126.09" }),
            fields: { backends: { fp8Gemm: "auto", moeRunner: "auto" } },
        },
        says: { "fp8-auto-deepgemm": "fix", "fp8-moe-auto": "fix", "fp8-moe-untuned": "warn" },
        gives: { "fp8-gemm-backend": "triton", "moe-runner-backend": "triton" },
        refused: false,
    },
    {
        name: "A11 hybrid GDN with flashinfer attention on 0.5.9",
        input: { release: "0.5.9", repository: QWEN35, fields: { backends: { attention: "flashinfer" } } },
        says: { "gdn-attention-auto": "fix" },
        gives: { "attention-backend": "triton" },
        refused: false,
    },
    ...["0.5.10.post1", "0.5.17"].map(
        (release): BugCase => ({
            name: `A11 hybrid GDN with flashinfer attention on ${release}: left alone`,
            input: { release, repository: QWEN35, fields: { backends: { attention: "flashinfer" } } },
            says: {},
            gives: { "attention-backend": "flashinfer" },
            refused: false,
        }),
    ),
    {
        name: "A12 NCCL hang on two cards, IOMMU on",
        input: twoCards({ iommu: "on" }),
        says: { "nccl-iommu-on": "warn", ...seenAfterStart },
        refused: false,
    },
    {
        name: "A13 P2P says OK everywhere and still hangs",
        input: twoCards({
            driver: "595.71.05",
            p2p: { r: fixture("topology/20b-2x-h200-p2p-r.txt"), w: fixture("topology/20b-2x-h200-p2p-r.txt") },
        }),
        says: { ...seenAfterStart, "driver-hang-595.71.05": "warn" },
        refused: false,
    },
    {
        name: "A14 ACS on, and P2P asked for",
        input: { ...twoCards({ acs: "on" }), fields: { environment: { NCCL_P2P_LEVEL: "PHB" } } },
        says: { "nccl-acs-on": "refuse" },
        refused: true,
    },
    {
        name: "A14 ACS on: P2P is not used",
        input: twoCards({ acs: "on" }),
        says: { "nccl-acs-on": "fix" },
        gives: { NCCL_P2P_DISABLE: "1" },
        refused: false,
    },
    {
        name: "A15 hang only on close pairs",
        input: {
            repository: QWEN3,
            versions: { "nvidia-nccl-cu13": "2.10.3" },
            facts: topology("14-4x-pxb-pix-sys-two-numa.txt", 4),
        },
        says: { "nccl-close-pairs-hang": "warn" },
        refused: false,
    },
    {
        name: "A16 topology fine, P2P not supported",
        input: {
            repository: MINIMAX,
            facts: topology("12-2x-rtx5090-phb.txt", 2, {
                p2p: { r: fixture("topology/12b-2x-rtx5090-topo-p2p-rw-GNS.txt") },
            }),
        },
        says: { "nccl-p2p-not-supported": "fix", "custom-all-reduce": "fix" },
        gives: { NCCL_P2P_DISABLE: "1", "disable-custom-all-reduce": true },
        refused: false,
    },
    {
        name: "A17 hang at weight load with tp 4",
        input: {
            repository: QWEN35,
            facts: topology("06-4x-rtxpro6000-node-trimmed.txt", 4),
            fields: { parallelism: { tensor: 4 } },
        },
        says: seenAfterStart,
        refused: false,
    },
    {
        name: "A18 one-shot all-reduce on stock",
        input: {
            fields: {
                extraArgs: { "enable-pcie-oneshot-allreduce": true },
                environment: { PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" },
            },
        },
        says: { "pcie-one-shot-stock": "refuse", "pcie-one-shot-expandable-segments": "refuse" },
        refused: true,
    },
    {
        name: "A18 the pair on an image that has it",
        input: {
            stock: false,
            fields: {
                extraArgs: { "enable-pcie-oneshot-allreduce": true },
                environment: { PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" },
            },
        },
        says: { "pcie-one-shot-expandable-segments": "refuse" },
        refused: true,
    },
    {
        name: "A19 GLM-5 with an FP8 cache",
        input: {
            release: "0.5.10.post1",
            repository: GLM5,
            fields: { backends: { attention: "flashinfer" }, kvCache: { dtype: "fp8_e4m3" } },
        },
        says: { "dsa-dense-cache": "fix" },
        gives: { "kv-cache-dtype": "bfloat16" },
        refused: false,
    },
    {
        name: "A20 MTP without the then mandatory variable",
        input: {
            release: "0.5.10.post1",
            repository: GLM5,
            fields: { backends: { attention: "flashinfer" }, speculative: mtp },
        },
        says: { "spec-v2-needed": "fix" },
        gives: { SGLANG_ENABLE_SPEC_V2: "True" },
        refused: false,
    },
    {
        name: "A20 the variable on a new release",
        input: { repository: GLM5, fields: { speculative: mtp, environment: { SGLANG_ENABLE_SPEC_V2: "True" } } },
        says: { "spec-v2-stale": "warn" },
        refused: false,
    },
    copiedNccl(
        "NODE and a graph file",
        { NCCL_P2P_LEVEL: "NODE", NCCL_GRAPH_FILE: "/mnt/nccl_graph_opt.xml" },
        {
            "nccl-p2p-level-unknown": "refuse",
            "nccl-graph-file": "refuse",
        },
    ),
    {
        ...copiedNccl("a number", { NCCL_P2P_LEVEL: "2" }, { "nccl-p2p-level-number": "fix" }),
        gives: { NCCL_P2P_LEVEL: "PXB" },
    },
    copiedNccl("lower case", { NCCL_P2P_LEVEL: "sys" }, { "nccl-p2p-level-unknown": "refuse" }),
    copiedNccl(
        "a graph file that may not be mounted",
        { NCCL_GRAPH_FILE: "/etc/nccl_graph_opt.xml" },
        {
            "nccl-graph-file": "refuse",
        },
    ),
    {
        name: "A22 power limit below the card's minimum",
        input: { facts: hostFacts({ gpu: { powerLimitWatts: 280, powerMinWatts: undefined } }) },
        says: { "power-below-minimum": "refuse" },
        refused: true,
    },
    {
        name: "A23 tiny /dev/shm in a pod (the pod itself is checked where it is rendered)",
        input: { ...twoCards(), placement: "pool" },
        says: { "pool-shared-memory": "fix" },
        refused: false,
    },
    {
        name: "A24 liveness kills a slow loader (the probe is checked where it is rendered)",
        input: { placement: "pool", repository: GLM5 },
        says: { "pool-startup-probe": "fix" },
        refused: false,
    },
    {
        name: "A25 read-only model volume in offline mode",
        input: {
            placement: "pool",
            fields: { environment: { HF_HUB_OFFLINE: "1", TRANSFORMERS_OFFLINE: "1", HF_HOME: "/models" } },
        },
        says: { "hub-cache-read-only": "fix" },
        gives: { HF_HOME: null, HF_HUB_OFFLINE: "1" },
        refused: false,
    },
    {
        name: "A26 slow storage: ranks time out",
        input: {
            repository: KIMI,
            nodes: ["a", "b"].map((name) => ({ name, facts: hostFacts(), gpus: [0, 1, 2, 3] })),
        },
        says: { "slow-load": "fix", "slow-load-storage": "warn" },
        gives: { "dist-timeout": 3600 },
        refused: false,
    },
];

/** Inputs of those that no check before the start can settle, and the rule that says so. */
export const seenOnlyAfterStart: readonly (readonly [string, SpecChanges, string])[] = [
    ["A3", { release: "0.5.9" }, "fp4-all-backends-broken"],
    ["A12", twoCards(), "nccl-p2p-unproven"],
    ["A13", twoCards(), "nccl-p2p-unproven"],
    ["A17", { repository: QWEN35, facts: topology("06-4x-rtxpro6000-node-trimmed.txt", 4) }, "nccl-p2p-unproven"],
];
