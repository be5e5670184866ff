import { describe, expect, it } from "vitest";
import { z } from "zod";
import { manifestOf, planPoolExample } from "./pool-file.ts";

/** A server over two nodes of the example's pool. */
function overTwoNodes(multiNode: string) {
    const [glm5] = planPoolExample(({ pools, services: { glm5 } }) => {
        pools.rtx.multiNode = multiNode;
        pools.rtx.storage.accessMode = "ReadWriteMany";
        glm5.placement.nodes = 2;
    });
    return glm5!;
}

/** What the API of LeaderWorkerSet takes, as far as it is used (kubernetes-sigs/lws, api/leaderworkerset/v1). */
const leaderWorkerSet = z.strictObject({
    apiVersion: z.literal("leaderworkerset.x-k8s.io/v1"),
    kind: z.literal("LeaderWorkerSet"),
    metadata: z.looseObject({ name: z.string().max(63) }),
    spec: z.strictObject({
        replicas: z.int(),
        leaderWorkerTemplate: z.strictObject({
            size: z.int().min(1),
            restartPolicy: z.enum(["RecreateGroupOnPodRestart", "RecreateGroupAfterStart", "None"]),
            workerTemplate: z.strictObject({
                metadata: z.looseObject({}),
                spec: z.looseObject({ containers: z.array(z.unknown()) }),
            }),
        }),
        rolloutStrategy: z.strictObject({
            type: z.literal("RollingUpdate"),
            rollingUpdateConfiguration: z.strictObject({ maxSurge: z.int(), maxUnavailable: z.int() }),
        }),
        startupPolicy: z.enum(["LeaderCreated", "LeaderReady"]),
    }),
});

describe("a server over several nodes", () => {
    it("is a StatefulSet whose first pod serves", () => {
        const service = overTwoNodes("statefulSet");
        const { spec } = manifestOf(service, "StatefulSet");
        expect(spec).toMatchObject({ replicas: 2, serviceName: "glm5-pods", podManagementPolicy: "Parallel" });
        expect(manifestOf(service, "Service", "glm5").spec.selector).toMatchObject({
            "statefulset.kubernetes.io/pod-name": "glm5-0",
        });
        expect(manifestOf(service, "Service", "glm5-pods").spec).toMatchObject({
            clusterIP: "None",
            publishNotReadyAddresses: true,
        });
        expect(service.placed.argv.join(" ")).toContain("--dist-init-addr glm5-0.glm5-pods:20000");
        expect(service.placed.argv.join(" ")).toContain("--nnodes 2 --node-rank 0");
    });

    it("is a LeaderWorkerSet that its API takes, on demand", () => {
        const service = overTwoNodes("leaderWorkerSet");
        leaderWorkerSet.parse(manifestOf(service, "LeaderWorkerSet"));
        expect(manifestOf(service, "LeaderWorkerSet").spec.leaderWorkerTemplate.size).toBe(2);
        expect(service.placed.argv.join(" ")).toContain("--dist-init-addr glm5-group-0.glm5-group:20000");
    });

    it("meets over the interface that a pod has", () => {
        expect(overTwoNodes("statefulSet").placed.environment).toMatchObject({
            NCCL_SOCKET_IFNAME: "=eth0",
            GLOO_SOCKET_IFNAME: "eth0",
        });
    });
});
