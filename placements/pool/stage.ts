import type { types } from "@pulumi/kubernetes";
import { settingsConfigMap, stageConfigMap } from "./config-maps.ts";
import { agentCommand, buildFolder, runFolder, settingsFolder, stageFolder } from "./paths.ts";
import type { PoolServicePlan } from "./service-plan.ts";

/** A patched copy of the image's SGLang, in the server's pod and in the job before it: the same words over the same files. */

/** Desired state of the service. */
export const desiredFile = `${settingsFolder}/desired.json`;

/** Where desired state is mounted. */
export const settingsMount = { name: "settings", mountPath: settingsFolder, readOnly: true };

/** What one pod remembers. */
export const runMount = { name: "run", mountPath: runFolder };

/** What staging sees and writes. */
export const stageMounts = [
    settingsMount,
    { name: "stage", mountPath: stageFolder, readOnly: true },
    { name: "build", mountPath: buildFolder },
    runMount,
];

/** The command that stages. */
export function stageCommand(...more: string[]): string[] {
    const words = ["--plan", `${stageFolder}/stage.json`, "--desired", desiredFile];
    return agentCommand("stage", ...words, "--build", buildFolder, "--run", runFolder, ...more);
}

/** Volumes of {@link stageMounts}. */
export function stageVolumes(plan: PoolServicePlan): types.input.core.v1.Volume[] {
    return [
        { name: "settings", configMap: { name: settingsConfigMap(plan).metadata.name } },
        { name: "stage", configMap: { name: stageConfigMap(plan).metadata.name } },
        { name: "build", emptyDir: { sizeLimit: "2Gi" } },
        { name: "run", emptyDir: { sizeLimit: "64Mi" } },
    ];
}
