import { at, type Check } from "../resource.ts";
import { gpuServers } from "../workload.ts";

/** Kubernetes' own default, in seconds. */
const defaultProgressDeadline = 600;
const defaultProbePeriod = 10;
const defaultProbeFailures = 3;

/**
 * Who waits for a GPU server waits long enough, and who knows the reason ends first: the startup probe, then the Deployment,
 * then Pulumi.
 */
export const budgetsAreInOrder: Check = (resource) => {
    const servers = gpuServers(resource);
    if (servers.length === 0 || !/:(Deployment|StatefulSet|LeaderWorkerSet)$/.test(resource.type)) {
        return [];
    }
    const unprobed = servers.filter(
        (container) => at(container, "livenessProbe") !== undefined && at(container, "startupProbe") === undefined,
    );
    const startup = Math.max(0, ...servers.map(probeSeconds));
    const problems = unprobed.map(
        (container) =>
            `container ${at(container, "name")} has a liveness probe and no startup probe: it would be killed while it loads`,
    );
    const deadline = Number(at(resource.props, "spec", "progressDeadlineSeconds") ?? defaultProgressDeadline);
    if (resource.type.endsWith(":Deployment") && deadline < startup) {
        problems.push(`progressDeadlineSeconds ${deadline} is shorter than the startup probe's ${startup} s`);
    }
    const wait = resource.opts?.customTimeouts?.createSeconds ?? 0;
    const longest = resource.type.endsWith(":Deployment") ? Math.max(deadline, startup) : startup;
    if (wait > 0 && wait < longest) {
        problems.push(`Pulumi waits ${wait} s, and Kubernetes up to ${longest} s`);
    }
    return problems;
};

/** Seconds until the startup probe gives up on a container. */
function probeSeconds(container: unknown): number {
    const probe = at(container, "startupProbe");
    if (probe === undefined) {
        return 0;
    }
    const failures = Number(at(probe, "failureThreshold") ?? defaultProbeFailures);
    return failures * Number(at(probe, "periodSeconds") ?? defaultProbePeriod);
}

/** A rollout that starts the new pod first needs its GPUs twice; where they are not there it waits for ever. */
export const needsNoSpareGpus: Check = (resource) => {
    if (resource.type !== "kubernetes:apps/v1:Deployment" || gpuServers(resource).length === 0) {
        return [];
    }
    const strategy = at(resource.props, "spec", "strategy");
    const surge = at(strategy, "rollingUpdate", "maxSurge") ?? "25%";
    return at(strategy, "type") === "Recreate" || surge === 0 || surge === "0" || surge === "0%"
        ? []
        : [`a rolling update with maxSurge ${surge} needs spare GPUs; use Recreate or maxSurge 0`];
};
