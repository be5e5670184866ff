import type { types } from "@pulumi/kubernetes";
import { agentFolder } from "./paths.ts";
import { containerSecurityContext } from "./security.ts";

/** Name of a volume, and where it is mounted. */
export interface Mount {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
    readonly subPath?: string;
}

/** A container of the agent: what it does, what it sees, and what it may use. */
export function container(
    name: string,
    image: string,
    command: readonly string[],
    mounts: readonly Mount[],
    more: Partial<types.input.core.v1.Container>,
): types.input.core.v1.Container {
    return {
        name,
        image,
        imagePullPolicy: "IfNotPresent",
        command: [...command],
        securityContext: containerSecurityContext,
        // What the agent writes, or else the end of the log, is what an error shows.
        terminationMessagePolicy: "FallbackToLogsOnError",
        volumeMounts: [
            { name: "agent", mountPath: agentFolder, readOnly: true },
            { name: "tmp", mountPath: "/tmp" },
            ...mounts,
        ],
        ...more,
    };
}

/** Volumes that every pod of the agent has. */
export function agentVolumes(agentMap: string, tmpSize: string): types.input.core.v1.Volume[] {
    return [
        { name: "agent", configMap: { name: agentMap } },
        { name: "tmp", emptyDir: { sizeLimit: tmpSize } },
    ];
}
