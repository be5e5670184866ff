import type { types } from "@pulumi/kubernetes";
import { agentVolumes } from "./container.ts";
import { type Job, labels, type Role } from "./manifest.ts";
import { type Pool, podBase } from "./pool.ts";
import { podSecurityContext } from "./security.ts";

/** A job of the agent's: one container, on a node of the pool, because the image is there already and local storage is too. */
export function job(
    instance: string,
    role: Role,
    args: {
        readonly name: string;
        readonly pool: Pool;
        readonly agentMap: string;
        readonly container: types.input.core.v1.Container;
        readonly volumes: readonly types.input.core.v1.Volume[];
        /** Attempts after the first. */
        readonly retries: number;
        /** Seconds for all attempts. */
        readonly seconds: number;
        /** Service account, for a job that asks the Kubernetes API. */
        readonly account?: string;
    },
): Job {
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: args.name, labels: labels(instance, role) },
        spec: {
            activeDeadlineSeconds: args.seconds,
            backoffLimit: args.retries,
            template: {
                metadata: { labels: labels(instance, role) },
                spec: {
                    ...podBase(args.pool),
                    ...(args.account ? { serviceAccountName: args.account, automountServiceAccountToken: true } : {}),
                    restartPolicy: "Never",
                    securityContext: podSecurityContext,
                    containers: [args.container],
                    volumes: [...agentVolumes(args.agentMap, "1Gi"), ...args.volumes],
                },
            },
        },
    };
}
