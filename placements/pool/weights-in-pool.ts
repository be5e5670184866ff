import * as pulumi from "@pulumi/pulumi";
import type { ModelPlan } from "../../knowledge/artifacts/model-plan.ts";
import type { SecretInCluster, SecretValue } from "../secret-source.ts";
import { downloadSeconds } from "./budgets.ts";
import { agentConfigMap } from "./config-maps.ts";
import { type GpuPool, poolForManifests } from "./gpu-pool.ts";
import { doNotWait, type PoolObjectArgs, poolObject, replaceFailed, timeouts } from "./pool-object.ts";
import { poolSecret } from "./pool-secret.ts";
import { fetchConfigMap, fetchJob, type PoolWeights, weightsClaim } from "./weights.ts";

/** What fills a pool's volume. */
export interface WeightsToFetch {
    readonly model: ModelPlan;
    readonly directory: string;
    readonly image: pulumi.Output<string>;
    readonly storageGiB?: number | undefined;
    readonly token?: SecretValue | SecretInCluster | undefined;
    /** Whether the volume outlives the stack. */
    readonly retain: boolean;
}

/** A claim, and the job that fills it. Gives the job. */
export function weightsInPool(
    parent: pulumi.Resource,
    name: string,
    pool: GpuPool,
    { token, retain, image, ...fetch }: WeightsToFetch,
): pulumi.Resource {
    const slot = { instance: name, role: "weights", slot: "hub-token", named: "slot" } as const;
    const secret = token && poolSecret(parent, slot, pool, token);
    const weights = pulumi.all([secret?.secret, image]).apply(
        ([held, image]): PoolWeights => ({
            ...fetch,
            image,
            name,
            pool: poolForManifests(pool),
            token: secret && held !== undefined ? { secret: held, key: secret.key } : undefined,
        }),
    );
    const make = (
        role: string,
        kind: PoolObjectArgs["kind"],
        manifest: PoolObjectArgs["manifest"],
        opts: pulumi.CustomResourceOptions & { waiting?: Record<string, string> } = {},
    ) => {
        const { waiting, ...rest } = opts;
        return poolObject({ name: `${name}-${role}`, kind, pool, manifest, waiting }, { parent, ...rest });
    };
    const claim = make("weights", "PersistentVolumeClaim", weights.apply(weightsClaim), {
        waiting: doNotWait, // a claim may bind only when its first pod comes
        protect: retain,
        retainOnDelete: retain,
    });
    const agent = make("agent", "ConfigMap", agentConfigMap(name, "weights"), { hideDiffs: ["binaryData"] });
    const files = make("files", "ConfigMap", weights.apply(fetchConfigMap), { hideDiffs: ["data"] });
    return make("fetch", "Job", weights.apply(fetchJob), {
        waiting: replaceFailed,
        // What was fetched with one image need not be fetched again with another.
        ignoreChanges: ["spec.template.spec.containers[0].image"],
        customTimeouts: timeouts(downloadSeconds(fetch.model.bytes ?? 0) + 60),
        dependsOn: [claim, agent, files, ...(secret?.resource ? [secret.resource] : [])],
    });
}
