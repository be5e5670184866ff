import type { LoadedDeployment, LoadedService } from "../../deployment/load.ts";
import type { ModelPlan } from "../../knowledge/artifacts/model-plan.ts";
import { patchFiles } from "../../knowledge/artifacts/patch-files.ts";
import type { PoolFields } from "../../knowledge/fields/pool.ts";
import type { SecretReference } from "../../knowledge/fields/values.ts";
import { startupBudgetSeconds } from "../../knowledge/service/process.ts";
import type { ResolvedService } from "../../knowledge/service/spec.ts";
import { poolBuild } from "./build.ts";
import type { Pool } from "./pool.ts";
import { renderYaml, serviceManifests, weightsManifests } from "./render.ts";
import { type PoolServicePlan, poolServicePlan } from "./service-plan.ts";
import { claimName } from "./weights.ts";

/** A service of a stack file as it will be in its pool, and the manifests of it and of its weights, by file name. */
export interface PlannedInPool extends PoolServicePlan {
    readonly manifests: Readonly<Record<string, string>>;
}

/** Plans a service of a stack file in the pool that it names; pure. */
export function planInPool(
    { spec, service, build, model: { directory, storageGiB, token } }: LoadedService,
    resolved: ResolvedService,
    model: ModelPlan,
    { deployment, facts, lock, patches }: LoadedDeployment,
): PlannedInPool {
    const declared = deployment.pools[service.pool!]!;
    const pool = { ...declared, memoryBytes: facts[service.pool!]!.memoryBytes } satisfies Pool & PoolFields;
    const { files } = patchFiles(build.release, patches[service.build] ?? []);
    const planned = poolBuild(service.build, { ...build, patches: files, locked: lock.builds[service.build] });
    const plan = poolServicePlan(resolved, {
        pool,
        build: planned,
        weights: {
            claim: claimName(service.model),
            directory,
            path: model.path,
            manifestDigest: model.manifestDigest ?? "not-pinned",
        },
        gpus: spec.nodes.map((node) => node.gpus.length),
        apiKey: secretOf(service.apiKey, `${spec.name}-api-key`),
        startupBudgetSeconds: startupBudgetSeconds(spec.fields),
    });
    const weights = weightsManifests({
        name: service.model,
        model,
        directory,
        pool,
        image: planned.image,
        storageGiB,
        token: secretOf(token, `${service.model}-hub-token`),
    });
    return { ...plan, manifests: renderYaml([...weights, ...serviceManifests(plan)], declared.namespace) };
}

/** A Secret that is there, or the one that whoever applies the files has to make. */
function secretOf(reference: SecretReference | undefined, name: string): { secret: string; key: string } | undefined {
    if (reference === undefined) {
        return undefined;
    }
    return "kubernetesSecret" in reference
        ? { secret: reference.kubernetesSecret, key: reference.key }
        : { secret: name, key: "token" };
}
