import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Manifest } from "../../knowledge/kubernetes/manifest.ts";
import type { GpuPool } from "./gpu-pool.ts";

type Constructor = new (
    name: string,
    args: Record<string, unknown>,
    opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

const kinds = {
    ConfigMap: kubernetes.core.v1.ConfigMap,
    Deployment: kubernetes.apps.v1.Deployment,
    Job: kubernetes.batch.v1.Job,
    NetworkPolicy: kubernetes.networking.v1.NetworkPolicy,
    PersistentVolumeClaim: kubernetes.core.v1.PersistentVolumeClaim,
    PodDisruptionBudget: kubernetes.policy.v1.PodDisruptionBudget,
    Service: kubernetes.core.v1.Service,
    StatefulSet: kubernetes.apps.v1.StatefulSet,
} satisfies Record<string, unknown>;

/** What a pool's object is made of. */
export interface PoolObjectArgs {
    /** Name of the resource in the stack. */
    readonly name: string;
    /** Kind of the manifest; a custom resource is `LeaderWorkerSet`. */
    readonly kind: keyof typeof kinds | "LeaderWorkerSet";
    readonly pool: GpuPool;
    readonly manifest: pulumi.Input<Manifest>;
    /** Annotations by which the provider is told how to wait. */
    readonly waiting?: Record<string, string>;
}

/** Makes one object of a pool's namespace from its manifest: the one place that calls the Kubernetes provider. */
export function poolObject(
    { name, kind, pool, manifest, waiting }: PoolObjectArgs,
    opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
    const whole = pulumi.output(manifest);
    const metadata = pulumi.all([whole, pool.namespace]).apply(([{ metadata }, namespace]) => ({
        ...metadata,
        namespace,
        ...(waiting ? { annotations: { ...metadata.annotations, ...waiting } } : {}),
    }));
    const content =
        kind === "ConfigMap"
            ? {
                  immutable: true,
                  data: whole.apply(({ data }) => data),
                  binaryData: whole.apply(({ binaryData }) => binaryData),
              }
            : { spec: whole.apply(({ spec }) => spec) };
    const merged = pulumi.mergeOptions({ provider: pool.provider }, opts);
    if (kind === "LeaderWorkerSet") {
        const apiVersion = "leaderworkerset.x-k8s.io/v1";
        return new kubernetes.apiextensions.CustomResource(name, { apiVersion, kind, metadata, ...content }, merged);
    }
    return new (kinds[kind] as unknown as Constructor)(name, { metadata, ...content }, merged);
}

/** For objects whose state says nothing that is waited for here: a Service has no endpoint until its server is proved. */
export const doNotWait = { "pulumi.com/skipAwait": "true" };

/** For jobs: one that failed is made again by the next update. */
export const replaceFailed = { "pulumi.com/replaceUnready": "true" };

/** The same limit for every operation on an object, seconds. */
export function timeouts(seconds: number): pulumi.CustomTimeouts {
    const text = `${seconds}s`;
    return { create: text, update: text, delete: text };
}
