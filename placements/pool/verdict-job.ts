import { agentConfigMap } from "./config-maps.ts";
import { type Job, type RbacRole, type RoleBinding, type ServiceAccount, selector } from "./manifest.ts";
import { boardPort } from "./paths.ts";
import { prepareJob } from "./prepare-job.ts";
import { rolloutDigest } from "./server-pod.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { watcherJob, watcherRights } from "./watcher.ts";
import type { Workload } from "./workload.ts";
import { workloadManifest } from "./workloads.ts";

/**
 * The job that ends well once all that runs is what was asked for and its gate has said yes, and the one thing that an update
 * waits for: it fails with the gate's reason, or with that of a pod which does not come up.
 */
export function verdictJob(plan: PoolServicePlan): Job {
    const { name, restartDigest, place, budgets, workload } = plan;
    const pods = Object.entries(selector(name, "server")).map(([key, value]) => `${key}=${value}`);
    const object = ["--object", `${workload}/${workloadManifest(plan).metadata.name}`, "--selector", pods.join(",")];
    const revision = ["--rollout", rolloutDigest(plan), "--generation", restartDigest];
    return watcherJob(name, "verdict", {
        pool: place.pool,
        agentMap: agentConfigMap(name, "server").metadata.name,
        image: place.build.image,
        words: ["verdict", ...object, ...revision, "--pods", String(place.gpus.length), "--port", String(boardPort)],
        seconds: budgets.verdict,
        deadline: budgets.wait,
    });
}

/** API group, resource and what makes the pods, of each kind of workload. */
const resources: Record<Workload, { group: string; resource: string; makers?: string }> = {
    Deployment: { group: "apps", resource: "deployments", makers: "replicasets" },
    StatefulSet: { group: "apps", resource: "statefulsets" },
    LeaderWorkerSet: { group: "leaderworkerset.x-k8s.io", resource: "leaderworkersets" },
};

/** What that job and the one that watches the preparation may ask of the Kubernetes API. */
export function verdictRights(plan: PoolServicePlan): [account: ServiceAccount, role: RbacRole, binding: RoleBinding] {
    const { group, resource, makers } = resources[plan.workload];
    const resourceNames = [workloadManifest(plan).metadata.name];
    return watcherRights(plan.name, "verdict", [
        { apiGroups: [group], resources: [resource], resourceNames, verbs: ["get"] },
        ...(makers ? [{ apiGroups: [group], resources: [makers], verbs: ["list"] }] : []),
        { apiGroups: ["batch"], resources: ["jobs"], resourceNames: [prepareJob(plan).metadata.name], verbs: ["get"] },
    ]);
}
