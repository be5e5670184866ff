import { agentConfigMap } from "./config-maps.ts";
import { container } from "./container.ts";
import { job } from "./job.ts";
import { type Job, labels, type RbacRole, type RoleBinding, type ServiceAccount, selector } from "./manifest.ts";
import { agentCommand, boardPort } from "./paths.ts";
import { rolloutDigest } from "./server-pod.ts";
import type { PoolServicePlan } from "./service-plan.ts";

/**
 * The job that ends as the gate of one revision does, and the one thing that an update waits for: it fails with the
 * gate's reason, or with that of a pod which does not come up.
 */
export function verdictJob(plan: PoolServicePlan): Job {
    const { name, restartDigest, place, budgets } = plan;
    const rollout = rolloutDigest(plan);
    const pods = Object.entries(selector(name, "server")).map(([key, value]) => `${key}=${value}`);
    const words = ["--selector", pods.join(","), "--rollout", rollout, "--generation", restartDigest];
    const times = ["--port", String(boardPort), "--seconds", String(budgets.progressDeadline)];
    const resources = {
        requests: { cpu: "50m", memory: "64Mi", "ephemeral-storage": "16Mi" },
        limits: { memory: "256Mi", "ephemeral-storage": "64Mi" },
    };
    return job(name, "verdict", {
        name: `${name}-verdict-${rollout}`,
        pool: place.pool,
        agentMap: agentConfigMap(name, "server").metadata.name,
        container: container("verdict", place.build.image, agentCommand("verdict", ...words, ...times), [], {
            resources,
        }),
        volumes: [],
        retries: 0,
        seconds: budgets.wait,
        account: accountName(name),
    });
}

function accountName(name: string): string {
    return `${name}-verdict`;
}

/** The only access to the Kubernetes API that is given: the verdict's job may list the pods of its namespace. */
export function verdictRights({
    name,
}: PoolServicePlan): [account: ServiceAccount, role: RbacRole, binding: RoleBinding] {
    const metadata = { name: accountName(name), labels: labels(name, "verdict") };
    const group = "rbac.authorization.k8s.io";
    return [
        { apiVersion: "v1", kind: "ServiceAccount", metadata },
        {
            apiVersion: `${group}/v1`,
            kind: "Role",
            metadata,
            rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }],
        },
        {
            apiVersion: `${group}/v1`,
            kind: "RoleBinding",
            metadata,
            roleRef: { apiGroup: group, kind: "Role", name: metadata.name },
            subjects: [{ kind: "ServiceAccount", name: metadata.name }],
        },
    ];
}
