import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { poolSchema } from "../../knowledge/fields/pool.ts";
import { type HostFacts, hostFactsSchema } from "../../knowledge/records/facts.ts";
import { asGiven, input, whenKnown } from "../component.ts";
import type { Pool } from "./pool.ts";

/** How one server that spans several nodes is run. */
export const MultiNode = {
    /** A StatefulSet with a headless Service; needs nothing beside Kubernetes. */
    StatefulSet: "statefulSet",
    /** A LeaderWorkerSet; needs its controller in the cluster. */
    LeaderWorkerSet: "leaderWorkerSet",
} as const;
/** See {@link MultiNode}. */
export type MultiNode = (typeof MultiNode)[keyof typeof MultiNode];

/** How weights are stored. */
export interface PoolStorage {
    /** Storage class. Defaults to the cluster's default. */
    className?: string;
    /** Access mode of the claim; a server over several nodes needs `ReadWriteMany`. Defaults to `ReadWriteOnce`. */
    accessMode?: "ReadWriteOnce" | "ReadWriteMany";
}

/** What a server's pod asks of its node beside GPUs. */
export interface PoolRequests {
    /** CPUs that stay free for it: `8`, or `500m` for half of one. Defaults to `500m`. */
    cpu?: string;
    /** Memory that stays free for it, such as `64Gi`. Defaults to `2Gi`. */
    memory?: string;
}

/** A taint that pods of the pool tolerate. */
export interface PoolToleration {
    /** Key of the taint; absent for all. */
    key?: string;
    /** Whether the value counts. Defaults to `Equal`. */
    operator?: "Exists" | "Equal";
    /** Value of the taint. */
    value?: string;
    /** Effect of the taint; absent for all. */
    effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** A Kubernetes node pool of equal GPU nodes: where pods go and what is there. Not a component; it creates nothing. */
export interface GpuPool {
    /** Namespace for everything; must exist. */
    namespace: pulumi.Input<string>;
    /** Labels of the nodes, such as `nvidia.com/gpu.product`. */
    nodeSelector: Record<string, string>;
    /** Taints of the nodes. Defaults to `nvidia.com/gpu` with any value. */
    tolerations?: PoolToleration[];
    /** GPUs of each node. */
    gpusPerNode: number;
    /** Resource name of a GPU. Defaults to `nvidia.com/gpu`. */
    gpuResource?: string;
    /** What a server's pod asks of its node beside GPUs. */
    requests?: PoolRequests;
    /** Runtime class. Defaults to the cluster's default. */
    runtimeClass?: string;
    /** How weights are stored. */
    storage?: PoolStorage;
    /** How one server that spans several nodes is run. Defaults to `statefulSet`. */
    multiNode?: MultiNode;
    /** Whether GPUs are free for a second pod during a rollout. Defaults to false: the old pod ends before the new one starts. */
    spareGpus?: boolean;
    /** Facts recorded from a node of the pool. */
    facts: pulumi.Input<HostFacts>;
    /** Provider of the cluster. Defaults to the one that the component inherits. */
    provider?: kubernetes.Provider;
}

/** Nodes of a pool that a service runs on. */
export interface PoolPlacement {
    /** The pool. */
    pool: GpuPool;
    /** Nodes that one server spans. Defaults to 1. */
    nodes?: number;
    /** GPUs of each node, by their indices in the pool's facts; Kubernetes chooses which, so only their number counts. Defaults to all. */
    gpus?: number[];
}

/** A pool whose pods run an image. */
export interface BuildInPool {
    /** The pool. */
    pool: GpuPool;
    /** Container image with SGLang, `NAME@sha256:…`; a tag is refused, since it can move. Without one a preview shows the rest, and an update is refused. */
    image?: pulumi.Input<string>;
}

/** A pool that keeps a model's files on a volume. */
export interface ModelInPool {
    /** The pool. */
    pool: GpuPool;
    /** Image with the hub's client, `NAME@sha256:…`: that of the build which serves. Without one a preview shows the rest, and an update is refused. */
    image?: pulumi.Input<string>;
    /** Size of the volume, GiB. Defaults to the size of the files and a fifth. */
    storageGiB?: number;
}

const poolArgs = poolSchema.omit({ context: true }).extend({
    namespace: input(poolSchema.shape.namespace),
    facts: input(hostFactsSchema),
    provider: z
        .custom<kubernetes.Provider>((value) => value instanceof Object, "must be a Kubernetes provider")
        .optional(),
});

/** @internal Checks a {@link GpuPool}. */
export const gpuPool = asGiven<GpuPool>(poolArgs);

/** The pool as manifests need it, defaults filled in. */
export function poolForManifests(pool: GpuPool): Pool {
    const { namespace: _namespace, facts: _facts, provider: _provider, ...manifests } = poolArgs.parse(pool);
    return manifests;
}

/** The pool's namespace, checked where it came later. */
export function namespaceOf({ namespace }: GpuPool): pulumi.Output<string> {
    return whenKnown(["GpuPool", "pool", "namespace"], poolSchema.shape.namespace, pulumi.output(namespace));
}
