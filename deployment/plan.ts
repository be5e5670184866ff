import { type BuildPlan, buildPlan } from "../knowledge/artifacts/build-plan.ts";
import { type ModelPlan, modelPlan } from "../knowledge/artifacts/model-plan.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { placementOf } from "../placements/index.ts";
import type { Judged } from "../placements/judge.ts";
import type { PlannedPlacement } from "../placements/placement.ts";
import type { LoadedDeployment } from "./load.ts";

/** One service of a plan: what is decided, and what would be put on its first machine. */
export interface PlannedService extends Judged {
    readonly build: BuildPlan;
    readonly model: ModelPlan;
    readonly placed: PlannedPlacement;
}

/** What `pulumi up` would put on the machines. */
export interface Plan {
    /** True when anything stands against the deployment. */
    readonly refused: boolean;
    /** Mistakes in the file. */
    readonly problems: readonly Problem[];
    readonly services: readonly PlannedService[];
    /** What keeps it from being deployed as it is, such as a model that is not pinned. */
    readonly notReady: readonly Problem[];
}

/** Plans a deployment; pure. `notReady` comes from {@link deploymentReadiness}. */
export function planDeployment({ problems, services }: LoadedDeployment, notReady: readonly Problem[]): Plan {
    return {
        refused: problems.length > 0 || services.some(({ resolved }) => resolved.refused),
        problems,
        services: services.map(planService),
        notReady,
    };
}

function planService(judged: Judged): PlannedService {
    const { request, resolved, spec } = judged;
    return {
        ...judged,
        build: buildPlan(request.build),
        model: modelPlan(request.model),
        placed: placementOf(request.target).plan(resolved, spec.nodes, request),
    };
}
