import type { ModelPlan } from "../../knowledge/artifacts/model-plan.ts";
import { type Document, document } from "../../knowledge/contract/index.ts";
import { arrivalSeconds } from "./budgets.ts";
import { agentConfigMap, documentMap } from "./config-maps.ts";
import { container } from "./container.ts";
import { job } from "./job.ts";
import {
    type ConfigMap,
    type Job,
    labels,
    type PersistentVolumeClaim,
    type RbacRole,
    type RoleBinding,
    type ServiceAccount,
} from "./manifest.ts";
import { agentCommand, settingsFolder, stateOnVolume, tokenFolder } from "./paths.ts";
import { onNodes, type Pool } from "./pool.ts";
import { watcherJob, watcherRights } from "./watcher.ts";

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

/** What of the weights decides what is fetched. */
export type WhatToFetch = Pick<PoolWeights, "name" | "model" | "directory"> & { readonly token?: unknown };

/** What the job is to fetch. Files are in it, so that their names and hashes are checked against the lock. */
export function fetchConfigMap(weights: WhatToFetch): ConfigMap {
    return documentMap(weights.name, "weights", "files", "fetch.json", fetchDocument(weights));
}

/**
 * The job that fills the volume. One that differs in where or how it runs finds the files there and ends at once. A new image or
 * value of the token starts no new one.
 */
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
        prefix: `${name}-fetch`,
        claim: claimName(name),
        anyImage: true,
        where: onNodes(pool),
        agentMap,
        container: container("fetch", image, command, mounts, { resources }),
        volumes: [
            { name: "files", configMap: { name: files } },
            { name: "weights", persistentVolumeClaim: { claimName: claimName(name) } },
            ...(token ? [{ name: "token", secret: { secretName: token.secret, defaultMode: 0o440, items } }] : []),
        ],
        retries: 2,
        seconds: arrivalSeconds(model.bytes ?? 0).fetch,
    });
}

/** The job that ends as that one does, or says why it does not come to an end. */
export function arrivalJob(weights: PoolWeights): Job {
    const { name, model, pool, image } = weights;
    const { arrival, wait } = arrivalSeconds(model.bytes ?? 0);
    return watcherJob(name, "arrival", {
        pool,
        agentMap: agentConfigMap(name, "weights").metadata.name,
        image,
        words: ["arrival", "--job", fetchJob(weights).metadata.name],
        seconds: arrival,
        deadline: wait,
    });
}

/** What that job may ask of the Kubernetes API. */
export function arrivalRights(weights: PoolWeights): [account: ServiceAccount, role: RbacRole, binding: RoleBinding] {
    const resourceNames = [fetchJob(weights).metadata.name];
    return watcherRights(weights.name, "arrival", [
        { apiGroups: ["batch"], resources: ["jobs"], resourceNames, verbs: ["get"] },
    ]);
}

/** The agent's own folder is on the volume too: its lock keeps two jobs apart, and nothing fills the node's disk. */
function fetchDocument({ name, model, directory, token }: WhatToFetch): Document<"fetch"> {
    return document("fetch", {
        ...model.desired,
        client: {},
        owner: `pool/${claimName(name)}`,
        root: `${directory}/.sglang`,
        ...(token ? { tokenFile: `${tokenFolder}/token` } : {}),
    });
}
