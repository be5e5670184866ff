import { stringify } from "yaml";
import { agentConfigMap, settingsConfigMap, stageConfigMap } from "./config-maps.ts";
import { inNamespace, type Manifest } from "./manifest.ts";
import { clientService, disruptionBudget, networkPolicy, podsServiceManifest } from "./network.ts";
import { preparedJob, prepareJob } from "./prepare-job.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { verdictJob, verdictRights } from "./verdict-job.ts";
import { arrivalJob, arrivalRights, fetchConfigMap, fetchJob, type PoolWeights, weightsClaim } from "./weights.ts";
import { workloadManifest } from "./workloads.ts";

/** Objects of a model, in the order in which they are applied. */
export function weightsManifests(weights: PoolWeights): Manifest[] {
    return [
        weightsClaim(weights),
        agentConfigMap(weights.name, "weights"),
        fetchConfigMap(weights),
        fetchJob(weights),
        ...arrivalRights(weights),
        arrivalJob(weights),
    ];
}

/** Objects of a service, in the order in which they are applied. */
export function serviceManifests(plan: PoolServicePlan): Manifest[] {
    return [
        agentConfigMap(plan.name, "server"),
        stageConfigMap(plan),
        settingsConfigMap(plan),
        clientService(plan),
        podsServiceManifest(plan),
        networkPolicy(plan),
        disruptionBudget(plan),
        ...verdictRights(plan),
        prepareJob(plan),
        preparedJob(plan),
        workloadManifest(plan),
        verdictJob(plan),
    ];
}

/**
 * The same as files, for people who apply with other tools: file name to text, numbered in the order of application. Secrets
 * are named in them and never among them.
 */
export function renderYaml(manifests: readonly Manifest[], namespace: string): Record<string, string> {
    return Object.fromEntries(
        manifests.map((manifest, index) => {
            const { metadata } = manifest;
            const file = `${String(index + 1).padStart(2, "0")}-${manifest.kind.toLowerCase()}-${metadata.name}.yaml`;
            return [file, stringify(inNamespace(manifest, namespace), { aliasDuplicateObjects: false, lineWidth: 0 })];
        }),
    );
}
