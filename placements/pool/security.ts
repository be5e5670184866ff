import type { types } from "@pulumi/kubernetes";

/**
 * The user of every container, also the group of the volumes. Any but root; the image's files must be readable for it.
 */
const user = 1000;

/** Security context of a pod, as the `restricted` pod security level asks for it. No exceptions. */
export const podSecurityContext: types.input.core.v1.PodSecurityContext = {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    fsGroup: user,
    // The volume holds hundreds of thousands of blocks, but few files; still, only a first use changes their group.
    fsGroupChangePolicy: "OnRootMismatch",
    seccompProfile: { type: "RuntimeDefault" },
};

/** Security context of a container. */
export const containerSecurityContext: types.input.core.v1.SecurityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    privileged: false,
    readOnlyRootFilesystem: true,
};
