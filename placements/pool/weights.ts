import type { ModelPlan } from "../../knowledge/artifacts/model-plan.ts";
import { type Document, document } from "../../knowledge/contract/index.ts";
import { downloadSeconds } from "./budgets.ts";
import { agentConfigMap, contentName, documentMap } from "./config-maps.ts";
import { container } from "./container.ts";
import { job } from "./job.ts";
import { type ConfigMap, type Job, labels, type PersistentVolumeClaim } from "./manifest.ts";
import { agentCommand, settingsFolder, stateOnVolume, tokenFolder } from "./paths.ts";
import type { Pool } from "./pool.ts";

/** A model's revision in a pool. */
export interface PoolWeights {
    /** Name of the model in the stack. */
    readonly name: string;
    readonly model: ModelPlan;
    /** Folder that the volume is mounted as. */
    readonly directory: string;
    readonly pool: Pool;
    /** Image with `huggingface_hub`: that of a build that serves the model. */
    readonly image: string;
    /** Size of the volume, GiB. Defaults to the size of the files and a fifth. */
    readonly storageGiB?: number;
    /** The hub token, when there is one. */
    readonly token?: { readonly secret: string; readonly key: string };
}

/** Name of the claim that holds a model's weights, of every revision. */
export function claimName(name: string): string {
    return `${name}-weights`;
}

/** The volume for weights, compiled kernels, and what services remember. */
export function weightsClaim({ name, model, pool, storageGiB }: PoolWeights): PersistentVolumeClaim {
    const { className, accessMode } = pool.storage;
    const size = storageGiB ?? Math.max(10, Math.ceil((1.2 * (model.bytes ?? 0)) / 2 ** 30));
    return {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: claimName(name), labels: labels(name, "weights") },
        spec: {
            accessModes: [accessMode],
            resources: { requests: { storage: `${size}Gi` } },
            ...(className === undefined ? {} : { storageClassName: className }),
        },
    };
}

/** What the job is to fetch. Files are in it, so that their names and hashes are checked against the lock. */
export function fetchConfigMap(weights: PoolWeights): ConfigMap {
    return documentMap(weights.name, "weights", "files", "fetch.json", fetchDocument(weights));
}

/** The job that fills the volume, named by what it fetches and by the agent: a new token or image starts no new one. */
export function fetchJob(weights: PoolWeights): Job {
    const { name, model, directory, pool, image, token } = weights;
    const agentMap = agentConfigMap(name, "weights").metadata.name;
    const files = fetchConfigMap(weights).metadata.name;
    const command = agentCommand("fetch", `${settingsFolder}/fetch.json`, `${directory}/${stateOnVolume}`);
    const mounts = [
        { name: "files", mountPath: settingsFolder, readOnly: true },
        { name: "weights", mountPath: directory },
        ...(token ? [{ name: "token", mountPath: tokenFolder, readOnly: true }] : []),
    ];
    const resources = {
        requests: { cpu: "250m", memory: "1Gi", "ephemeral-storage": "64Mi" },
        limits: { memory: "8Gi", "ephemeral-storage": "2Gi" },
    };
    const items = token && [{ key: token.key, path: "token" }];
    return job(name, "weights", {
        name: contentName(`${name}-fetch`, [agentMap, files]),
        pool,
        agentMap,
        container: container("fetch", image, command, mounts, { resources }),
        volumes: [
            { name: "files", configMap: { name: files } },
            { name: "weights", persistentVolumeClaim: { claimName: claimName(name) } },
            ...(token ? [{ name: "token", secret: { secretName: token.secret, defaultMode: 0o440, items } }] : []),
        ],
        retries: 2,
        seconds: downloadSeconds(model.bytes ?? 0),
    });
}

/** The agent's own folder is on the volume too: its lock keeps two jobs apart, and nothing fills the node's disk. */
function fetchDocument({ name, model, directory, token }: PoolWeights): Document<"fetch"> {
    return document("fetch", {
        ...model.desired,
        client: {},
        owner: `pool/${claimName(name)}`,
        root: `${directory}/.sglang`,
        ...(token ? { tokenFile: `${tokenFolder}/token` } : {}),
    });
}
