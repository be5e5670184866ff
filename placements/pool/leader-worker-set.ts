import type { types } from "@pulumi/kubernetes";
import type { Metadata } from "./metadata.ts";

/** A LeaderWorkerSet, as far as it is used here; its own controller defines it (leaderworkerset.x-k8s.io/v1). */
export interface LeaderWorkerSet {
    readonly apiVersion: "leaderworkerset.x-k8s.io/v1";
    readonly kind: "LeaderWorkerSet";
    readonly metadata: Metadata;
    readonly spec: {
        /** Groups. */
        readonly replicas: number;
        readonly rolloutStrategy: {
            readonly type: "RollingUpdate";
            readonly rollingUpdateConfiguration: { readonly maxSurge: number; readonly maxUnavailable: number };
        };
        /** Whether workers are made with their leader or wait until it is ready. */
        readonly startupPolicy: "LeaderCreated" | "LeaderReady";
        readonly leaderWorkerTemplate: {
            /** Whether a container that ends takes its group along. */
            readonly restartPolicy: "None" | "RecreateGroupOnPodRestart";
            /** Pods of a group, the leader among them. */
            readonly size: number;
            readonly workerTemplate: types.input.core.v1.PodTemplateSpec;
        };
    };
}
