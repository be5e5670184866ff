import type { Pool } from "./pool.ts";

/** The kind of object that keeps a server's pods. */
export type Workload = "Deployment" | "StatefulSet" | "LeaderWorkerSet";

/** One node: a Deployment; several: what the pool says. */
export function workloadOf({ multiNode }: Pick<Pool, "multiNode">, nodes: number): Workload {
    if (nodes === 1) {
        return "Deployment";
    }
    return multiNode === "leaderWorkerSet" ? "LeaderWorkerSet" : "StatefulSet";
}

/** Name of the Service without an address of its own that finds pods before they are ready. */
export function podsService(name: string): string {
    return `${name}-pods`;
}

/** Name of a LeaderWorkerSet; its controller makes a Service of that name, which must not be the one that clients use. */
export function groupName(name: string): string {
    return `${name}-group`;
}

/** Where the pod is that serves, as other pods of the namespace find it. */
export function headOf(name: string, workload: Workload): string {
    const hosts = {
        Deployment: podsService(name),
        StatefulSet: `${name}-0.${podsService(name)}`,
        LeaderWorkerSet: `${groupName(name)}-0.${groupName(name)}`,
    };
    return hosts[workload];
}

/** Label that only the pod of rank 0 has. */
export function headLabel(name: string, workload: Workload): Record<string, string> {
    const label = {
        Deployment: {},
        StatefulSet: { "statefulset.kubernetes.io/pod-name": `${name}-0` },
        LeaderWorkerSet: { "leaderworkerset.sigs.k8s.io/worker-index": "0" },
    };
    return label[workload];
}
