import type { PoolFields } from "../../knowledge/fields/pool.ts";

/** A node pool as far as manifests need it. */
export type Pool = Pick<PoolFields, "nodeSelector" | "tolerations" | "gpuResource" | "runtimeClass" | "multiNode"> & {
    readonly storage: PoolFields["storage"];
    /** Whether a further pod finds free GPUs during a rollout. */
    readonly spareGpus: boolean;
    /** GPUs of a node. */
    readonly gpusPerNode: number;
};

/** What every pod of a pool has in common: where it runs, as whom, and that it needs nothing of the Kubernetes API. */
export function podBase({ nodeSelector, tolerations, runtimeClass }: Pool): Record<string, unknown> {
    return {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        nodeSelector,
        tolerations,
        ...(runtimeClass === undefined ? {} : { runtimeClassName: runtimeClass }),
    };
}
