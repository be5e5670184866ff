import { agentConfigMap, contentName } from "./config-maps.ts";
import { container } from "./container.ts";
import { job } from "./job.ts";
import type { Manifest } from "./manifest.ts";
import { agentCommand, boardPort } from "./paths.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { headOf } from "./workload.ts";

/** The job that ends as the gate of one revision does: it is what fails an update whose pod went back to the revision before. */
export function verdictJob(plan: PoolServicePlan): Manifest {
    const { name, restartDigest, place, workload, budgets } = plan;
    const board = `http://${headOf(name, workload)}:${boardPort}`;
    const words = ["--board", board, "--generation", restartDigest, "--seconds", String(budgets.progressDeadline)];
    const resources = {
        requests: { cpu: "50m", memory: "64Mi", "ephemeral-storage": "16Mi" },
        limits: { memory: "256Mi", "ephemeral-storage": "64Mi" },
    };
    const agentMap = agentConfigMap(name, "server").metadata.name;
    return job(name, "verdict", {
        name: contentName(`${name}-verdict`, [restartDigest, agentMap]),
        pool: place.pool,
        agentMap,
        container: container("verdict", place.build.image, agentCommand("verdict", ...words), [], { resources }),
        volumes: [],
        retries: 0,
        seconds: budgets.wait,
    });
}
