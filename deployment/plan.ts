import { type BuildPlan, buildPlan } from "../knowledge/artifacts/build-plan.ts";
import { type ModelPlan, modelPlan } from "../knowledge/artifacts/model-plan.ts";
import { patchFiles } from "../knowledge/artifacts/patch-files.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { startupBudgetSeconds } from "../knowledge/service/process.ts";
import { resolve } from "../knowledge/service/resolve.ts";
import type { ResolvedService } from "../knowledge/service/spec.ts";
import { type ServicePlan, servicePlan } from "../placements/hosts/service-plan.ts";
import { type PlannedInPool, planInPool } from "../placements/pool/pool-plan.ts";
import type { LoadedDeployment, LoadedService } from "./load.ts";

/** One service of a plan: what is decided, and what would be put on its first host. */
export interface PlannedService {
    readonly loaded: LoadedService;
    readonly resolved: ResolvedService;
    readonly build: BuildPlan;
    readonly model: ModelPlan;
    /** Absent for a service in a pool. */
    readonly onHost?: ServicePlan;
    /** Absent for a service on hosts. */
    readonly inPool?: PlannedInPool;
}

/** What `pulumi up` would put on the machines. */
export interface Plan {
    /** True when anything stands against the deployment. */
    readonly refused: boolean;
    readonly problems: readonly Problem[];
    readonly services: readonly PlannedService[];
    /** What keeps it from being deployed as it is, such as a model that is not pinned. */
    readonly notReady: readonly Problem[];
}

/** Plans a deployment; pure. `notReady` comes from {@link deploymentReadiness}. */
export function planDeployment(loaded: LoadedDeployment, notReady: readonly Problem[]): Plan {
    const problems: Problem[] = [...loaded.problems];
    const services = loaded.services.map((service) => planService(service, loaded));
    for (const { resolved } of services) {
        problems.push(...resolved.problems);
    }
    const refused = problems.length > 0 || services.some(({ resolved }) => resolved.refused);
    return { refused, problems, services, notReady };
}

function planService(loaded: LoadedService, all: LoadedDeployment): PlannedService {
    const { deployment, lock, patches } = all;
    const { spec, build, model, service } = loaded;
    const resolved = resolve(spec);
    const host = service.hosts && deployment.hosts[service.hosts[0]!];
    const root = host?.root ?? "/opt/sglang";
    const { files } = patchFiles(build.release, patches[service.build] ?? []);
    const planned = buildPlan(service.build, { ...build, patches: files, locked: lock.builds[service.build] });
    const snapshot = modelPlan(service.model, model, lock.models[model.repository]);
    const node = spec.nodes[0]!;
    return {
        loaded,
        resolved,
        build: planned,
        model: snapshot,
        inPool: service.pool === undefined ? undefined : planInPool(loaded, resolved, snapshot, all),
        onHost:
            host &&
            servicePlan(resolved, {
                root,
                owner: all.owner,
                facts: node.facts,
                gpus: node.gpus,
                build: planned,
                model: { path: snapshot.path, manifestDigest: snapshot.manifestDigest ?? "not-pinned" },
                apiKey: service.apiKey && { fingerprint: "(of the key)", path: `${root}/secrets/${spec.name}-key` },
                cluster:
                    spec.nodes.length > 1
                        ? { nodes: spec.nodes.length, rank: 0, leaderAddress: host.address }
                        : undefined,
                startupBudgetSeconds: startupBudgetSeconds(spec.fields),
            }),
    };
}
