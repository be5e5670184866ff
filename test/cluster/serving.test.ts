/** What serves stays, whatever is changed and whatever goes wrong with it: seen by a client that asks five times a second. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seen, seenDuring, startClient } from "../support/cluster/client.ts";
import {
    type ClusterHub,
    deleteNamespace,
    kubectl,
    makeNamespace,
    nodeSelector,
    objects,
    startClusterHub,
    unique,
} from "../support/cluster/cluster.ts";
import { askServer, podId, serverPod } from "../support/cluster/pods.ts";
import { PoolStack } from "../support/cluster/pool-stack.ts";
import type { EngineResult } from "../support/engine.ts";
import { tinyModel } from "../support/standin-hub/hub.ts";

const namespace = unique("serving");
let hub: ClusterHub;
let stack: PoolStack;

beforeAll(async () => {
    makeNamespace(namespace);
    hub = await startClusterHub(`${namespace}-hub`, {
        "acme/tiny": tinyModel,
        "acme/other": { files: { ...tinyModel.files, "README.md": "# Another model\n" } },
        "acme/third": { files: { ...tinyModel.files, "README.md": "# A third model\n" } },
    });
    stack = await PoolStack.create(namespace, hub, "acme/tiny");
    stack.file.pools.rtx!.nodeSelector = nodeSelector(1);
    stack.file.pools.rtx!.spareGpus = true;
    stack.service.placement = { pool: "rtx", gpus: [0, 1] };
    expect(await stack.up()).toMatchObject({ code: 0 });
    startClient(namespace, `http://tiny.${namespace}.svc.cluster.local:30000/v1/models`);
});

afterAll(async () => {
    await stack?.close();
    deleteNamespace(namespace);
    deleteNamespace(`${namespace}-hub`);
});

/** An `up` with what it came to and what the client saw meanwhile. */
async function up(args: string[] = []): Promise<EngineResult & { seen: Seen; seconds: number }> {
    const begin = Date.now();
    let result: EngineResult | undefined;
    stack.write();
    const seen = await seenDuring(namespace, async () => {
        result = await stack.engine.up({ args });
    });
    return { ...result!, seen, seconds: (Date.now() - begin) / 1000 };
}

/** Asserts that the wanted revision serves, and that nothing is left to do. */
async function settled(result: EngineResult): Promise<void> {
    expect(result.code, result.text).toBe(0);
    const preview = await stack.engine.preview({ expectNoChanges: true, args: ["--refresh"] });
    expect(preview.code, preview.text).toBe(0);
}

const address = () => objects(namespace, "service", "tiny").spec.clusterIP;

describe("with spare GPUs no request fails", () => {
    it("while a flag is changed", async () => {
        stack.service.scheduling = { maxRunningRequests: 32 };
        const result = await up();
        await settled(result);
        expect(askServer(namespace, "/get_server_info").max_running_requests).toBe(32);
        expect(result.seen.failed).toEqual([]);
    });

    it("while a download fails, and when it comes the next time", async () => {
        const before = [podId(namespace), address()];
        stack.file.models.tiny!.repository = "acme/other";
        hub.fault({ kind: "status", status: 503, times: 1000 });
        const failed = await up();
        expect(failed.code).not.toBe(0);
        expect(failed.text).toContain("503");
        hub.fault();
        const before2 = [podId(namespace), address()];
        expect(before2).toEqual(before);
        const result = await up();
        await settled(result);
        expect(askServer(namespace, "/v1/models").data[0].id).toBe("acme/other");
        expect(address()).toBe(before[1]);
        expect([...failed.seen.failed, ...result.seen.failed]).toEqual([]);
    });

    it("while taints and labels change", async () => {
        stack.file.pools.rtx!.tolerations = [{ key: "other", operator: "Exists" }];
        stack.file.pools.rtx!.nodeSelector = { ...nodeSelector(1), "kubernetes.io/os": "linux" };
        stack.write();
        const steps = await stack.engine.previewSteps();
        const gone = steps.filter(({ op, urn }) => /delete|replace/.test(op) && !/Job::/.test(urn));
        expect(gone).toEqual([]);
        const result = await up();
        await settled(result);
        expect(result.seen.failed).toEqual([]);
    });

    it("while nothing can come of it: no such resource, no such label, no such Secret", async () => {
        const { gpuResource, nodeSelector: selector } = stack.file.pools.rtx!;
        const serving = podId(namespace);
        const wrong = async (reason: RegExp) => {
            const result = await up();
            expect(result.code).not.toBe(0);
            expect(result.text).toMatch(reason);
            expect(result.seconds).toBeLessThan(110);
            expect(result.seen.failed).toEqual([]);
            expect(objects(namespace, "pods", "-l", "app.kubernetes.io/component=server").items).toContainEqual(
                expect.objectContaining({ metadata: expect.objectContaining({ uid: serving }) }),
            );
        };
        stack.file.pools.rtx!.gpuResource = "example.com/no-such-card";
        await wrong(/what served before still does; .*Insufficient example\.com\/no-such-card/);
        stack.file.pools.rtx!.gpuResource = gpuResource;
        stack.file.pools.rtx!.nodeSelector = { no: "such-label" };
        await wrong(/didn't match Pod's node affinity\/selector/);
        stack.file.pools.rtx!.nodeSelector = selector!;
        stack.service.apiKey = { kubernetesSecret: "no-such-secret", key: "token" };
        await wrong(/what served before still does; .*secret "no-such-secret" not found/);
        delete stack.service.apiKey;
        await settled(await up());
    });
});

describe("without spare GPUs", () => {
    it("a change costs one restart, which a preview shows", async () => {
        stack.file.pools.rtx!.spareGpus = false;
        await settled(await up());
        stack.service.scheduling = { maxRunningRequests: 40 };
        const result = await up();
        await settled(result);
        expect(result.seen.outage).toBeLessThan(40);
    });

    it("a failed download and a change of taints cost no more than that", async () => {
        const serving = podId(namespace);
        stack.file.models.tiny!.repository = "acme/third";
        hub.fault({ kind: "status", status: 503, times: 1000 });
        const failed = await up();
        expect(failed.code).not.toBe(0);
        expect([podId(namespace), failed.seen.failed]).toEqual([serving, []]);
        hub.fault();
        stack.file.pools.rtx!.tolerations = [{ key: "another", operator: "Exists" }];
        const result = await up();
        await settled(result);
        expect(result.seen.outage).toBeLessThan(40);
    });

    it("what a hand changed is put right and proved by `up --refresh`", async () => {
        const edit = [{ op: "replace", path: "/spec/template/spec/terminationGracePeriodSeconds", value: 17 }];
        kubectl(["-n", namespace, "patch", "deployment", "tiny", "--type=json", "-p", JSON.stringify(edit)]);
        const result = await up(["--refresh"]);
        await settled(result);
        const pod = serverPod(namespace);
        expect(pod.spec.terminationGracePeriodSeconds).toBe(90);
        expect(pod.status.containerStatuses[0].ready).toBe(true);
    });
});
