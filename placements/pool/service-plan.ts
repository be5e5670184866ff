import { shortDigestOf } from "../../knowledge/base/digest.ts";
import type { SettingValue } from "../../knowledge/base/settings.ts";
import { compareVersions } from "../../knowledge/base/version.ts";
import { type Document, document } from "../../knowledge/contract/index.ts";
import { offlineEnvironment, rendezvousPort, stopGraceSeconds } from "../../knowledge/service/process.ts";
import type { ResolvedService } from "../../knowledge/service/spec.ts";
import { argvOf } from "../../knowledge/sglang/index.ts";
import { type Budgets, budgets } from "./budgets.ts";
import type { PoolBuild } from "./build.ts";
import { boardPort, keyFolder, stateFolder } from "./paths.ts";
import type { Pool } from "./pool.ts";
import { headOf, type Workload, workloadOf } from "./workload.ts";

/** Where a service runs: what a pool adds to the settings. */
export interface PoolPlace {
    readonly pool: Pool;
    /** Memory of a node, bytes. */
    readonly memoryBytes: number;
    readonly build: PoolBuild;
    readonly weights: {
        /** Claim that holds the snapshot. */
        readonly claim: string;
        /** Where the claim is mounted. */
        readonly directory: string;
        readonly path: string;
        readonly manifestDigest: string;
    };
    /** GPUs of each node. */
    readonly gpus: readonly number[];
    /** The API key, when there is one. */
    readonly apiKey?: PoolApiKey;
    /** Seconds from start to ready. */
    readonly startupBudgetSeconds: number;
}

/** A Secret that holds the API key. */
export interface PoolApiKey {
    /** Name of the Secret. */
    readonly secret: string;
    /** Key inside it. */
    readonly key: string;
    /** Another text for another value, where the Secret is made here: a new value rolls the pods. */
    readonly fingerprint?: string;
}

/** A service as it will be in a pool. */
export interface PoolServicePlan {
    readonly name: string;
    readonly place: PoolPlace;
    readonly workload: Workload;
    readonly budgets: Budgets;
    readonly port: number;
    /** Changes exactly when the server must restart. */
    readonly restartDigest: string;
    /** Everything that the server gets, in the release's spelling; on several nodes less what each adds for itself. */
    readonly arguments: Readonly<Record<string, SettingValue>>;
    readonly environment: Readonly<Record<string, string>>;
    /** The launch command, one argument an element, without the key. */
    readonly argv: readonly string[];
    /** Desired state for the agent in the pod. */
    readonly desired: Document<"pod">;
}

/** Places a resolved service in a pool; pure. */
export function poolServicePlan(service: ResolvedService, place: PoolPlace): PoolServicePlan {
    const { pool, build, weights, gpus, apiKey, startupBudgetSeconds } = place;
    const { name, release, gate, settingsDigest } = service;
    const port = Number(service.settings.port?.value ?? 30000);
    const endpoint = { host: "0.0.0.0", port };
    const placed: Record<string, SettingValue> = { ...service.arguments, "model-path": weights.path, ...endpoint };
    const environment = podEnvironment(service, build, gpus.length);
    const workload = workloadOf(pool, gpus.length);
    const head = headOf(name, workload);
    const nodes = gpus.length > 1 ? { boardPort, count: gpus.length, head, port: rendezvousPort } : undefined;
    const decisive = {
        settings: settingsDigest,
        arguments: placed,
        environment,
        image: build.image,
        build: build.digest,
        model: weights.manifestDigest,
        nodes,
        apiKey: apiKey && { secret: apiKey.secret, key: apiKey.key },
        startupBudgetSeconds,
    };
    const restartDigest = shortDigestOf(decisive);
    const words = nodes
        ? { ...placed, nnodes: nodes.count, "node-rank": 0, "dist-init-addr": `${head}:${nodes.port}` }
        : placed;
    return {
        name,
        place,
        workload,
        budgets: budgets(startupBudgetSeconds, gate.timeoutSeconds),
        port,
        restartDigest,
        arguments: placed,
        environment,
        argv: ["python3", "-m", "sglang.launch_server", ...argvOf(words)],
        desired: document("pod", {
            name,
            generation: restartDigest,
            settingsDigest,
            release,
            image: build.image,
            build: build.digest,
            arguments: placed,
            environment,
            nodes,
            model: { path: weights.path, manifestDigest: weights.manifestDigest },
            apiKeyFile: apiKey && `${keyFolder}/api-key`,
            endpoint,
            // Cheap, and there since 0.5.20; /health makes a token each time (http_server.py in the wheels).
            readyPath: compareVersions(release, "0.5.20") >= 0 ? "/ready" : "/health",
            gate,
            startupBudgetSeconds,
            stopGraceSeconds,
        }),
    };
}

/** NCCL and other settings, and what only the pod knows: kernel caches, offline hub, its one network interface. */
function podEnvironment(service: ResolvedService, build: PoolBuild, nodes: number): Record<string, string> {
    const environment = offlineEnvironment(`${stateFolder}/cache/${build.digest}`);
    for (const { name, value } of service.environment) {
        environment[name] = value;
    }
    if (nodes > 1) {
        // A pod has its own interface, whatever those of the node are called.
        environment.NCCL_SOCKET_IFNAME = "=eth0";
        environment.GLOO_SOCKET_IFNAME = "eth0";
    }
    return environment;
}
