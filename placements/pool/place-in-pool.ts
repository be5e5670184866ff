import * as pulumi from "@pulumi/pulumi";
import type { Problem } from "../../knowledge/base/settings.ts";
import { startupBudgetSeconds } from "../../knowledge/service/process.ts";
import { invalid } from "../component.ts";
import type { Placed, ServiceToPlace } from "../placement.ts";
import { budgets } from "./budgets.ts";
import { agentConfigMap, settingsConfigMap, stageConfigMap } from "./config-maps.ts";
import { type GpuPool, poolForManifests } from "./gpu-pool.ts";
import { clientService, disruptionBudget, networkPolicy, podsServiceManifest } from "./network.ts";
import { doNotWait, type PoolObjectArgs, poolObject, replaceFailed, timeouts, waitForObject } from "./pool-object.ts";
import { poolSecret } from "./pool-secret.ts";
import { type PoolServicePlan, poolServicePlan } from "./service-plan.ts";
import { verdictJob, verdictRights } from "./verdict-job.ts";
import { claimName } from "./weights.ts";
import { workloadOf } from "./workload.ts";
import { workloadManifest } from "./workloads.ts";

/** Runs a service in a node pool: its workload, and the job that fails the update when the gate says no. */
export function placeInPool(parent: pulumi.Resource, name: string, pool: GpuPool, place: ServiceToPlace): Placed {
    const problems = poolProblems(pool, place);
    if (problems.length > 0) {
        throw invalid("InferenceService", name, problems);
    }
    const { service, spec, build, cache, apiKey } = place;
    const slot = { instance: name, role: "server", slot: "api-key", named: "content" } as const;
    const key = apiKey && poolSecret(parent, slot, pool, apiKey);
    const gpus = spec.nodes.map((node) => node.gpus.length);
    const manifestPool = poolForManifests(pool);
    const plan = pulumi.all([key?.secret, cache.path, cache.manifestDigest]).apply(([secret, path, manifestDigest]) =>
        poolServicePlan(service, {
            pool: manifestPool,
            build: build.planForPool(),
            weights: { claim: claimName(cache.name), directory: cache.directory, path, manifestDigest },
            gpus,
            apiKey: key && secret !== undefined ? { secret, key: key.key } : undefined,
            startupBudgetSeconds: startupBudgetSeconds(spec.fields),
        }),
    );
    const proved = makeObjects(parent, name, pool, plan, {
        kind: workloadOf(manifestPool, gpus.length),
        seconds: waitSeconds(place),
        before: [cache, ...(key?.resource ? [key.resource] : [])],
    });
    const port = Number(service.settings.port?.value ?? 30000);
    return {
        endpoint: pulumi
            .all([pool.namespace, proved.urn])
            .apply(([namespace]) => `http://${name}.${namespace}.svc:${port}`),
        launchCommand: plan.apply(({ argv }) => [...argv]),
    };
}

/** Every operation on a workload or its verdict ends by then, seconds. */
function waitSeconds({ service, spec }: ServiceToPlace): number {
    return budgets(startupBudgetSeconds(spec.fields), service.gate.timeoutSeconds).wait;
}

/** What a pool cannot do for a service. */
function poolProblems(pool: GpuPool, { spec, build, cache }: ServiceToPlace): Problem[] {
    const problems: Problem[] = [];
    if (build.image === undefined && !pulumi.runtime.isDryRun()) {
        problems.push({ path: "build", message: "a pool needs an `image` by digest" });
    }
    if (cache.pool !== pool) {
        problems.push({ path: "cache", message: "the model's cache must be in the same pool" });
    }
    if (spec.nodes.length > 1 && pool.storage?.accessMode !== "ReadWriteMany") {
        const message = `${spec.nodes.length} nodes read the weights at once: the pool's storage must be ReadWriteMany`;
        problems.push({ path: "pool.storage.accessMode", message });
    }
    return problems;
}

function makeObjects(
    parent: pulumi.Resource,
    name: string,
    pool: GpuPool,
    plan: pulumi.Output<PoolServicePlan>,
    workload: { kind: PoolServicePlan["workload"]; seconds: number; before: pulumi.Resource[] },
): pulumi.CustomResource {
    const make = (
        role: string,
        kind: PoolObjectArgs["kind"],
        manifest: PoolObjectArgs["manifest"],
        opts: pulumi.CustomResourceOptions & { waiting?: Record<string, string> } = {},
    ) => {
        const { waiting, ...rest } = opts;
        return poolObject({ name: `${name}-${role}`, kind, pool, manifest, waiting }, { parent, ...rest });
    };
    const agent = make("agent", "ConfigMap", agentConfigMap(name, "server"), { hideDiffs: ["binaryData"] });
    const stage = make("build", "ConfigMap", plan.apply(stageConfigMap), { hideDiffs: ["data"] });
    const settings = make("settings", "ConfigMap", plan.apply(settingsConfigMap));
    const network = [
        make("client", "Service", plan.apply(clientService), { waiting: doNotWait }),
        make("pods", "Service", plan.apply(podsServiceManifest), { waiting: doNotWait }),
        make("policy", "NetworkPolicy", plan.apply(networkPolicy)),
        make("budget", "PodDisruptionBudget", plan.apply(disruptionBudget)),
    ];
    const server = make("server", workload.kind, plan.apply(workloadManifest), {
        customTimeouts: timeouts(workload.seconds),
        waiting: waitForObject,
        // A Deployment's strategy cannot be changed in place (kubernetes/kubernetes#24198): one of the other kind takes its place.
        replaceOnChanges: ["spec.strategy.type"],
        deleteBeforeReplace: true,
        dependsOn: [agent, stage, settings, ...network, ...workload.before],
    });
    const account = make(
        "verdict",
        "ServiceAccount",
        plan.apply((one) => verdictRights(one)[0]),
        { waiting: doNotWait },
    );
    const role = make(
        "verdict",
        "Role",
        plan.apply((one) => verdictRights(one)[1]),
    );
    const binding = make(
        "verdict",
        "RoleBinding",
        plan.apply((one) => verdictRights(one)[2]),
    );
    return make("verdict", "Job", plan.apply(verdictJob), {
        waiting: replaceFailed,
        customTimeouts: timeouts(workload.seconds),
        dependsOn: [server, account, role, binding],
    });
}
