import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { fingerprintOf, type SecretInCluster, type SecretValue } from "../secret-source.ts";
import type { GpuPool } from "./gpu-pool.ts";
import { labels, type Role } from "./manifest.ts";

/** A secret as pods of a pool refer to it. */
export interface PoolSecret {
    /** Name of the Secret. */
    readonly secret: pulumi.Output<string>;
    /** Key inside it. */
    readonly key: string;
    /** The Secret, where it was made here. */
    readonly resource?: pulumi.Resource;
}

/**
 * A Secret that is there already, by name, or one that is made of a value. Pods name it; its text is in no manifest.
 *
 * With `named: "content"` a new value is a new Secret, so that whatever mounts it is rolled; with `"slot"` it is the same
 * Secret with another value, which touches nothing else.
 */
export function poolSecret(
    parent: pulumi.Resource,
    { instance, role, slot, named }: { instance: string; role: Role; slot: string; named: "content" | "slot" },
    pool: GpuPool,
    source: SecretValue | SecretInCluster,
): PoolSecret {
    const name = `${instance}-${slot}`;
    if ("kubernetesSecret" in source) {
        return { secret: pulumi.output(source.kubernetesSecret), key: source.key ?? "token" };
    }
    const key = "token";
    const secret =
        named === "slot"
            ? pulumi.output(name)
            : pulumi.unsecret(
                  pulumi
                      .all([source.value, pool.namespace])
                      .apply(([value, namespace]) => `${name}-${fingerprintOf(value, `${namespace}/${name}`)}`),
              );
    const resource = new kubernetes.core.v1.Secret(
        name,
        {
            metadata: { name: secret, namespace: pool.namespace, labels: labels(instance, role) },
            stringData: { [key]: pulumi.secret(source.value) },
        },
        { parent, provider: pool.provider },
    );
    return { secret, key, resource };
}
