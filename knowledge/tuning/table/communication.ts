import type { TuningArea } from "../row.ts";

const WIKI = "local-inference-lab/rtx6kpro";
const PR = "sgl-project/sglang#34528";

export const communication: TuningArea = {
    title: "Between the cards",
    introduction:
        "NCCL_P2P_LEVEL follows from the recorded topology for every objective; these rows are about what comes on top.",
    rows: [
        {
            id: "pcie-ipc-all-reduce",
            when: {
                all: [
                    { predicate: "pcie-only" },
                    { predicate: "peer-access" },
                    { count: "nodes", below: 2 },
                    { setting: "tp-size", in: [2, 4, 8] },
                    { any: [{ setting: "tp-size", in: [2, 8] }, { predicate: "hidden-size-4096" }] },
                    {
                        any: [
                            { setting: "dtype", unset: true },
                            { setting: "dtype", in: ["bfloat16"] },
                        ],
                    },
                    {
                        setting: [
                            "enable-dp-attention",
                            "attn-dp-size",
                            "enable-deterministic-inference",
                            "disable-flashinfer-autotune",
                        ],
                        unset: true,
                    },
                ],
            },
            window: { sglang: [{ since: "0.5.21" }] },
            environment: { SGLANG_ENABLE_PCIE_IPC_ALLREDUCE: "1" },
            reason: "FlashInfer's all-reduce over PCIe adds the small vectors of decoding in one step, where NCCL takes several.",
            effects: [
                {
                    measure: "ms a token",
                    before: 9.53,
                    after: 8.18,
                    at: "1 user, 8k context",
                    on: "8 SM120 cards",
                    source: PR,
                },
                {
                    measure: "ms a token",
                    before: 23.92,
                    after: 21.28,
                    at: "32 users, 8k context",
                    on: "8 SM120 cards",
                    source: PR,
                },
            ],
            confidence: "high",
            risk: "It needs working peer access, like NCCL_P2P_LEVEL; where FlashInfer lacks it, SGLang warns and uses NCCL.",
            shown: "The log says `FlashInfer PCIe-IPC all-reduce enabled`.",
            sources: [PR, "sglang 0.5.21 srt/distributed/device_communicators/pcie_ipc_ar.py"],
            contradicted: {
                statement: "A host with an unusually slow NCCL gained 36 %; do not expect that.",
                sources: ["sglang 0.5.21 srt/distributed/device_communicators/pcie_ipc_ar.py"],
            },
        },
        {
            id: "amd-two-sockets",
            when: {
                all: [
                    { count: "nodes", below: 2 },
                    { count: "tensor", above: 4 },
                    { variable: "NCCL_P2P_LEVEL", in: ["SYS"] },
                    { variable: "NCCL_GRAPH_FILE", unset: true },
                    { variable: "NCCL_PROTO", unset: true },
                ],
            },
            advice: "On two AMD sockets, start once with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=GRAPH. Two channels at `bw 15/15` over SYS, or a tree at 0.1, are the slow choice: NCCL_PROTO=LL, or a graph file over all cards, cures it (`pulumi-sglang topology FILE --nccl-graph` writes one).",
            reason: "NCCL up to 2.30.7 takes the link between AMD sockets for slower than it is and may choose a ring of a fraction of its speed.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 40,
                    after: 65,
                    at: "1 user",
                    on: "Kimi-K2.5 on 8 cards over two Turin sockets, with a graph file",
                    source: `${WIKI} (nccl-tuning)`,
                },
            ],
            confidence: "medium",
            risk: "A graph file is for one set of cards: a group of fewer (data parallel attention, tensor parallel 4 of 8) fails to start with it.",
            sources: [`${WIKI} (nccl-tuning)`, "NVIDIA/nccl#2127"],
        },
    ],
};
