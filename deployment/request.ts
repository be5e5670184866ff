import type { BuildSpec } from "../knowledge/artifacts/build-plan.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import { didYouMean } from "../knowledge/base/nearest.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import type { SecretReference } from "../knowledge/fields/values.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import type { HostsTarget } from "../placements/hosts/placement.ts";
import type { AnyRequest } from "../placements/index.ts";
import type { SecretKind } from "../placements/placement.ts";
import type { PoolTarget } from "../placements/pool/placement.ts";
import type { Deployment, DeploymentService } from "./schema.ts";

/** What the services of a stack file refer to. */
export interface Parts {
    readonly owner: string;
    readonly deployment: Deployment;
    readonly facts: Readonly<Record<string, HostFacts>>;
    readonly builds: Readonly<Record<string, BuildSpec>>;
    readonly models: Readonly<Record<string, ModelSpec>>;
}

/** A service with its references followed; nothing where one leads nowhere, which is a problem then. */
export function serviceRequest(
    name: string,
    service: DeploymentService,
    parts: Parts,
    problems: Problem[],
): AnyRequest | undefined {
    const { build: buildName, model: modelName, placement, apiKey, ...fields } = service;
    const { deployment, builds, models } = parts;
    const path = `services.${name}`;
    lookUp(deployment.builds, buildName, `${path}.build`, "build", problems);
    lookUp(deployment.models, modelName, `${path}.model`, "model", problems);
    const target =
        "hosts" in placement
            ? hostsTarget(placement, parts, `${path}.placement`, problems)
            : poolTarget(service, placement, parts, `${path}.placement`, problems);
    const build = builds[buildName];
    const model = models[modelName];
    return build && model && target && { name, build, model, target, apiKey: apiKey && kindOf(apiKey), fields };
}

type Placed<Key extends string> = Extract<DeploymentService["placement"], { [key in Key]: unknown }>;

function hostsTarget(
    { hosts, gpus }: Placed<"hosts">,
    { owner, deployment, facts }: Parts,
    path: string,
    problems: Problem[],
): HostsTarget | undefined {
    const planned = hosts.flatMap((name, rank) => {
        const host = lookUp(deployment.hosts, name, `${path}.hosts.${rank}`, "host", problems);
        const recorded = facts[name];
        return host && recorded ? [{ name, root: host.root, owner, address: host.address, facts: recorded }] : [];
    });
    return planned.length === hosts.length ? { kind: "hosts", hosts: planned, gpus } : undefined;
}

function poolTarget(
    { model, apiKey }: DeploymentService,
    { pool: name, nodes, gpus }: Placed<"pool">,
    { deployment, facts }: Parts,
    path: string,
    problems: Problem[],
): PoolTarget | undefined {
    const pool = lookUp(deployment.pools, name, `${path}.pool`, "pool", problems);
    const recorded = facts[name];
    const token = deployment.models[model]?.token;
    return (
        pool &&
        recorded && {
            kind: "pool",
            name,
            pool,
            facts: recorded,
            namespace: pool.namespace,
            nodes,
            gpus,
            token: token && inPool(token),
            apiKey: apiKey && inPool(apiKey),
        }
    );
}

function inPool(reference: SecretReference): PoolTarget["token"] {
    return "kubernetesSecret" in reference ? reference : { value: true };
}

/** How a secret of a stack file is given. */
export function kindOf(reference: SecretReference): SecretKind {
    if ("config" in reference) {
        return "value";
    }
    return "hostFile" in reference ? "hostFile" : "kubernetesSecret";
}

function lookUp<T>(
    table: Readonly<Record<string, T>>,
    name: string,
    path: string,
    kind: string,
    problems: Problem[],
): T | undefined {
    const found = Object.hasOwn(table, name) ? table[name] : undefined;
    if (found === undefined) {
        const names = Object.keys(table);
        const known = names.length === 0 ? "there is none" : `known: ${names.join(", ")}`;
        problems.push({
            path,
            message: `no ${kind} is called ${JSON.stringify(name)} (${known})${didYouMean(name, names)}`,
        });
    }
    return found;
}
