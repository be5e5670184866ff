import type { types } from "@pulumi/kubernetes";
import { contentName } from "./config-maps.ts";
import { agentVolumes } from "./container.ts";
import { claimLabel, type Job, labels, type Role } from "./manifest.ts";
import { podBase } from "./pool.ts";
import { podSecurityContext } from "./security.ts";

/**
 * A job of the agent's: one container. Named by its whole content, so that a changed one is made beside the one before and nothing has to be deleted for it.
 */
export function job(
    instance: string,
    role: Role,
    args: {
        /** What its name begins with. */
        readonly prefix: string;
        /** Where it runs: nodes, taints, runtime. */
        readonly where: Partial<types.input.core.v1.PodSpec>;
        readonly agentMap: string;
        readonly container: types.input.core.v1.Container;
        readonly volumes: readonly types.input.core.v1.Volume[];
        /** Attempts after the first. */
        readonly retries: number;
        /** Seconds for all attempts. */
        readonly seconds: number;
        /** Service account, for a job that asks the Kubernetes API. */
        readonly account?: string;
        /** Claim that it fills: it goes where that is mounted already, if it can, since some volumes are on one node at a time. */
        readonly claim?: string;
        /** Whether its image is no part of its name: what was done with one need not be done again with another. */
        readonly anyImage?: boolean;
    },
): Job {
    const marks = args.claim === undefined ? {} : claimLabel(args.claim);
    const spec = {
        activeDeadlineSeconds: args.seconds,
        backoffLimit: args.retries,
        // A pod that had to go with its node says nothing about the job. Whole, as the API server fills it in: a job that a
        // killed update left is then taken over without a conflict.
        podFailurePolicy: {
            rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }],
        },
        template: {
            metadata: { labels: { ...labels(instance, role), ...marks } },
            spec: {
                ...podBase,
                ...args.where,
                ...(args.account ? { serviceAccountName: args.account, automountServiceAccountToken: true } : {}),
                ...(args.claim === undefined ? {} : { affinity: beside(marks) }),
                restartPolicy: "Never",
                securityContext: podSecurityContext,
                containers: [args.container],
                volumes: [...agentVolumes(args.agentMap, "1Gi"), ...args.volumes],
            },
        },
    };
    const { image: _image, ...container } = args.container;
    const named = { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, containers: [container] } } };
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: contentName(args.prefix, args.anyImage ? named : spec), labels: labels(instance, role) },
        spec,
    };
}

/** On the node of pods with these labels, where there are some and it has room. */
function beside(matchLabels: Record<string, string>): types.input.core.v1.Affinity {
    const podAffinityTerm = { labelSelector: { matchLabels }, topologyKey: "kubernetes.io/hostname" };
    return { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } };
}
