import type { LeaderWorkerSet } from "./leader-worker-set.ts";
import { type Deployment, labels, type StatefulSet, selector, type WorkloadManifest } from "./manifest.ts";
import { serverPod } from "./server-pod.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { groupName, podsService } from "./workload.ts";

/**
 * One pod on one node. `Recreate` never needs a spare GPU: the old pod ends, then the new one starts. Revisions are not
 * kept: the ConfigMaps that an old one names are gone.
 */
export function deployment(plan: PoolServicePlan): Deployment {
    const { name, budgets, place } = plan;
    const surge = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, labels: labels(name, "server") },
        spec: {
            replicas: 1,
            revisionHistoryLimit: 0,
            progressDeadlineSeconds: budgets.progressDeadline,
            selector: { matchLabels: selector(name, "server") },
            strategy: place.pool.spareGpus ? surge : { type: "Recreate" },
            template: serverPod(plan),
        },
    };
}

/** One server over several nodes, a pod on each. All start at once, since none is complete without the others. */
export function statefulSet(plan: PoolServicePlan): StatefulSet {
    const { name, place } = plan;
    return {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name, labels: labels(name, "server") },
        spec: {
            replicas: place.gpus.length,
            podManagementPolicy: "Parallel",
            revisionHistoryLimit: 0,
            selector: { matchLabels: selector(name, "server") },
            serviceName: podsService(name),
            updateStrategy: { type: "RollingUpdate" },
            template: serverPod(plan),
        },
    };
}

/**
 * The same as a LeaderWorkerSet. A container that ends is started again in its pod and the group is kept: the agents
 * find together again, and a new group would forget what the gate said.
 */
export function leaderWorkerSet(plan: PoolServicePlan): LeaderWorkerSet {
    const { name, place } = plan;
    return {
        apiVersion: "leaderworkerset.x-k8s.io/v1",
        kind: "LeaderWorkerSet",
        metadata: { name: groupName(name), labels: labels(name, "server") },
        spec: {
            replicas: 1,
            rolloutStrategy: {
                type: "RollingUpdate",
                rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1 },
            },
            startupPolicy: "LeaderCreated",
            leaderWorkerTemplate: {
                restartPolicy: "None",
                size: place.gpus.length,
                workerTemplate: serverPod(plan),
            },
        },
    };
}

/** The workload of a service. */
export function workloadManifest(plan: PoolServicePlan): WorkloadManifest {
    const make = { Deployment: deployment, StatefulSet: statefulSet, LeaderWorkerSet: leaderWorkerSet };
    return make[plan.workload](plan);
}
