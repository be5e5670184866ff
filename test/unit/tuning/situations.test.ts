/** Known situations: which levers apply, and that no other does. */
import { describe, expect, it } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { fixture, hostFacts, type SpecChanges, serviceSpec } from "../service/service-spec.ts";
import { GLM, GLM_MTP, KIMI_INT4, KIMI_NVFP4, MINIMAX, QWEN, withNumactl } from "./cases.ts";

interface Situation {
    readonly changes: SpecChanges;
    /** Rows that are taken, and those that only advise, in alphabetic order. */
    readonly taken: readonly string[];
    readonly advice?: readonly string[];
    /** The NCCL level that the topology leads to; none where NCCL's own reaches, or peer access is off. */
    readonly level?: string;
}

/** Cards of a workstation behind two switches of one socket. */
const oneSocket = hostFacts({ topology: fixture("topology/03-8x-rtxpro6000-wrx90-2switch-pix-node.txt") });
const fourOfOneSocket = { nodes: [{ name: "host", facts: oneSocket, gpus: [0, 1, 2, 3] }] };
const two = hostFacts({ count: 2, topology: fixture("topology/02-2x-rtxpro6000-ws-phb.txt") });
const single = { nodes: [{ name: "host", facts: hostFacts(), gpus: [0] }] };
const hybrid = ["gdn-bf16-state", "gdn-flashinfer-attention", "gdn-fp8-cache"];
const drafts = ["gdn-mtp", "graphs-to-requests", "speculation-requests"];
const sorted = (...rows: readonly string[]) => [...rows].sort();

const situations: Readonly<Record<string, Situation>> = {
    "Qwen3.5 on four cards of one socket, 0.5.16": {
        changes: { repository: QWEN, release: "0.5.16", ...fourOfOneSocket },
        taken: sorted(...hybrid, ...drafts),
        level: "PIX",
    },
    "Qwen3.5 on four cards of one socket, 0.5.23": {
        changes: { repository: QWEN, release: "0.5.23", ...fourOfOneSocket },
        taken: sorted(...hybrid, ...drafts, "pcie-ipc-all-reduce"),
        level: "PIX",
    },
    "Qwen3.5 on eight cards of two sockets, 0.5.16": {
        changes: { repository: QWEN, release: "0.5.16", facts: withNumactl },
        taken: sorted(...hybrid, ...drafts, "numa-nodes"),
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "Qwen3.5 on eight cards, 0.5.9, 32k of context": {
        changes: { repository: QWEN, release: "0.5.9", fields: { scheduling: { contextLength: 32768 } } },
        taken: sorted("gdn-bf16-state", "gdn-fp8-cache", "loader-threads", ...drafts),
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "Qwen3.5 on eight cards, 0.5.9, its whole context": {
        changes: { repository: QWEN, release: "0.5.9" },
        taken: sorted("gdn-bf16-state", "gdn-fp8-cache", "loader-threads"),
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "Qwen3.5 for many users, 0.5.21": {
        changes: { repository: QWEN, release: "0.5.21", fields: { objective: "throughput" } },
        taken: sorted(...hybrid, "pcie-ipc-all-reduce", "prefill-chunk"),
        advice: ["amd-two-sockets", "power-for-throughput"],
        level: "SYS",
    },
    "GLM-5 without a prediction block, 0.5.23": {
        changes: { repository: GLM, release: "0.5.23" },
        taken: ["glm-sparse-fp8-cache", "pcie-ipc-all-reduce"],
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "GLM-5 with a prediction block, 0.5.20": {
        changes: { repository: GLM_MTP, release: "0.5.20" },
        taken: ["glm-sparse-fp8-cache"],
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "GLM-5 dense, 0.5.15": {
        changes: { repository: GLM, release: "0.5.15" },
        taken: [],
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "Kimi-K2.5 INT4 on eight cards, 0.5.12": {
        changes: {
            repository: KIMI_INT4,
            release: "0.5.12",
            fields: { scheduling: { maxRunningRequests: 32 }, kvCache: { dtype: "bfloat16" } },
        },
        taken: ["graphs-to-requests", "int4-latent-flashinfer"],
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "Kimi-K2.5 NVFP4 on eight cards, 0.5.22": {
        changes: { repository: KIMI_NVFP4, release: "0.5.22" },
        taken: ["pcie-ipc-all-reduce"],
        advice: ["amd-two-sockets"],
        level: "SYS",
    },
    "MiniMax-M2.5 on two cards, 0.5.22": {
        changes: { repository: MINIMAX, release: "0.5.22", facts: two },
        taken: ["pcie-ipc-all-reduce"],
        level: "PHB",
    },
    "MiniMax-M2.5 on four cards, 0.5.22: no table for its hidden size": {
        changes: { repository: MINIMAX, release: "0.5.22", ...fourOfOneSocket },
        taken: [],
        level: "PIX",
    },
    "gpt-oss on one card: nothing between cards": {
        changes: { repository: "openai/gpt-oss-120b", release: "0.5.22", ...single },
        taken: [],
    },
    "cards of which the driver says that they do not reach one another": {
        changes: {
            repository: QWEN,
            release: "0.5.23",
            fields: { environment: { NCCL_P2P_DISABLE: "1" }, objective: "latency" },
        },
        taken: sorted(...hybrid, ...drafts),
    },
};

describe.each(Object.entries(situations))("%s", (_, { changes, taken, advice = [], level }) => {
    const service = resolve(serviceSpec(changes));
    const with_ = (outcome: string) =>
        service.tuning
            .filter((note) => note.outcome === outcome)
            .map(({ row }) => row)
            .sort();

    it("has the levers that apply, and no other", () => {
        expect(service.problems).toEqual([]);
        expect(with_("taken")).toEqual(taken);
        expect(with_("advice")).toEqual(advice);
    });

    it("has NCCL reach as far as its cards are apart", () => {
        const variables = Object.fromEntries(service.environment.map(({ name, value }) => [name, value]));
        expect(variables.NCCL_P2P_LEVEL).toBe(level);
    });
});
