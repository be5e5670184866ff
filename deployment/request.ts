import type { BuildSpec } from "../knowledge/artifacts/build-plan.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import { didYouMean } from "../knowledge/base/nearest.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import type { SecretReference } from "../knowledge/fields/values.ts";
import type { PackedOracle } from "../knowledge/oracle/packed.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import { type AnyRequest, targetOf } from "../placements/index.ts";
import type { SecretKind } from "../placements/placement.ts";
import type { Find } from "../placements/stack-part.ts";
import type { Deployment, DeploymentService } from "./schema.ts";
import type { Declared } from "./shape.ts";

/** What the services of a stack file refer to. */
export interface Parts {
    readonly owner: string;
    readonly deployment: Deployment;
    /** What the file declares, wrong entries included: a name of one is no wrong name. */
    readonly declared: Declared;
    readonly facts: Readonly<Record<string, HostFacts>>;
    readonly builds: Readonly<Record<string, BuildSpec>>;
    readonly models: Readonly<Record<string, ModelSpec>>;
    /** By name of the service whose gate names one. */
    readonly oracles: Readonly<Record<string, PackedOracle>>;
}

/** A service with its references followed; nothing where one leads nowhere, which is a problem then. */
export function serviceRequest(
    name: string,
    service: DeploymentService,
    { owner, deployment, declared, facts, builds, models, oracles }: Parts,
    problems: Problem[],
): AnyRequest | undefined {
    const { build: buildName, model: modelName, placement, apiKey, gate, ...rest } = service;
    const { oracle: _file, ...asked } = gate ?? {};
    const fields = gate ? { ...rest, gate: asked } : rest;
    const { hosts, pools } = deployment;
    const path = `services.${name}`;
    const lookUp: Find = (table, wanted, where, kind) => {
        const names = declared[`${kind}s`];
        const found = Object.hasOwn(table, wanted) ? table[wanted] : undefined;
        if (found === undefined && !names.includes(wanted)) {
            const known = names.length === 0 ? "there is none" : `known: ${names.join(", ")}`;
            const message = `no ${kind} is called ${JSON.stringify(wanted)} (${known})${didYouMean(wanted, names)}`;
            problems.push({ path: `${path}.${where}`, message });
        }
        return found;
    };
    lookUp(deployment.builds, buildName, "build", "build");
    lookUp(deployment.models, modelName, "model", "model");
    const find: Find = (table, wanted, where, kind) => lookUp(table, wanted, `placement.${where}`, kind);
    const secrets = { token: deployment.models[modelName]?.token, apiKey };
    const target = targetOf(placement, { owner, hosts, pools, facts }, find, secrets);
    const build = builds[buildName];
    const model = models[modelName];
    const given = { apiKey: apiKey && kindOf(apiKey), oracle: oracles[name], fields };
    return build && model && target && { name, build, model, target, ...given };
}

/** How a secret of a stack file is given. */
export function kindOf(reference: SecretReference): SecretKind {
    if ("config" in reference) {
        return "value";
    }
    return "hostFile" in reference ? "hostFile" : "kubernetesSecret";
}
