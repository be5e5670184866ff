import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { fingerprintOf, type SecretInCluster, type SecretValue } from "../secret-source.ts";
import type { GpuPool } from "./gpu-pool.ts";
import { labels, type Role } from "./manifest.ts";
import { ownedHere } from "./pool-object.ts";

/** A secret as pods of a pool refer to it. */
export interface PoolSecret {
    /** Name of the Secret. */
    readonly secret: pulumi.Input<string>;
    /** Key inside it. */
    readonly key: string;
    /** The Secret, where it was made here. */
    readonly resource?: pulumi.Resource;
    /** Another text for another value, where it was made here: pods that carry it are rolled. */
    readonly fingerprint?: pulumi.Output<string>;
}

/**
 * A Secret that is there already, by name, or one that is made of a value. Pods name it; its text is in no manifest. A new value
 * comes under the same name: a name of the value would come again with the value of before, and be deleted as that.
 */
export function poolSecret(
    parent: pulumi.Resource,
    { instance, role, slot }: { instance: string; role: Role; slot: string },
    pool: GpuPool,
    source: SecretValue | SecretInCluster,
): PoolSecret {
    const name = `${instance}-${slot}`;
    if ("kubernetesSecret" in source) {
        return { secret: source.kubernetesSecret, key: source.key ?? "token" };
    }
    const key = "token";
    const fingerprint = pulumi.unsecret(
        pulumi
            .all([source.value, pool.namespace])
            .apply(([value, namespace]) => fingerprintOf(value, `${namespace}/${name}`)),
    );
    const resource = new kubernetes.core.v1.Secret(
        name,
        {
            metadata: { name, namespace: pool.namespace, labels: labels(instance, role), annotations: ownedHere() },
            stringData: { [key]: pulumi.secret(source.value) },
        },
        { parent, provider: pool.provider },
    );
    return { secret: name, key, resource, fingerprint };
}
