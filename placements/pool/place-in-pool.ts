import * as pulumi from "@pulumi/pulumi";
import { endpointOf, startupBudgetSeconds } from "../../knowledge/service/process.ts";
import { isLater, once } from "../component.ts";
import type { Judged } from "../judge.ts";
import type { ServiceRequest } from "../placement.ts";
import type { Placed, ServiceToPlace } from "../resources.ts";
import type { SecretInCluster, SecretValue } from "../secret-source.ts";
import { type Budgets, budgets } from "./budgets.ts";
import { agentConfigMap, settingsConfigMap, stageConfigMap } from "./config-maps.ts";
import { type GpuPool, namespaceOf, type PoolPlacement, poolForManifests } from "./gpu-pool.ts";
import { clientService, disruptionBudget, networkPolicy, podsServiceManifest } from "./network.ts";
import { type PoolTarget, placeInPool } from "./placement.ts";
import { doNotWait, objectsOf, replaceFailed, timeouts, waitForObject } from "./pool-object.ts";
import { poolSecret } from "./pool-secret.ts";
import { preparedJob, prepareJob } from "./prepare-job.ts";
import { type PoolApiKey, type PoolServicePlan, poolServicePlan } from "./service-plan.ts";
import { verdictJob, verdictRights } from "./verdict-job.ts";
import { rightsInPool, watcherInPool } from "./watcher-in-pool.ts";
import { workloadOf } from "./workload.ts";
import { workloadManifest } from "./workloads.ts";

/** Runs a service in a node pool: its workload, and the job that fails the update when the gate says no. */
export function placeServiceInPool(
    parent: pulumi.Resource,
    { pool, nodes = 1 }: PoolPlacement,
    { name, judged, decided, apiKey, now, image, after }: ServiceToPlace,
): Placed {
    const { resolved, spec } = judged;
    const slot = { instance: name, role: "server", slot: "api-key" } as const;
    const key = apiKey && poolSecret(parent, slot, pool, apiKey as SecretValue | SecretInCluster);
    const planOf = ({ request, spec, resolved }: Judged, image: string | undefined, held: Partial<PoolApiKey>) => {
        const build = image === undefined ? request.build : { ...request.build, image };
        const { secret } = held;
        const apiKey = key && secret !== undefined ? { ...held, secret, key: key.key } : undefined;
        const placed = { ...request, build } as ServiceRequest<PoolTarget>;
        return poolServicePlan(resolved, placeInPool(placed, spec.nodes, apiKey));
    };
    const plan = pulumi
        .all([decided, image, key?.secret, key?.fingerprint])
        .apply(([decide, image, secret, fingerprint]) =>
            planOf(decide(), image, { ...(secret ? { secret } : {}), ...(fingerprint ? { fingerprint } : {}) }),
        );
    const secret = key?.secret;
    const settled =
        now === undefined || isLater(secret) ? undefined : planOf(judged, now.image, secret ? { secret } : {});
    const proved = makeObjects(parent, name, pool, plan, settled, {
        kind: workloadOf(poolForManifests(pool), nodes),
        times: budgets(startupBudgetSeconds(spec.fields), resolved.gate.timeoutSeconds),
        before: [...after, ...(key?.resource ? [key.resource] : [])],
    });
    const { port } = endpointOf(resolved.settings);
    return {
        endpoint: once(
            [proved],
            namespaceOf(pool).apply((namespace) => `http://${name}.${namespace}.svc:${port}`),
        ),
        launchCommand: plan.apply(({ argv }) => [...argv]),
    };
}

function makeObjects(
    parent: pulumi.Resource,
    name: string,
    pool: GpuPool,
    plan: pulumi.Output<PoolServicePlan>,
    /** The plan when the program runs, where that knows it, but for what only the pods carry. */
    settled: PoolServicePlan | undefined,
    workload: { kind: PoolServicePlan["workload"]; times: Budgets; before: pulumi.Resource[] },
): pulumi.CustomResource {
    const make = objectsOf(parent, name, pool);
    const agent = make("agent", "ConfigMap", agentConfigMap(name, "server"), { hideDiffs: ["binaryData"] });
    const stage = make("build", "ConfigMap", settled ? stageConfigMap(settled) : plan.apply(stageConfigMap), {
        hideDiffs: ["data"],
    });
    const settings = make(
        "settings",
        "ConfigMap",
        settled ? settingsConfigMap(settled) : plan.apply(settingsConfigMap),
    );
    const network = [
        make("client", "Service", plan.apply(clientService), { waiting: doNotWait }),
        make("pods", "Service", plan.apply(podsServiceManifest), { waiting: doNotWait }),
        make("policy", "NetworkPolicy", plan.apply(networkPolicy)),
        make("budget", "PodDisruptionBudget", plan.apply(disruptionBudget)),
    ];
    const rights = rightsInPool(make, "verdict", plan.apply(verdictRights));
    const before = [agent, stage, settings, ...rights, ...workload.before];
    const prepare = make("prepare", "Job", plan.apply(prepareJob), {
        deleteBeforeReplace: true,
        waiting: replaceFailed,
        customTimeouts: timeouts(workload.times.prepare + 60),
        dependsOn: before,
    });
    const prepared = watcherInPool(make, "prepared", {
        job: plan.apply(preparedJob),
        after: before,
        seconds: workload.times.prepare + 60,
    });
    const server = make("server", workload.kind, plan.apply(workloadManifest), {
        customTimeouts: timeouts(workload.times.wait),
        waiting: waitForObject,
        // A Deployment's strategy cannot be changed in place (kubernetes/kubernetes#24198): one of the other kind takes its place.
        replaceOnChanges: ["spec.strategy.type"],
        deleteBeforeReplace: true,
        dependsOn: [prepare, prepared, ...network],
    });
    return watcherInPool(make, "verdict", {
        job: plan.apply(verdictJob),
        after: [server],
        watched: server,
        seconds: workload.times.wait,
    });
}
