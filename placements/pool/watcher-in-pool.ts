import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Job, RbacRole, RoleBinding, ServiceAccount } from "./manifest.ts";
import { doNotWait, keepImage, type MakeObject, replaceFailed, timeouts } from "./pool-object.ts";
import { aboutObject, type Watcher } from "./watcher.ts";

/** What watching jobs may ask of the Kubernetes API. */
export function rightsInPool(
    make: MakeObject,
    role: Watcher,
    rights: pulumi.Output<[ServiceAccount, RbacRole, RoleBinding]>,
): pulumi.CustomResource[] {
    const [account, rules, binding] = [0, 1, 2].map((index) => rights.apply((all) => all[index]!));
    return [
        make(role, "ServiceAccount", account!, { waiting: doNotWait }),
        make(role, "Role", rules!),
        make(role, "RoleBinding", binding!),
    ];
}

/** A watching job. Given `watched`, it runs anew whenever that was written anew. */
export function watcherInPool(
    make: MakeObject,
    role: Watcher,
    args: {
        readonly job: pulumi.Output<Job>;
        readonly after: readonly pulumi.Resource[];
        readonly watched?: pulumi.CustomResource;
        readonly seconds: number;
    },
): pulumi.CustomResource {
    const { watched } = args;
    return make(role, "Job", args.job, {
        deleteBeforeReplace: true,
        ...(role === "arrival" ? keepImage : {}),
        waiting: replaceFailed,
        ...(watched ? { late: (job) => aboutObject(job as Job, stateOf(watched)) } : {}),
        customTimeouts: timeouts(args.seconds),
        dependsOn: [...args.after],
    });
}

/**
 * Which object it is and how often it was written, as the API server counts. One that a preview makes on trial has no version
 * and another identity each time.
 */
function stateOf(object: pulumi.CustomResource): pulumi.Output<string> {
    const { metadata } = object as unknown as { metadata: kubernetes.core.v1.ConfigMap["metadata"] };
    return metadata.apply(({ uid, generation, resourceVersion }) =>
        pulumi.runtime.isDryRun() && !resourceVersion ? "of the object to come" : `${uid}/${generation}`,
    );
}
