import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import type { Outcome } from "../../../knowledge/tuning/index.ts";
import { fixture, hostFacts, type SpecChanges } from "../service/service-spec.ts";

export const QWEN = "nvidia/Qwen3.5-397B-A17B-NVFP4";
export const GLM = "lukealonso/GLM-5-NVFP4";
export const GLM_MTP = "festr2/GLM-5-NVFP4-MTP";
export const KIMI_INT4 = "moonshotai/Kimi-K2.5";
export const KIMI_NVFP4 = "nvidia/Kimi-K2.5-NVFP4";
export const MINIMAX = "lukealonso/MiniMax-M2.5-NVFP4";

/** Facts of the usual host with what `numactl -H` says of it. */
export const withNumactl = hostFacts({ numactl: fixture("topology/01b-numactl-H-same-host.txt") });

/** For one row: a service that it is about, and the nearest one that it leaves alone. */
export interface RowCase {
    readonly inside: SpecChanges;
    readonly outside: SpecChanges;
    /** What becomes of it inside. Defaults to `taken`. */
    readonly outcome?: Outcome;
}

const qwen = (release: string, fields: ServiceFields = {}): SpecChanges => ({ repository: QWEN, release, fields });
const limit = (powerLimitWatts: number) => hostFacts({ gpu: { powerLimitWatts } });
const nextn: ServiceFields["speculative"] = { algorithm: "NEXTN", steps: 3, eagleTopK: 1, draftTokens: 4 };
/** A checkpoint that its own files describe, in the shape of DeepSeek-V3.2: 61 layers, and a prediction block behind them or none. */
const deepseekV4 = (layers: number): SpecChanges => ({
    release: "0.5.21",
    model: {
        repository: "owner/DeepSeek-V4-Flash",
        config: {
            ...JSON.parse(fixture("model-configs/deepseek-v3.2.json")),
            architectures: ["DeepseekV4ForCausalLM"],
        },
        tensors: { bytes: 4e11, layers, namesMtp: false },
    },
});

/** A pair for every row. */
export const cases: Readonly<Record<string, RowCase>> = {
    "pcie-ipc-all-reduce": {
        inside: { release: "0.5.21" },
        outside: { release: "0.5.21", fields: { environment: { NCCL_P2P_DISABLE: "1" } } },
    },
    "amd-two-sockets": {
        inside: {},
        outside: { fields: { environment: { NCCL_PROTO: "LL" } } },
        outcome: "advice",
    },
    "gdn-flashinfer-attention": { inside: qwen("0.5.10"), outside: qwen("0.5.9") },
    "int4-latent-flashinfer": {
        inside: { repository: KIMI_INT4 },
        outside: { repository: KIMI_INT4, fields: { kvCache: { dtype: "fp8_e4m3" } } },
    },
    "gdn-fp8-cache": {
        inside: qwen("0.5.16"),
        outside: { ...qwen("0.5.16"), repository: "Qwen/Qwen3.5-397B-A17B-FP8" },
    },
    "glm-sparse-fp8-cache": {
        inside: { repository: GLM, release: "0.5.17" },
        outside: { repository: GLM, release: "0.5.17", fields: { backends: { attention: "triton" } } },
    },
    "gdn-bf16-state": { inside: qwen("0.5.16"), outside: { release: "0.5.16" } },
    "gdn-mtp": {
        inside: qwen("0.5.9", { scheduling: { contextLength: 32768 } }),
        outside: qwen("0.5.9", { scheduling: { contextLength: 65536 } }),
    },
    "glm-mtp": {
        inside: { repository: GLM_MTP, release: "0.5.23" },
        outside: { repository: GLM, release: "0.5.23" },
        outcome: "unsafe",
    },
    "deepseek-v4-mtp": { inside: deepseekV4(62), outside: deepseekV4(61), outcome: "unsafe" },
    "speculation-requests": { inside: qwen("0.5.16", { speculative: nextn }), outside: { release: "0.5.16" } },
    "mtp-long-context-triton": {
        inside: qwen("0.5.9", { speculative: nextn }),
        outside: qwen("0.5.9", { speculative: nextn, scheduling: { contextLength: 32768 } }),
        outcome: "advice",
    },
    "graphs-to-requests": {
        inside: { fields: { scheduling: { maxRunningRequests: 64 } } },
        outside: { fields: { scheduling: { maxRunningRequests: 512 } } },
    },
    "prefill-chunk": { inside: { fields: { objective: "throughput" } }, outside: { fields: {} } },
    "loader-threads": { inside: { release: "0.5.9" }, outside: { release: "0.5.10" } },
    "numa-nodes": {
        inside: { release: "0.5.17", facts: withNumactl },
        outside: { release: "0.5.18", facts: withNumactl },
    },
    "power-for-throughput": {
        inside: { facts: limit(400), fields: { objective: "throughput" } },
        outside: { facts: limit(500), fields: { objective: "throughput" } },
        outcome: "advice",
    },
    "power-for-one-user": {
        inside: { facts: limit(600), fields: { objective: "latency" } },
        outside: { facts: limit(350), fields: { objective: "latency" } },
        outcome: "advice",
    },
};
