import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadDeployment } from "../../../deployment/load.ts";
import { type PlannedService, planDeployment } from "../../../deployment/plan.ts";
import { digestOf } from "../../../knowledge/base/digest.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { patchText } from "../digests/full-build.ts";

const facts = "facts/esc8000a-8x-rtxpro6000-server.json";
const repository = "nvidia/Qwen3-235B-A22B-NVFP4";
const files = [
    { path: "config.json", size: 1_000, gitBlob: "a".repeat(40) },
    { path: "model-00001-of-00001.safetensors", size: 140_000_000_000, sha256: "b".repeat(64) },
];

const lock = {
    schema: 1,
    models: {
        [repository]: {
            revision: "0123456789abcdef0123456789abcdef01234567",
            bytes: files.reduce((sum, { size }) => sum + size, 0),
            manifestDigest: digestOf(files),
            files,
        },
    },
    builds: {
        sglang: {
            packages: [{ name: "torch", version: "2.9.1", hashes: [`sha256:${"c".repeat(64)}`] }],
            treeSha256: "d".repeat(64),
        },
    },
};

/** What every example service is, wherever it runs. */
const chat = {
    build: "sglang",
    model: "qwen",
    api: { port: 8000, servedModelName: "chat" },
    gate: { timeoutSeconds: 300 },
    environment: { NCCL_DEBUG: "INFO" },
    startupBudgetMinutes: 45,
};

function planned(stack: object): PlannedService {
    const read = (path: string) =>
        path === "example.patch" ? patchText : readFileSync(join(packageRoot, path), "utf8");
    const { problems, services } = planDeployment(
        loadDeployment(stack, read, JSON.stringify(lock), "lab/blackwell"),
        [],
    );
    if (problems.length > 0) {
        throw new Error(JSON.stringify(problems, null, 1));
    }
    return services[0]!;
}

/** A service on hosts; `gpus` of each, a key, and a cache in the host's memory. */
export function onHosts(hosts: Readonly<Record<string, string>>, service: object = {}): PlannedService {
    const hostKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDOCUMENTATION";
    return planned({
        hosts: Object.fromEntries(Object.entries(hosts).map(([name, address]) => [name, { address, hostKey, facts }])),
        builds: { sglang: { release: "0.5.23", patches: ["example.patch"] } },
        models: { qwen: { repository } },
        services: { chat: { ...chat, placement: { hosts: Object.keys(hosts) }, ...service } },
    });
}

/** A service on nodes of a pool, and what differs from the usual in pool, model and service. */
export function inPool(
    parts: { pool?: object; model?: object; service?: object; placement?: object } = {},
): PlannedService {
    return planned({
        pools: { rtx: { namespace: "inference", nodeSelector: { pool: "rtx" }, gpusPerNode: 8, facts, ...parts.pool } },
        builds: {
            sglang: {
                release: "0.5.23",
                patches: ["example.patch"],
                image: `registry.example.com/sglang@sha256:${"1".repeat(64)}`,
            },
        },
        models: { qwen: { repository, ...parts.model } },
        services: { chat: { ...chat, placement: { pool: "rtx", ...parts.placement }, ...parts.service } },
    });
}
