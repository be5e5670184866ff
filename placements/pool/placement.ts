import { modelPlan } from "../../knowledge/artifacts/model-plan.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import { startupBudgetSeconds } from "../../knowledge/service/process.ts";
import type { ServiceNode } from "../../knowledge/service/spec.ts";
import { gpusOf, missingGpus } from "../gpus.ts";
import type { Placement, SecretKind, ServiceRequest } from "../placement.ts";
import { poolBuild } from "./build.ts";
import type { Pool } from "./pool.ts";
import { renderYaml, serviceManifests, weightsManifests } from "./render.ts";
import { type PoolApiKey, type PoolPlace, poolServicePlan } from "./service-plan.ts";
import { claimName } from "./weights.ts";

/** Nodes of a pool that a service runs on. */
export interface PoolTarget {
    readonly kind: "pool";
    /** Name of the pool in the stack. */
    readonly name: string;
    readonly pool: Pool;
    /** Facts of each node; absent while nobody knows them. */
    readonly facts?: HostFacts;
    /** Namespace, as far as it is known. */
    readonly namespace?: string;
    /** Nodes that one server spans. */
    readonly nodes: number;
    /** GPUs of each node, by index. Defaults to all. */
    readonly gpus?: readonly number[] | undefined;
    /** How the model's hub token is given, when there is one. */
    readonly token?: SecretReference | undefined;
    /** How the API key is given, when there is one. */
    readonly apiKey?: SecretReference | undefined;
}

/** A Secret of the namespace, or a value that becomes one. */
export type SecretReference = { readonly kubernetesSecret: string; readonly key: string } | { readonly value: true };

/** What a service is placed with. */
export function placeInPool(
    { build, model, target, fields }: ServiceRequest<PoolTarget>,
    nodes: readonly ServiceNode[],
    apiKey: PoolApiKey | undefined,
): PoolPlace {
    const { path, manifestDigest = "not-pinned" } = modelPlan(model);
    return {
        pool: target.pool,
        memoryBytes: nodes[0]!.facts.memoryBytes,
        build: poolBuild(build),
        weights: { claim: claimName(model.name), directory: model.directory, path, manifestDigest },
        gpus: nodes.map(({ gpus }) => gpus.length),
        ...(apiKey ? { apiKey } : {}),
        startupBudgetSeconds: startupBudgetSeconds(fields),
    };
}

/** A Kubernetes node pool of equal GPU nodes. */
export const poolPlacement: Placement<PoolTarget> = {
    kind: "pool",

    nodes: ({ name, facts, nodes, gpus }) =>
        facts &&
        Array.from({ length: nodes }, (_, rank) => ({ name: `${name}-${rank}`, facts, gpus: gpusOf(facts, gpus) })),

    problems: ({ target: { name, pool, facts, nodes, gpus }, fields }) => [
        ...(fields.adopt ? [{ path: "adopt", message: "is for a unit on a host: a pool has none" }] : []),
        ...missingGpus(name, facts, gpus),
        ...(nodes > 1 && pool.storage.accessMode !== "ReadWriteMany"
            ? [
                  {
                      path: "placement.nodes",
                      message: `${nodes} nodes read the weights at once: the pool's storage.accessMode must be ReadWriteMany`,
                  },
              ]
            : []),
    ],

    secretProblem: (kind: SecretKind) =>
        kind === "hostFile"
            ? "a file of a host is nowhere in a pool: name a `kubernetesSecret`, or a stack secret as `config`"
            : undefined,

    plan(service, nodes, request) {
        const { name, model, target, build } = request;
        const key = target.apiKey && secretOf(target.apiKey, `${name}-api-key`);
        const plan = poolServicePlan(service, placeInPool(request, nodes, key));
        const weights = weightsManifests({
            name: model.name,
            model: modelPlan(model),
            directory: model.directory,
            pool: plan.place.pool,
            image: plan.place.build.image,
            storageGiB: model.storageGiB,
            token: target.token && secretOf(target.token, `${model.name}-hub-token`),
        });
        const manifests = renderYaml([...weights, ...serviceManifests(plan)], target.namespace ?? "default");
        return {
            arguments: plan.arguments,
            environment: plan.environment,
            argv: plan.argv,
            restartDigest: plan.restartDigest,
            buildDigest: plan.place.build.digest,
            buildRows: { before: [["image", build.image ?? "none yet: a pool needs one by digest"]], after: [] },
            listing: { title: `Objects in pool ${target.name}, in order`, text: objectsText(Object.keys(manifests)) },
            files: () => manifests,
        };
    },
};

/** A Secret that is there, or the one that whoever applies the files has to make. */
function secretOf(reference: SecretReference, name: string): PoolApiKey {
    return "kubernetesSecret" in reference
        ? { secret: reference.kubernetesSecret, key: reference.key }
        : { secret: name, key: "token" };
}

/** Kind and name of each manifest, as its file is called. */
function objectsText(files: readonly string[]): string {
    return files.map((file) => `${file.replace(/^\d+-(\w+)-(.*)\.yaml$/, "$1/$2")}\n`).join("");
}
