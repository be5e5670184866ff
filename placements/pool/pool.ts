import type { types } from "@pulumi/kubernetes";
import type { PoolFields } from "../../knowledge/fields/pool.ts";

/** A node pool as far as manifests need it. */
export type Pool = Pick<PoolFields, "nodeSelector" | "tolerations" | "gpuResource" | "runtimeClass" | "multiNode"> & {
    readonly storage: PoolFields["storage"];
    /** What a server's pod asks of its node beside GPUs. */
    readonly requests: PoolFields["requests"];
    /** Whether a further pod finds free GPUs during a rollout. */
    readonly spareGpus: boolean;
    /** GPUs of a node. */
    readonly gpusPerNode: number;
};

/** What every pod has in common: it needs nothing of the Kubernetes API. */
export const podBase = { automountServiceAccountToken: false, enableServiceLinks: false };

/** Where the pods of a pool run. */
export function onNodes({ nodeSelector, tolerations, runtimeClass }: Pool): Partial<types.input.core.v1.PodSpec> {
    return {
        nodeSelector,
        tolerations,
        ...(runtimeClass === undefined ? {} : { runtimeClassName: runtimeClass }),
    };
}
