import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import type { ServicePlace } from "../../../placements/hosts/service-plan.ts";
import type { PoolPlace } from "../../../placements/pool/service-plan.ts";
import { hostFacts, serviceSpec } from "../service/service-spec.ts";
import type { Full } from "./inputs.ts";

/** A service with a finding, a cache in the host's memory, and an address and port of its own. */
export const fullService: ResolvedService = resolve(
    serviceSpec({
        hasApiKey: true,
        patches: ["redact-credentials"],
        model: { repository: "nvidia/Qwen3-235B-A22B-NVFP4", revision: "0123456789abcdef0123456789abcdef01234567" },
        fields: {
            api: { listen: "0.0.0.0", port: 8000 },
            environment: { NCCL_DEBUG: "INFO" },
            gate: { minimumTokensPerSecond: 100 },
            kvCache: { hierarchical: { ratio: 2 } },
            launch: "python3 -m sglang.launch_server --enable-flashinfer-allreduce-fusion",
        },
    }),
);

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
    startupBudgetSeconds: 1800,
};

/** Two nodes of a pool. */
export const fullPoolPlace: Full<PoolPlace> = {
    pool: {
        nodeSelector: { pool: "rtx" },
        tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", value: "none", effect: "NoSchedule" }],
        gpuResource: "nvidia.com/gpu",
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
        stage: { patches: [] },
    },
    weights: {
        claim: "qwen-weights",
        directory: "/var/lib/models",
        path: "/var/lib/models/owner--name/0123",
        manifestDigest: "a".repeat(64),
    },
    gpus: [8, 8],
    apiKey: { secret: "chat-api-key-f1", key: "token" },
    startupBudgetSeconds: 1800,
};
