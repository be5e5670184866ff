import type * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { HostFacts } from "../../knowledge/records/facts.ts";
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
    /** Runtime class. Defaults to the cluster's default. */
    runtimeClass?: string;
    /** How weights are stored. */
    storage?: PoolStorage;
    /** How one server that spans several nodes is run. Defaults to `statefulSet`. */
    multiNode?: MultiNode;
    /** Whether GPUs are free for a second pod during a rollout. Defaults to false: the old pod ends before the new one starts. */
    spareGpus?: boolean;
    /** Facts recorded from a node of the pool. */
    facts: HostFacts;
    /** Provider of the cluster. Defaults to the one that the component inherits. */
    provider?: kubernetes.Provider;
}

/** The pool as manifests need it, defaults filled in. */
export function poolForManifests(pool: GpuPool): Pool {
    return {
        nodeSelector: pool.nodeSelector,
        tolerations: pool.tolerations ?? [{ key: "nvidia.com/gpu", operator: "Exists" }],
        gpuResource: pool.gpuResource ?? "nvidia.com/gpu",
        gpusPerNode: pool.gpusPerNode,
        runtimeClass: pool.runtimeClass,
        storage: { className: pool.storage?.className, accessMode: pool.storage?.accessMode ?? "ReadWriteOnce" },
        multiNode: pool.multiNode ?? MultiNode.StatefulSet,
        spareGpus: pool.spareGpus ?? false,
        memoryBytes: pool.facts.memoryBytes,
    };
}
