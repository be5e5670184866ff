import { agentConfigMap } from "./config-maps.ts";
import { container } from "./container.ts";
import { job } from "./job.ts";
import type { Job } from "./manifest.ts";
import { onNodes } from "./pool.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { stageCommand, stageMounts, stageVolumes } from "./stage.ts";
import { watcherJob } from "./watcher.ts";

/**
 * The job that does beforehand, beside what serves and without a GPU, what a server's pod does first: pull the image, apply the
 * patches, ask the parser. What fails here has stopped nothing.
 */
export function prepareJob(plan: PoolServicePlan): Job {
    const { name, place, budgets } = plan;
    const resources = {
        requests: { cpu: "100m", memory: "256Mi", "ephemeral-storage": "64Mi" },
        limits: { memory: "8Gi", "ephemeral-storage": "4Gi" },
    };
    return job(name, "prepare", {
        prefix: `${name}-prepare`,
        where: onNodes(place.pool),
        agentMap: agentConfigMap(name, "server").metadata.name,
        container: container("prepare", place.build.image, stageCommand("--ahead"), stageMounts, {
            resources,
            workingDir: "/tmp",
        }),
        volumes: stageVolumes(plan),
        retries: 0,
        seconds: budgets.prepare,
        claim: place.weights.claim,
    });
}

/** The job that ends as that one does, or says why it does not come to an end. */
export function preparedJob(plan: PoolServicePlan): Job {
    const { name, place, budgets } = plan;
    return watcherJob(name, "prepared", {
        pool: place.pool,
        agentMap: agentConfigMap(name, "server").metadata.name,
        image: place.build.image,
        words: ["arrival", "--job", prepareJob(plan).metadata.name],
        seconds: budgets.prepare,
        deadline: budgets.prepare + 30,
    });
}
