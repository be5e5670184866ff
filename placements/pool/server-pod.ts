import type { types } from "@pulumi/kubernetes";
import { shortDigestOf } from "../../knowledge/base/digest.ts";
import { stopGraceSeconds } from "../../knowledge/service/process.ts";
import { startupPeriod } from "./budgets.ts";
import { agentConfigMap } from "./config-maps.ts";
import { agentVolumes, container } from "./container.ts";
import { claimLabel, labels } from "./manifest.ts";
import { agentCommand, boardPort, buildFolder, keyFolder, runFolder, stateFolder, stateOnVolume } from "./paths.ts";
import { onNodes, podBase } from "./pool.ts";
import { podSecurityContext } from "./security.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { desiredFile, runMount, settingsMount, stageCommand, stageMounts, stageVolumes } from "./stage.ts";

/**
 * Names a roll of the pods: another for whatever differs in their template or in what it mounts, since what it mounts is
 * named there by its content.
 */
export function rolloutDigest(plan: PoolServicePlan): string {
    return shortDigestOf(template(plan));
}

/** The template of a server's pods, the same for every kind of workload. */
export function serverPod(plan: PoolServicePlan): types.input.core.v1.PodTemplateSpec {
    const { metadata, spec } = template(plan);
    const annotations = { ...metadata.annotations, "pulumi-sglang/rollout": rolloutDigest(plan) };
    return { metadata: { ...metadata, annotations }, spec };
}

function template(plan: PoolServicePlan) {
    const { name, place, restartDigest } = plan;
    return {
        metadata: {
            labels: { ...labels(name, "server"), ...claimLabel(place.weights.claim) },
            annotations: {
                "pulumi-sglang/generation": restartDigest,
                ...(place.apiKey?.fingerprint ? { "pulumi-sglang/key": place.apiKey.fingerprint } : {}),
            },
        },
        spec: {
            ...podBase,
            ...onNodes(place.pool),
            securityContext: podSecurityContext,
            // The drain, what is left of it after SIGKILL, and the agent's own end.
            terminationGracePeriodSeconds: stopGraceSeconds + 30,
            initContainers: [stageContainer(plan)],
            containers: [serverContainer(plan)],
            volumes: volumes(plan),
        },
    };
}

/** Patches a copy of the image's SGLang and asks its parser. It has the GPUs too: the same that the server gets after it. */
function stageContainer(plan: PoolServicePlan): types.input.core.v1.Container {
    const more = { resources: resources(plan), workingDir: "/tmp" };
    return container("stage", plan.place.build.image, stageCommand(), stageMounts, more);
}

function serverContainer(plan: PoolServicePlan): types.input.core.v1.Container {
    const { place, port, budgets } = plan;
    const { directory } = place.weights;
    const words = ["--build", buildFolder, "--state", stateFolder, "--run", runFolder, "--port", String(boardPort)];
    const ready = { httpGet: { path: "/ready", port: boardPort }, timeoutSeconds: 30 };
    return container(
        "server",
        place.build.image,
        agentCommand("run", "--desired", desiredFile, ...words),
        [
            settingsMount,
            { name: "build", mountPath: buildFolder, readOnly: true },
            { name: "weights", mountPath: directory, readOnly: true },
            { name: "weights", mountPath: stateFolder, subPath: stateOnVolume },
            runMount,
            { name: "shm", mountPath: "/dev/shm" },
            ...(place.apiKey ? [{ name: "key", mountPath: keyFolder, readOnly: true }] : []),
        ],
        {
            workingDir: "/tmp",
            ports: [
                { name: "api", containerPort: port },
                { name: "board", containerPort: boardPort },
            ],
            resources: resources(plan),
            startupProbe: {
                ...ready,
                periodSeconds: startupPeriod,
                failureThreshold: Math.ceil(budgets.startupProbe / startupPeriod),
            },
            readinessProbe: { ...ready, periodSeconds: 10, failureThreshold: 3 },
        },
    );
}

/** Memory is bounded by the service's share of the node, so that a leak ends the server and not its neighbours. */
function resources({ place }: PoolServicePlan): types.input.core.v1.ResourceRequirements {
    const { pool, gpus } = place;
    const count = gpus[0]!;
    const memory = gibibytes(0.95 * place.memoryBytes * Math.min(1, count / pool.gpusPerNode));
    return {
        requests: { ...pool.requests, "ephemeral-storage": "1Gi", [pool.gpuResource]: String(count) },
        limits: { memory, "ephemeral-storage": "20Gi", [pool.gpuResource]: String(count) },
    };
}

function volumes(plan: PoolServicePlan): types.input.core.v1.Volume[] {
    const { name, place } = plan;
    const { apiKey, weights } = place;
    return [
        ...agentVolumes(agentConfigMap(name, "server").metadata.name, "8Gi"),
        ...stageVolumes(plan),
        { name: "weights", persistentVolumeClaim: { claimName: weights.claim } },
        // NCCL and the worker processes share memory here; counted as the container's own (NVIDIA/nccl#525).
        { name: "shm", emptyDir: { medium: "Memory", sizeLimit: gibibytes(Math.min(2 ** 35, place.memoryBytes / 8)) } },
        ...(apiKey
            ? [
                  {
                      name: "key",
                      secret: {
                          secretName: apiKey.secret,
                          defaultMode: 0o440,
                          items: [{ key: apiKey.key, path: "api-key" }],
                      },
                  },
              ]
            : []),
    ];
}

function gibibytes(bytes: number): string {
    return `${Math.max(1, Math.floor(bytes / 2 ** 30))}Gi`;
}
