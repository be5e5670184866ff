import { at, type CheckedResource, listAt } from "./resource.ts";

/** Where each kind keeps the template of its pods. */
const templates: Readonly<Record<string, readonly string[]>> = {
    "kubernetes:apps/v1:Deployment": ["spec", "template"],
    "kubernetes:apps/v1:StatefulSet": ["spec", "template"],
    "kubernetes:apps/v1:DaemonSet": ["spec", "template"],
    "kubernetes:batch/v1:Job": ["spec", "template"],
    "kubernetes:core/v1:Pod": [],
    "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet": ["spec", "leaderWorkerTemplate", "workerTemplate"],
};

/** Containers of a workload's pods, init containers first; none for anything that has no pods. */
export function containersOf({ type, props }: CheckedResource): unknown[] {
    const path = templates[type];
    return path === undefined
        ? []
        : [...listAt(props, ...path, "spec", "initContainers"), ...listAt(props, ...path, "spec", "containers")];
}

/** Containers that hold GPUs while they serve. */
export function gpuServers(resource: CheckedResource): unknown[] {
    const path = templates[resource.type];
    return path === undefined ? [] : listAt(resource.props, ...path, "spec", "containers").filter(holdsGpus);
}

/** Whether a container asks for GPUs. */
export function holdsGpus(container: unknown): boolean {
    return Object.keys(at(container, "resources", "limits") ?? {}).some((name) => name.startsWith("nvidia.com/"));
}
