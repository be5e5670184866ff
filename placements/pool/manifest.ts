import type { types } from "@pulumi/kubernetes";
import type { LeaderWorkerSet } from "./leader-worker-set.ts";
import type { Metadata } from "./metadata.ts";

/** A kind of object as its provider types it, with kind and metadata that can be read, and without a state. */
type Applied<T extends { apiVersion?: unknown; kind?: unknown }> = Omit<
    T,
    "apiVersion" | "kind" | "metadata" | "status"
> & {
    readonly apiVersion: Extract<T["apiVersion"], string>;
    readonly kind: Extract<T["kind"], string>;
    readonly metadata: Metadata;
};

export type ConfigMap = Applied<types.input.core.v1.ConfigMap>;
export type Deployment = Applied<types.input.apps.v1.Deployment>;
export type Job = Applied<types.input.batch.v1.Job>;
export type NetworkPolicy = Applied<types.input.networking.v1.NetworkPolicy>;
export type PersistentVolumeClaim = Applied<types.input.core.v1.PersistentVolumeClaim>;
export type PodDisruptionBudget = Applied<types.input.policy.v1.PodDisruptionBudget>;
export type RbacRole = Applied<types.input.rbac.v1.Role>;
export type RoleBinding = Omit<Applied<types.input.rbac.v1.RoleBinding>, "subjects"> & {
    readonly subjects: types.input.rbac.v1.Subject[];
};
export type Service = Applied<types.input.core.v1.Service>;
export type ServiceAccount = Applied<types.input.core.v1.ServiceAccount>;
export type StatefulSet = Applied<types.input.apps.v1.StatefulSet>;

/** The kinds of object that keep a server's pods. */
export type WorkloadManifest = Deployment | StatefulSet | LeaderWorkerSet;

/** A Kubernetes object as it is applied. */
export type Manifest =
    | ConfigMap
    | Job
    | NetworkPolicy
    | PersistentVolumeClaim
    | PodDisruptionBudget
    | RbacRole
    | RoleBinding
    | Service
    | ServiceAccount
    | WorkloadManifest;

/** A manifest in a namespace. */
export function inNamespace(manifest: Manifest, namespace: string): Manifest {
    const placed = { ...manifest, metadata: { ...manifest.metadata, namespace } };
    return placed.kind === "RoleBinding"
        ? { ...placed, subjects: placed.subjects.map((subject) => ({ ...subject, namespace })) }
        : placed;
}

/** What a pod does. */
export type Role = "arrival" | "prepare" | "prepared" | "server" | "verdict" | "weights";

/** Labels of everything that belongs to one service or model. */
export function labels(instance: string, role: Role): Record<string, string> {
    return {
        "app.kubernetes.io/component": role,
        "app.kubernetes.io/instance": instance,
        "app.kubernetes.io/managed-by": "pulumi-sglang",
        "app.kubernetes.io/name": "sglang",
    };
}

/** Marks pods that mount a claim, so that a pod which fills it can go where they are. */
export function claimLabel(claim: string): Record<string, string> {
    return { "pulumi-sglang/claim": claim };
}

/** The labels that select pods: a part of {@link labels} that never changes, since selectors cannot. */
export function selector(instance: string, role: Role): Record<string, string> {
    return { "app.kubernetes.io/component": role, "app.kubernetes.io/instance": instance };
}
