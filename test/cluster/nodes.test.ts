/** One server over two nodes: it starts as a whole, rolls as a whole, and goes back as a whole. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
    deleteNamespace,
    kubectl,
    makeNamespace,
    objects,
    startClusterHub,
    unique,
} from "../support/cluster/cluster.ts";
import { askServer } from "../support/cluster/pods.ts";
import { PoolStack } from "../support/cluster/pool-stack.ts";
import { tinyModel } from "../support/standin-hub/hub.ts";

const namespace = unique("pool-nodes");
/** A resource of its own, so that the server finds both nodes empty whatever else runs. */
let stack: PoolStack;

beforeAll(async () => {
    makeNamespace(namespace);
    const hub = await startClusterHub(`${namespace}-hub`, { "acme/tiny": tinyModel });
    stack = await PoolStack.create(namespace, hub, "acme/tiny");
    stack.file.pools.rtx!.storage = { className: namespace, accessMode: "ReadWriteMany" };
    stack.service.placement = { pool: "rtx", nodes: 2 };
});

afterAll(async () => {
    await stack?.close();
    deleteNamespace(namespace);
    deleteNamespace(`${namespace}-hub`);
});

const head = () => askServer(namespace, "/get_server_info", "tiny-0");

describe("a server over two nodes", () => {
    it("serves from its first pod when both have joined", async () => {
        const result = await stack.up();
        expect(result.code, result.text).toBe(0);
        expect(head()).toMatchObject({ nnodes: 2, node_rank: 0, max_running_requests: 64 });
        const pods = objects(namespace, "pods", "-l", "app.kubernetes.io/component=server").items;
        const nodes = pods.map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName);
        expect(new Set(nodes).size).toBe(2);
        const addresses = objects(namespace, "endpoints", "tiny").subsets[0].addresses;
        expect(addresses.map(({ targetRef }: { targetRef: { name: string } }) => targetRef.name)).toEqual(["tiny-0"]);
    });

    it("is of one revision after every change, however late a rank comes", async () => {
        stack.service.environment = { STANDIN_IMPORT_SECONDS: "20" };
        for (const maxRunningRequests of [48, 32, 40, 24]) {
            stack.service.scheduling = { maxRunningRequests };
            const result = await stack.up();
            expect(result.code, result.text).toBe(0);
            const ranks = [{ node_rank: 1, max_running_requests: maxRunningRequests }];
            expect(head()).toMatchObject({ max_running_requests: maxRunningRequests, standin_ranks: ranks });
        }
        const preview = await stack.engine.preview({ expectNoChanges: true, args: ["--refresh"] });
        expect(preview.code, preview.text).toBe(0);
    });

    it("comes back as a whole when a rank's pod is deleted", async () => {
        const uids = () => objects(namespace, "pods", "-l", "app.kubernetes.io/component=server").items.length;
        kubectl(["-n", namespace, "delete", "pod", "tiny-1", "--wait=true"]);
        kubectl(["-n", namespace, "wait", "--for=condition=Ready=False", "pod/tiny-0", "--timeout=60s"]);
        kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/tiny-0", "--timeout=180s"]);
        expect(uids()).toBe(2);
        expect(head()).toMatchObject({ max_running_requests: 24, standin_ranks: [{ max_running_requests: 24 }] });
    });

    it("goes back on both nodes when the gate says no", async () => {
        stack.service.scheduling = { maxRunningRequests: 11 };
        const result = await stack.up();
        expect(result.code).not.toBe(0);
        expect(result.text).toMatch(/serves in its place; the gate said no/);
        const ranks = [{ node_rank: 1, max_running_requests: 24 }];
        expect(head()).toMatchObject({ nnodes: 2, max_running_requests: 24, standin_ranks: ranks });
    });

    it("goes on when the settings are those of before", async () => {
        stack.service.scheduling = { maxRunningRequests: 24 };
        const result = await stack.up();
        expect(result.code, result.text).toBe(0);
        expect(head()).toMatchObject({ max_running_requests: 24, standin_ranks: [{ max_running_requests: 24 }] });
    });
});
