import type * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Job, RbacRole, RoleBinding, ServiceAccount } from "./manifest.ts";
import { doNotWait, keepImage, type MakeObject, replaceFailed, timeouts } from "./pool-object.ts";
import { aboutObject, type Watcher } from "./watcher.ts";

/** A watching job and its rights. Given `watched`, it runs anew whenever that was written anew. */
export function watcherInPool(
    make: MakeObject,
    role: Watcher,
    args: {
        readonly job: pulumi.Output<Job>;
        readonly rights: pulumi.Output<[ServiceAccount, RbacRole, RoleBinding]>;
        readonly after: pulumi.CustomResource;
        readonly watched?: pulumi.CustomResource;
        readonly seconds: number;
    },
): pulumi.CustomResource {
    const { watched } = args;
    const [account, rights, binding] = [0, 1, 2].map((index) => args.rights.apply((all) => all[index]!));
    const rbac = [
        make(role, "ServiceAccount", account!, { waiting: doNotWait }),
        make(role, "Role", rights!),
        make(role, "RoleBinding", binding!),
    ];
    return make(role, "Job", args.job, {
        deleteBeforeReplace: true,
        ...(role === "arrival" ? keepImage : {}),
        waiting: replaceFailed,
        ...(watched ? { late: (job) => aboutObject(job as Job, stateOf(watched)) } : {}),
        customTimeouts: timeouts(args.seconds),
        dependsOn: [args.after, ...rbac],
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
