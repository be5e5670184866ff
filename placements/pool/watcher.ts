import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { container } from "./container.ts";
import { job } from "./job.ts";
import { type Job, labels, type RbacRole, type Role, type RoleBinding, type ServiceAccount } from "./manifest.ts";
import { agentCommand } from "./paths.ts";
import type { Pool } from "./pool.ts";

/** Roles of the pods that watch others. */
export type Watcher = Extract<Role, "arrival" | "prepared" | "verdict">;

/**
 * Seconds after which a watching job is ended from outside; by then it has told its reason, `seconds` after its start. `start` is
 * what its pod is given to start, its image included.
 */
export function watcherDeadline(seconds: number, start = 600): number {
    return seconds + start;
}

/**
 * A job that waits for other pods and ends as they do, with the reason where they do not come up. It is what an update waits
 * for: the provider itself is told nothing of a pod that is not scheduled, or not even made (seen with 4.34.2).
 *
 * It prefers the pool's nodes, where its image is, and needs none of them: it has to say so when the pool has none.
 */
export function watcherJob(
    instance: string,
    role: Watcher,
    args: {
        readonly pool: Pool;
        readonly agentMap: string;
        readonly image: string;
        /** What it is to do, less its time: `serve …`. */
        readonly words: readonly string[];
        /** Its time, once it has started. */
        readonly seconds: number;
        /** Seconds until it is ended from outside. */
        readonly deadline: number;
    },
): Job {
    const resources = {
        requests: { cpu: "50m", memory: "64Mi", "ephemeral-storage": "16Mi" },
        limits: { cpu: "1", memory: "256Mi", "ephemeral-storage": "64Mi" },
    };
    const command = agentCommand(...args.words, "--seconds", String(args.seconds));
    return job(instance, role, {
        prefix: `${instance}-${role}`,
        where: anywhere(args.pool),
        agentMap: args.agentMap,
        container: container(role, args.image, command, [], { resources }),
        volumes: [],
        anyImage: role === "arrival",
        retries: 0,
        seconds: args.deadline,
        account: accountName(instance, role === "arrival" ? role : "verdict"),
    });
}

function anywhere({ nodeSelector, tolerations }: Pool): Partial<types.input.core.v1.PodSpec> {
    const matchExpressions = Object.entries(nodeSelector).map(([key, value]) => ({
        key,
        operator: "In",
        values: [value],
    }));
    const preferred = [{ weight: 100, preference: { matchExpressions } }];
    return {
        tolerations: [...tolerations, { operator: "Exists", effect: "NoSchedule" }],
        ...(matchExpressions.length === 0
            ? {}
            : { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } }),
    };
}

/**
 * The same job, told which state of which object it is about: whatever has that written anew, also a hand's edit that
 * `pulumi up --refresh` takes back, has it watched anew.
 */
export function aboutObject(watcher: Job, state: pulumi.Input<string>): pulumi.Inputs {
    const spec = watcher.spec as types.input.batch.v1.JobSpec & { template: { spec: types.input.core.v1.PodSpec } };
    const [first] = spec.template.spec.containers as types.input.core.v1.Container[];
    const told = { ...first, env: [{ name: "SGLANG_APPLIED", value: state }] };
    const template = { ...spec.template, spec: { ...spec.template.spec, containers: [told] } };
    return { ...watcher, spec: { ...spec, template } };
}

function accountName(instance: string, role: Watcher): string {
    return `${instance}-${role}`;
}

/** The only access to the Kubernetes API that is given: to look at the pods and events of the namespace, and at what makes the pods. */
export function watcherRights(
    instance: string,
    role: Watcher,
    rules: readonly types.input.rbac.v1.PolicyRule[],
): [account: ServiceAccount, role: RbacRole, binding: RoleBinding] {
    const metadata = { name: accountName(instance, role), labels: labels(instance, role) };
    const group = "rbac.authorization.k8s.io";
    return [
        { apiVersion: "v1", kind: "ServiceAccount", metadata },
        {
            apiVersion: `${group}/v1`,
            kind: "Role",
            metadata,
            rules: [{ apiGroups: [""], resources: ["events", "pods"], verbs: ["list"] }, ...rules],
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
