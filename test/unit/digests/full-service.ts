import type { MemoryPlan } from "../../../knowledge/memory/index.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import type { ServicePlace } from "../../../placements/hosts/service-plan.ts";
import type { PoolPlace } from "../../../placements/pool/service-plan.ts";
import { hostFacts } from "../service/service-spec.ts";
import type { Full } from "./inputs.ts";

/** A decided service that says everything: with a problem, a finding, a cache in the host's memory, and an address of its own. */
export const fullService: ResolvedService = {
    name: "model",
    release: "0.5.23",
    placement: "hosts",
    refused: false,
    problems: [{ path: "backends.moeRunner", message: "is wrong" }],
    findings: [
        { rule: "some-rule", verdict: "warn", setting: "tp-size", message: "It is so.", sources: ["owner/repo#1"] },
    ],
    settings: {
        host: { value: "0.0.0.0", origin: "user" },
        port: { value: 8000, origin: "user" },
        "tp-size": { value: 4, origin: "rule", rule: "some-rule" },
    },
    environment: [
        { name: "NCCL_DEBUG", value: "INFO", origin: "user", reason: "Set in the stack." },
        { name: "NCCL_SOCKET_IFNAME", value: "=eno1", origin: "topology", reason: "The one interface." },
    ],
    arguments: { "enable-metrics": true, "served-model-name": "chat", "tp-size": 4 },
    memory: { fits: true, hostPinnedGiB: 12.3, freeGiB: 90 } as MemoryPlan,
    tuning: [],
    gate: {
        greedy: [{ prompt: "What is 17 plus 25?", expect: "42", maxTokens: 64 }],
        sampled: { requests: 4, temperature: 1, maxTokens: 256 },
        concurrency: { requests: 16, maxTokens: 256 },
        toolCall: true,
        reasoning: false,
        servedModelName: "chat",
        minimumTokensPerSecond: 100,
        timeoutSeconds: 600,
    },
    settingsDigest: "5".repeat(64),
};

const facts = hostFacts();

/** Half of the cards of the second of two hosts. */
export const fullHostPlace: Full<ServicePlace> = {
    root: "/opt/sglang",
    owner: "project/stack",
    facts: {
        ...(facts as Full<ServicePlace["facts"]>),
        gpus: facts.gpus.map((gpu) => ({ ...gpu, uuid: "GPU-1", busId: "0000:01:00.0", usedBy: [1] })) as Full<
            ServicePlace["facts"]["gpus"]
        >,
        cudaDriver: "13.0",
        disks: [{ mount: "/", sizeBytes: 1, freeBytes: 1 }],
        nics: [{ name: "eno1", rdma: false }],
        p2p: { r: "ok", w: "ok" },
        numactl: "nodes",
        cgroup: "v2",
        composed: ["disks"],
    },
    gpus: [4, 5, 6, 7],
    build: { digest: "b00000000001" },
    model: { path: "/var/lib/models/owner--name/0123", manifestDigest: "a".repeat(64) },
    apiKey: { fingerprint: "f1", path: "/opt/sglang/secrets/chat-key-f1" },
    cluster: { nodes: 2, rank: 1, leaderAddress: "192.0.2.11" },
    adopt: true,
    startupBudgetSeconds: 1800,
};

/** Two nodes of a pool. */
export const fullPoolPlace: Full<PoolPlace> = {
    pool: {
        nodeSelector: { pool: "rtx" },
        tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", value: "none", effect: "NoSchedule" }],
        gpuResource: "nvidia.com/gpu",
        requests: { cpu: "500m", memory: "2Gi" },
        runtimeClass: "nvidia",
        multiNode: "statefulSet",
        storage: { className: "local", accessMode: "ReadWriteMany" },
        spareGpus: false,
        gpusPerNode: 8,
    },
    memoryBytes: 2 ** 40,
    build: {
        digest: "b00000000001",
        image: `registry.example.com/sglang@sha256:${"1".repeat(64)}`,
        stage: { patches: [], release: "0.5.23", treeSha256: "b".repeat(64) },
    },
    weights: {
        claim: "qwen-weights",
        directory: "/var/lib/models",
        path: "/var/lib/models/owner--name/0123",
        manifestDigest: "a".repeat(64),
    },
    gpus: [8, 8],
    apiKey: { secret: "chat-api-key", key: "token", fingerprint: "f1f1f1f1f1f1" },
    startupBudgetSeconds: 1800,
};
