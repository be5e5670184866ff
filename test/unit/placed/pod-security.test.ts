/** Every container, by the `restricted` pod security level: what it may not do, looked at in the objects themselves. */
import { expect, test } from "vitest";
import { modelPlan } from "../../../knowledge/artifacts/model-plan.ts";
import { serverPod } from "../../../placements/pool/server-pod.ts";
import { poolServicePlan } from "../../../placements/pool/service-plan.ts";
import { verdictJob } from "../../../placements/pool/verdict-job.ts";
import { fetchJob } from "../../../placements/pool/weights.ts";
import { fullPoolPlace, fullService } from "../digests/full-service.ts";

const plan = poolServicePlan(fullService, { ...fullPoolPlace, gpus: [8] });
const fetched = fetchJob({
    name: "qwen",
    model: modelPlan({ name: "qwen", repository: "owner/name", directory: "/m", retention: "Retain" }),
    directory: "/m",
    pool: fullPoolPlace.pool,
    image: fullPoolPlace.build.image,
});
// biome-ignore lint/suspicious/noExplicitAny: objects as they are applied
type Applied = any;
const specOf = (owner: Applied) => owner.spec.template?.spec ?? owner.spec;
const pods = {
    server: specOf(serverPod(plan)),
    verdict: specOf(verdictJob(plan)),
    weights: specOf(fetched),
};

test.each(Object.entries(pods))("the pod of the %s is one user's, never root's", (_, spec) => {
    expect(spec.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        fsGroupChangePolicy: "OnRootMismatch",
        seccompProfile: { type: "RuntimeDefault" },
    });
});

test.each(Object.entries(pods))("every container of the %s can gain nothing and writes only to volumes", (_, spec) => {
    const containers = [...(spec.initContainers ?? []), ...spec.containers];
    expect(containers.length).toBeGreaterThan(0);
    for (const { securityContext } of containers) {
        expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"] },
            privileged: false,
            readOnlyRootFilesystem: true,
        });
    }
});

test.each(Object.entries(pods))("the %s has a folder for what it puts aside, and the agent read-only", (_, spec) => {
    for (const { volumeMounts } of [...(spec.initContainers ?? []), ...spec.containers]) {
        expect(volumeMounts).toContainEqual({ name: "tmp", mountPath: "/tmp" });
        expect(volumeMounts).toContainEqual({ name: "agent", mountPath: "/opt/sglang/agent", readOnly: true });
    }
    expect(spec.volumes.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["agent", "tmp"]));
});

test("only the job that waits for the verdict speaks to the cluster", () => {
    expect(pods.verdict).toMatchObject({ serviceAccountName: "model-verdict", automountServiceAccountToken: true });
    for (const spec of [pods.server, pods.weights]) {
        expect(spec.automountServiceAccountToken).toBe(false);
        expect(spec).not.toHaveProperty("serviceAccountName");
    }
});

test("what a container leaves as its last words is what an error shows", () => {
    for (const spec of Object.values(pods)) {
        for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
            expect(container.terminationMessagePolicy).toBe("FallbackToLogsOnError");
            expect(container.imagePullPolicy).toBe("IfNotPresent");
        }
    }
});
