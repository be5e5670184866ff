import type { Deployment, DeploymentService } from "../../deployment/schema.ts";
import type { Problem } from "../../knowledge/base/settings.ts";
import type { ModelFields } from "../../knowledge/fields/model.ts";
import type { PoolFields } from "../../knowledge/fields/pool.ts";

/** What the services of a stack file cannot have in their pools. */
export function poolProblems({ services, models, pools }: Deployment): Problem[] {
    return Object.entries(services).flatMap(([name, service]) => {
        const model = models[service.model];
        const pool = service.pool === undefined ? undefined : pools[service.pool];
        return model && pool ? serviceProblems(name, service, model, pool) : [];
    });
}

function serviceProblems(
    name: string,
    { nodes = 1, apiKey, ...service }: DeploymentService,
    { token }: ModelFields,
    { storage }: PoolFields,
): Problem[] {
    const problems: Problem[] = [];
    if (nodes > 1 && storage.accessMode !== "ReadWriteMany") {
        const message = `${nodes} nodes read the weights at once: pools.${service.pool}.storage.accessMode must be ReadWriteMany`;
        problems.push({ path: `services.${name}.nodes`, message });
    }
    const message = "a file of a host is nowhere in a pool: name a `kubernetesSecret`, or a stack secret as `config`";
    if (apiKey && "hostFile" in apiKey) {
        problems.push({ path: `services.${name}.apiKey`, message });
    }
    if (token && "hostFile" in token) {
        problems.push({ path: `models.${service.model}.token`, message });
    }
    return problems;
}
