/** Starts that take long, and starts that come to nothing: what the pod says is what Pulumi says. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteNamespace, makeNamespace, nodeSelector, startClusterHub, unique } from "../support/cluster/cluster.ts";
import { podId, serverPod } from "../support/cluster/pods.ts";
import { PoolStack } from "../support/cluster/pool-stack.ts";
import { tinyModel } from "../support/standin-hub/hub.ts";

const names = ["slow", "dead", "pending", "image"] as const;
const hubName = unique("start-hub");
const stacks: Record<string, PoolStack> = {};

beforeAll(async () => {
    const hub = await startClusterHub(hubName, { "acme/tiny": tinyModel });
    for (const name of names) {
        const namespace = unique(`start-${name}`);
        makeNamespace(namespace);
        stacks[name] = await PoolStack.create(namespace, hub, "acme/tiny");
        stacks[name].file.pools.rtx!.nodeSelector = nodeSelector(1);
        stacks[name].service.placement = { pool: "rtx", gpus: [0, 1] };
    }
});

afterAll(async () => {
    for (const name of names) {
        await stacks[name]?.close();
        deleteNamespace(unique(`start-${name}`));
    }
    deleteNamespace(hubName);
});

describe.concurrent("a start", () => {
    it("is waited for as long as its budget says", async () => {
        const stack = stacks.slow!;
        stack.service.scheduling = { maxRunningRequests: 13 };
        stack.service.startupBudgetMinutes = 2;
        const result = await stack.up();
        expect(result.code, result.text).toBe(0);
        expect(serverPod(stack.namespace).status.containerStatuses[0].restartCount).toBe(0);
    });

    it("that ends at once fails with the server's own last lines", async () => {
        const stack = stacks.dead!;
        stack.service.scheduling = { maxRunningRequests: 12 };
        const result = await stack.up();
        expect(result.code).not.toBe(0);
        expect(result.text).toMatch(/the gate said no to [0-9a-f]{12}: start: the server ended before it was up\n.*/);
    });

    it("for which no node has the GPUs fails with the scheduler's reason", async () => {
        const stack = stacks.pending!;
        stack.file.pools.rtx!.gpuResource = "example.com/gpu";
        const result = await stack.up();
        expect(result.code).not.toBe(0);
        expect(result.text).toContain("Insufficient example.com/gpu");
    });

    it("from an image that cannot be pulled, or is of another release, fails with the reason, and what serves stays", async () => {
        const stack = stacks.image!;
        const first = await stack.up();
        expect(first.code, first.text).toBe(0);
        const before = podId(stack.namespace);
        const build = stack.file.builds.sglang!;
        const { image, release } = build;

        const [name] = String(image).split("@");
        build.image = `${name}@sha256:${"0".repeat(64)}`;
        const unknown = await stack.up();
        expect(unknown.code).not.toBe(0);
        expect(unknown.text).toMatch(/ErrImagePull|ImagePullBackOff/);

        Object.assign(build, { image, release: "0.5.16" });
        const older = await stack.up();
        expect(older.code).not.toBe(0);
        expect(older.text).toContain("this image has SGLang 0.5.17, the build says 0.5.16");

        Object.assign(build, { image, release });
        const back = await stack.up();
        expect(back.code, back.text).toBe(0);
        expect(podId(stack.namespace)).toBe(before);
        expect(serverPod(stack.namespace).status.containerStatuses[0]).toMatchObject({ ready: true, restartCount: 0 });
    });
});
