import type { RuleArea } from "../rule.ts";

const oneShot = { setting: "enable-pcie-oneshot-allreduce", set: true } as const;

const symmetricMemory = { setting: "enable-torch-symm-mem", set: true } as const;
/** The patch of this project that leaves it off in place of the KeyError. */
const patched = { patched: "sm120-torch-symm-mem" } as const;

export const allReduce: RuleArea = {
    title: "All-reduce",
    introduction:
        "These cards have PCIe only. NCCL's own variables come from the topology; here is what SGLang adds on top of NCCL and should not.",
    rules: [
        {
            id: "flashinfer-all-reduce-fusion",
            verdict: "fix",
            when: { predicate: "flashinfer-fusion" },
            set: { "flashinfer-allreduce-fusion-backend": null },
            reason: "FlashInfer's fused all-reduce is for compute capability 9 and 10: it does nothing on SM120 until 0.5.13 and stops the start from 0.5.14 on.",
            sources: ["sgl-project/sglang#15650", "sglang 0.5.23 srt/layers/flashinfer_comm_fusion.py (ran)"],
            confidence: "high",
            contradicted: {
                statement:
                    "FlashInfer 0.6.17 has a TRT-LLM all-reduce for SM12x; SGLang up to 0.5.23 does not let SM120 use it.",
                sources: ["flashinfer-ai/flashinfer#3903", "sgl-project/sglang#32330"],
            },
        },
        {
            id: "custom-all-reduce",
            verdict: "fix",
            gpu: "any",
            when: { predicate: "custom-all-reduce-unfit" },
            set: { "disable-custom-all-reduce": true },
            reason: "SGLang's custom all-reduce needs proven peer access, and on PCIe serves two GPUs only; on more it is slower or crashes across sockets.",
            sources: [
                "sgl-project/sglang#4814",
                "vllm-project/vllm#56128",
                "noonghunna/club-3090#1229",
                "sglang 0.5.23 srt/distributed/device_communicators/custom_all_reduce.py",
            ],
            confidence: "medium",
            contradicted: {
                statement:
                    "One knowledge base says in three places: legacy and not needed, do not use it, and required for eight GPUs over two sockets.",
                sources: ["local-inference-lab/rtx6kpro (glm5, pcie-oneshot)"],
            },
        },
        {
            id: "torch-symmetric-memory",
            verdict: "refuse",
            when: { all: [symmetricMemory, { not: patched }] },
            window: { sglang: [{ before: "0.5.14" }] },
            reason: "PyTorch symmetric memory has no size table for compute capability 12: SGLang stops at start with `KeyError: 12`.",
            remedy: "Leave it out; it needs NVLink.",
            sources: [
                "sglang 0.5.9 srt/distributed/device_communicators/torch_symm_mem.py (ran)",
                "vllm-project/vllm#42063",
            ],
            confidence: "high",
        },
        {
            id: "torch-symmetric-memory-idle",
            verdict: "warn",
            when: { all: [symmetricMemory, { any: [patched, { release: { since: "0.5.14" } }] }] },
            reason: "PyTorch symmetric memory has no size table for compute capability 12: SGLang says so and goes on without; in vLLM it hung.",
            remedy: "Leave it out.",
            sources: [
                "sglang 0.5.14 srt/distributed/device_communicators/torch_symm_mem.py",
                "vllm-project/vllm#42063",
                "local-inference-lab/vllm#261",
            ],
            confidence: "medium",
        },
        {
            id: "nccl-nvls",
            verdict: "fix",
            when: {
                all: [{ setting: ["enable-nccl-nvls", "enable-symm-mem"], set: true }, { predicate: "pcie-only" }],
            },
            set: { "enable-nccl-nvls": null, "enable-symm-mem": null },
            reason: "NVLink SHARP and NCCL's symmetric memory need NVLink, and the flags overwrite NCCL_NVLS_ENABLE and NCCL_CUMEM_ENABLE.",
            sources: ["sglang 0.5.23 srt/entrypoints/engine.py", "unverified"],
            confidence: "low",
        },
        {
            id: "pcie-one-shot-stock",
            verdict: "refuse",
            when: { all: [{ stock: true }, oneShot] },
            reason: "--enable-pcie-oneshot-allreduce is an option of a fork; no published SGLang has it.",
            remedy: "Leave it out, or say `stock: false` for an image that ships it.",
            sources: ["local-inference-lab/rtx6kpro (pcie-oneshot)", "sgl-project/sglang#34528"],
            confidence: "high",
        },
        {
            id: "pcie-one-shot-expandable-segments",
            verdict: "refuse",
            when: { all: [oneShot, { predicate: "expandable-segments" }] },
            reason: "The one-shot all-reduce shares memory by IPC handles, which expandable segments do not have: a crash at `pcie_allreduce.cu:321`.",
            remedy: "Take expandable_segments out of PYTORCH_CUDA_ALLOC_CONF.",
            sources: ["local-inference-lab/rtx6kpro (sglang, glm5)"],
            confidence: "high",
            contradicted: {
                statement: "The same knowledge base lists the variable as useful on another page.",
                sources: ["local-inference-lab/rtx6kpro (nccl-tuning)"],
            },
        },
        {
            id: "pcie-one-shot-unforced",
            verdict: "warn",
            when: oneShot,
            reason: "On hosts without PCIe switches the one-shot all-reduce is 15 times slower than NCCL, or off, unless the driver is told to force P2P.",
            sources: ["local-inference-lab/rtx6kpro (pcie-oneshot)"],
            confidence: "medium",
            detectedBy: "gate",
        },
    ],
};
