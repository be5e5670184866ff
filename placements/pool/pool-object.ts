import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { isLater } from "../component.ts";
import type { GpuPool } from "./gpu-pool.ts";
import { inNamespace, type Manifest } from "./manifest.ts";

type Constructor = new (
    name: string,
    args: Record<string, unknown>,
    opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/** Constructor of each kind, and the fields that it takes beside the metadata. */
const kinds = {
    ConfigMap: [kubernetes.core.v1.ConfigMap, "immutable", "data", "binaryData"],
    Deployment: [kubernetes.apps.v1.Deployment, "spec"],
    Job: [kubernetes.batch.v1.Job, "spec"],
    NetworkPolicy: [kubernetes.networking.v1.NetworkPolicy, "spec"],
    PersistentVolumeClaim: [kubernetes.core.v1.PersistentVolumeClaim, "spec"],
    PodDisruptionBudget: [kubernetes.policy.v1.PodDisruptionBudget, "spec"],
    Role: [kubernetes.rbac.v1.Role, "rules"],
    RoleBinding: [kubernetes.rbac.v1.RoleBinding, "roleRef", "subjects"],
    Service: [kubernetes.core.v1.Service, "spec"],
    ServiceAccount: [kubernetes.core.v1.ServiceAccount],
    StatefulSet: [kubernetes.apps.v1.StatefulSet, "spec"],
} satisfies Record<string, [unknown, ...string[]]>;

/** Kind of a pool's object; a custom resource is `LeaderWorkerSet`. */
export type PoolKind = keyof typeof kinds | "LeaderWorkerSet";

/** Options of a pool's object, beside those of any resource. */
export interface PoolObjectOptions extends pulumi.CustomResourceOptions {
    /** Annotations by which the provider is told how to wait. */
    readonly waiting?: Record<string, string>;
    /** Adds what only another object can tell, so that a preview knows all the rest. */
    readonly late?: (manifest: Manifest) => pulumi.Inputs;
}

/** Makes an object of one service or model; `role` is the end of its name in the stack. */
export type MakeObject = (
    role: string,
    kind: PoolKind,
    manifest: pulumi.Input<Manifest>,
    opts?: PoolObjectOptions,
) => pulumi.CustomResource;

/** Makes the objects of one service or model in a pool's namespace, from manifests: the one place that calls the Kubernetes provider. */
export function objectsOf(parent: pulumi.Resource, name: string, pool: GpuPool): MakeObject {
    return (role, kind, manifest, { waiting, late = (known: Manifest): pulumi.Inputs => known, ...opts } = {}) => {
        const whole = pulumi.all([manifest, pool.namespace]).apply(([{ metadata, ...rest }, namespace]) =>
            inNamespace(
                {
                    ...rest,
                    metadata: { ...metadata, annotations: { ...metadata.annotations, ...ownedHere(), ...waiting } },
                } as Manifest,
                namespace,
            ),
        );
        const { resourceName, aliases } = named(`${name}-${role}`, kind, manifest);
        const metadata = whole.apply((object) => object.metadata);
        const field = (key: string) => whole.apply((object) => (late(object) as pulumi.Inputs)[key]);
        const merged = pulumi.mergeOptions({ parent, provider: pool.provider, aliases }, opts);
        if (kind === "LeaderWorkerSet") {
            const apiVersion = "leaderworkerset.x-k8s.io/v1";
            const args = { apiVersion, kind, metadata, spec: field("spec") };
            return new kubernetes.apiextensions.CustomResource(resourceName, args, merged);
        }
        const [make, ...fields] = kinds[kind] as [unknown, ...string[]];
        const content = Object.fromEntries(fields.map((key) => [key, field(key)]));
        return new (make as Constructor)(resourceName, { metadata, ...content }, merged);
    };
}

/**
 * A ConfigMap that is named by its content is a resource of its own: one of another content is made beside it, and it goes when
 * all went well. Were it the same resource, replaced, a failed update would leave the old one as due to be deleted, and so delete
 * it under whoever goes back to it.
 */
function named(plain: string, kind: PoolKind, manifest: pulumi.Input<Manifest>) {
    if (kind !== "ConfigMap" || isLater(manifest)) {
        return { resourceName: plain };
    }
    return { resourceName: (manifest as Manifest).metadata.name, aliases: [{ name: plain }] };
}

/**
 * Says which stack an object belongs to. Another stack that makes an object of the same name is refused: the API server takes no
 * second value of a field that somebody else applied.
 */
export function ownedHere(): Record<string, string> {
    return { "pulumi-sglang/owner": `${pulumi.getProject()}/${pulumi.getStack()}` };
}

/** For objects whose state says nothing that is waited for here: a Service has no endpoint until its server is proved. */
export const doNotWait = { "pulumi.com/skipAwait": "true" };

/**
 * For workloads, which the verdict's job waits for: being there is enough. The provider's own waiting takes a `Recreate` for
 * done while the old pod still runs, and has no reason for a pod that is not scheduled (both seen with 4.34.2).
 */
export const waitForObject = { "pulumi.com/waitFor": "jsonpath={.metadata.uid}" };

/**
 * For jobs that need no second run for another image. One that is made anew for another reason has the new image: the engine
 * ignores changes of what it updates, not of what it replaces.
 */
export const keepImage = { ignoreChanges: ["spec.template.spec.containers[0].image"] };

/** For jobs: one that failed is made again by the next update. */
export const replaceFailed = { "pulumi.com/replaceUnready": "true" };

/** The same limit for every operation on an object, seconds. */
export function timeouts(seconds: number): pulumi.CustomTimeouts {
    const text = `${seconds}s`;
    return { create: text, update: text, delete: text };
}
