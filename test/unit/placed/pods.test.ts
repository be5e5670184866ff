/** What a user would notice of a service's pods: image, cards, memory, times, volumes, probes, and who they are. */
import { describe, expect, test } from "vitest";
import { settingsConfigMap, stageConfigMap } from "../../../placements/pool/config-maps.ts";
import { serverPod } from "../../../placements/pool/server-pod.ts";
import { type PoolPlace, poolServicePlan } from "../../../placements/pool/service-plan.ts";
import { deployment, leaderWorkerSet, statefulSet, workloadManifest } from "../../../placements/pool/workloads.ts";
import { fullPoolPlace, fullService } from "../digests/full-service.ts";

const onOneNode = { gpus: [8] };
const planIn = (place: Partial<PoolPlace> = onOneNode, service = fullService) =>
    poolServicePlan(service, { ...fullPoolPlace, ...place });
const podOf = (place?: Partial<PoolPlace>) => {
    const { metadata, spec } = serverPod(planIn(place)) as { metadata: Record<string, object>; spec: PodSpec };
    return { metadata, spec, stage: spec.initContainers[0]!, server: spec.containers[0]! };
};

// biome-ignore lint/suspicious/noExplicitAny: a pod as it is applied
type PodSpec = any;

const { apiKey: _apiKey, ...openPlace } = fullPoolPlace;

describe("what runs", () => {
    test("is the build's image, staged by the agent and then served", () => {
        const { stage, server, spec } = podOf();
        expect([stage.image, server.image]).toEqual([fullPoolPlace.build.image, fullPoolPlace.build.image]);
        expect([spec.initContainers.length, spec.containers.length]).toEqual([1, 1]);
        expect(stage.command.slice(0, 5)).toEqual(["python3", "-I", "/opt/sglang/agent/agent.pyz", "serve", "stage"]);
        expect(server.command.slice(3, 5)).toEqual(["serve", "run"]);
    });

    test("reads its settings, and the stage its plan, where they are mounted", () => {
        const { stage, server, spec } = podOf();
        expect(stage.command.join(" ")).toContain("--plan /etc/sglang/stage/stage.json");
        const folder = { name: "settings", mountPath: "/etc/sglang/settings", readOnly: true };
        for (const container of [stage, server]) {
            expect(container.command.join(" ")).toContain("--desired /etc/sglang/settings/desired.json");
            expect(container.volumeMounts).toContainEqual(folder);
        }
        const volume = (name: string) => spec.volumes.find((one: { name: string }) => one.name === name);
        expect(volume("settings").configMap.name).toBe(settingsConfigMap(planIn()).metadata.name);
        expect(volume("stage").configMap.name).toBe(stageConfigMap(planIn()).metadata.name);
        expect(volume("agent").configMap.name).toMatch(/^model-server-agent-/);
    });

    test("says on the pod which revision it is", () => {
        const { metadata } = podOf();
        expect(metadata.annotations).toMatchObject({ "pulumi-sglang/generation": planIn().restartDigest });
    });
});

describe("probes", () => {
    test("ask the agent's board whether the server is ready, not the server", () => {
        const { server } = podOf();
        const asked = { httpGet: { path: "/ready", port: 30080 }, timeoutSeconds: 30 };
        expect(server.startupProbe).toMatchObject(asked);
        expect(server.readinessProbe).toEqual({ ...asked, periodSeconds: 10, failureThreshold: 3 });
        expect(server.livenessProbe).toBeUndefined();
    });

    test("give a start its whole budget before they give up", () => {
        const { periodSeconds, failureThreshold } = podOf({ startupBudgetSeconds: 1001 }).server.startupProbe;
        expect(periodSeconds).toBe(5);
        expect(failureThreshold).toBe(Math.ceil((1001 + fullService.gate.timeoutSeconds + 30) / 5));
    });
});

describe("resources", () => {
    const resources = (place: Partial<PoolPlace>) => podOf(place).server.resources;

    test("are the cards that the service asks for, under the pool's own name", () => {
        expect(resources({ gpus: [4] }).limits["nvidia.com/gpu"]).toBe("4");
        const named = { ...fullPoolPlace.pool, gpuResource: "example.com/gpu" };
        const { requests, limits } = resources({ gpus: [2], pool: named });
        expect([requests["example.com/gpu"], limits["example.com/gpu"]]).toEqual(["2", "2"]);
        expect(limits["nvidia.com/gpu"]).toBeUndefined();
    });

    test("are that share of the node's memory, less a twentieth", () => {
        const memory = (place: Partial<PoolPlace>) =>
            resources({ memoryBytes: 1000 * 2 ** 30, ...place }).limits.memory;
        expect(memory({ gpus: [8] })).toBe("950Gi");
        expect(memory({ gpus: [4] })).toBe("475Gi");
        expect(memory({ gpus: [16] })).toBe("950Gi");
        expect(memory({ gpus: [1], memoryBytes: 2 ** 30 })).toBe("1Gi");
    });

    test("are the same for the stage, which would otherwise hold the pod to more", () => {
        expect(podOf().stage.resources).toEqual(podOf().server.resources);
    });

    test("ask for little of what is not counted in cards", () => {
        expect(resources({ gpus: [8] }).requests).toMatchObject({
            cpu: "500m",
            memory: "2Gi",
            "ephemeral-storage": "1Gi",
        });
        expect(resources({ gpus: [8] }).limits).toMatchObject({ "ephemeral-storage": "20Gi" });
        const more = { ...fullPoolPlace.pool, requests: { cpu: "16", memory: "64Gi" } };
        expect(resources({ pool: more }).requests).toMatchObject({ cpu: "16", memory: "64Gi" });
    });
});

describe("volumes", () => {
    const volume = (name: string, place?: Partial<PoolPlace>) =>
        podOf(place).spec.volumes.find((one: { name: string }) => one.name === name);
    const mounts = (name: string) => podOf().server.volumeMounts.filter((one: { name: string }) => one.name === name);

    test("hold the weights, which the server may read, and what it remembers, which it may write", () => {
        expect(volume("weights").persistentVolumeClaim).toEqual({ claimName: "qwen-weights" });
        expect(mounts("weights")).toEqual([
            { name: "weights", mountPath: "/var/lib/models", readOnly: true },
            { name: "weights", mountPath: "/var/lib/sglang", subPath: ".services" },
        ]);
    });

    test("share memory between ranks: an eighth of the node's, 32 GiB at most", () => {
        expect(mounts("shm")).toEqual([{ name: "shm", mountPath: "/dev/shm" }]);
        expect(volume("shm").emptyDir).toEqual({ medium: "Memory", sizeLimit: "32Gi" });
        expect(volume("shm", { gpus: [8], memoryBytes: 64 * 2 ** 30 }).emptyDir.sizeLimit).toBe("8Gi");
    });

    test("hold the patched build, which the stage writes and the server reads", () => {
        expect(podOf().stage.volumeMounts).toContainEqual({ name: "build", mountPath: "/opt/sglang/build" });
        expect(mounts("build")).toEqual([{ name: "build", mountPath: "/opt/sglang/build", readOnly: true }]);
        expect(volume("build").emptyDir.sizeLimit).toBe("2Gi");
    });

    test("hold the key for the server alone, readable for its group, where there is one", () => {
        expect(volume("key").secret).toEqual({
            secretName: "chat-api-key",
            defaultMode: 0o440,
            items: [{ key: "token", path: "api-key" }],
        });
        expect(mounts("key")).toEqual([{ name: "key", mountPath: "/etc/sglang/key", readOnly: true }]);
        expect(JSON.stringify(podOf().stage)).not.toContain('"name":"key"');
        const open = serverPod(poolServicePlan(fullService, { ...openPlace, ...onOneNode }));
        expect(JSON.stringify(open)).not.toMatch(/"name":"key"|secretName/);
        expect(planIn().desired.apiKeyFile).toBe("/etc/sglang/key/api-key");
    });
});

describe("who a pod is", () => {
    test("is nobody's root, with nothing of the host", () => {
        const { spec, stage, server } = podOf();
        expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
        for (const { securityContext } of [stage, server]) {
            expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
        }
    });

    test("is of the pool: its nodes, taints and runtime", () => {
        const { nodeSelector, tolerations } = fullPoolPlace.pool;
        expect(podOf().spec).toMatchObject({ nodeSelector, tolerations, runtimeClassName: "nvidia" });
    });
});

test("a pod that ends has the drain's time and half a minute more", () => {
    expect(podOf().spec.terminationGracePeriodSeconds).toBe((planIn().desired.stopGraceSeconds as number) + 30);
});

test("a pod offers the API and the board", () => {
    expect(podOf().server.ports).toEqual([
        { name: "api", containerPort: 8000 },
        { name: "board", containerPort: 30080 },
    ]);
});

describe("workloads", () => {
    const labels = { "app.kubernetes.io/component": "server", "app.kubernetes.io/instance": "model" };
    const withPool = (changes: object) => planIn({ gpus: [8, 8, 8], pool: { ...fullPoolPlace.pool, ...changes } });

    test("one node is a Deployment of one pod, which ends before the next starts unless cards are spare", () => {
        const { spec } = deployment(planIn()) as unknown as { spec: PodSpec };
        expect(spec).toMatchObject({ replicas: 1, revisionHistoryLimit: 0, selector: { matchLabels: labels } });
        expect(spec.strategy).toEqual({ type: "Recreate" });
        expect(spec.progressDeadlineSeconds).toBe(planIn().budgets.progressDeadline);
        const spare = deployment(planIn({ ...onOneNode, pool: { ...fullPoolPlace.pool, spareGpus: true } }));
        expect(spare.spec).toMatchObject({
            strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        });
    });

    test("several nodes are a StatefulSet whose pods start all at once", () => {
        expect(statefulSet(withPool({}))).toMatchObject({
            metadata: { name: "model" },
            spec: {
                replicas: 3,
                podManagementPolicy: "Parallel",
                revisionHistoryLimit: 0,
                serviceName: "model-pods",
                updateStrategy: { type: "RollingUpdate" },
                selector: { matchLabels: labels },
            },
        });
    });

    test("or one group of a LeaderWorkerSet, whose pods are kept when a container ends", () => {
        expect(leaderWorkerSet(withPool({ multiNode: "leaderWorkerSet" }))).toMatchObject({
            metadata: { name: "model-group" },
            spec: {
                replicas: 1,
                startupPolicy: "LeaderCreated",
                rolloutStrategy: {
                    type: "RollingUpdate",
                    rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1 },
                },
                leaderWorkerTemplate: { restartPolicy: "None", size: 3 },
            },
        });
    });

    test("the kind follows from nodes and pool", () => {
        const kinds = [planIn(), withPool({}), withPool({ multiNode: "leaderWorkerSet" })].map(workloadManifest);
        expect(kinds.map(({ kind }) => kind)).toEqual(["Deployment", "StatefulSet", "LeaderWorkerSet"]);
    });

    test("their pods are selected by their labels", () => {
        expect(podOf().metadata.labels).toMatchObject(labels);
    });
});
