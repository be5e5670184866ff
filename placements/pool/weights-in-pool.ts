import * as pulumi from "@pulumi/pulumi";
import type { ModelPlan } from "../../knowledge/artifacts/model-plan.ts";
import type { SecretInCluster, SecretValue } from "../secret-source.ts";
import { arrivalSeconds } from "./budgets.ts";
import { agentConfigMap } from "./config-maps.ts";
import { type GpuPool, poolForManifests } from "./gpu-pool.ts";
import { doNotWait, keepImage, objectsOf, replaceFailed, waitForObject } from "./pool-object.ts";
import { poolSecret } from "./pool-secret.ts";
import { rightsInPool, watcherInPool } from "./watcher-in-pool.ts";
import { arrivalJob, arrivalRights, fetchConfigMap, fetchJob, type PoolWeights, weightsClaim } from "./weights.ts";

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

/** A claim, the job that fills it, and the one that says how that goes. Gives the latter. */
export function weightsInPool(
    parent: pulumi.Resource,
    name: string,
    pool: GpuPool,
    { token, retain, image, ...fetch }: WeightsToFetch,
): pulumi.Resource {
    const slot = { instance: name, role: "weights", slot: "hub-token" } as const;
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
    const make = objectsOf(parent, name, pool);
    const claim = make("weights", "PersistentVolumeClaim", weights.apply(weightsClaim), {
        waiting: doNotWait, // a claim may bind only when its first pod comes
        protect: retain,
        retainOnDelete: retain,
    });
    const agent = make("agent", "ConfigMap", agentConfigMap(name, "weights"), { hideDiffs: ["binaryData"] });
    const files = make("files", "ConfigMap", fetchConfigMap({ ...fetch, name, token }), { hideDiffs: ["data"] });
    const job = make("fetch", "Job", weights.apply(fetchJob), {
        deleteBeforeReplace: true,
        ...keepImage,
        waiting: { ...waitForObject, ...replaceFailed },
        dependsOn: [claim, agent, files, ...(secret?.resource ? [secret.resource] : [])],
    });
    return watcherInPool(make, "arrival", {
        job: weights.apply(arrivalJob),
        after: [job, ...rightsInPool(make, "arrival", weights.apply(arrivalRights))],
        seconds: arrivalSeconds(fetch.model.bytes ?? 0).wait,
    });
}
