/** Two stacks that name the same service in the same namespace: the second is refused, and takes nothing along when it goes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
    deleteNamespace,
    makeNamespace,
    nodeSelector,
    objects,
    startClusterHub,
    unique,
} from "../support/cluster/cluster.ts";
import { PoolStack } from "../support/cluster/pool-stack.ts";
import { tinyModel } from "../support/standin-hub/hub.ts";

const namespace = unique("owned");
let first: PoolStack;
let second: PoolStack;

beforeAll(async () => {
    makeNamespace(namespace);
    const hub = await startClusterHub(`${namespace}-hub`, { "acme/tiny": tinyModel });
    first = await PoolStack.create(namespace, hub, "acme/tiny");
    first.file.pools.rtx!.nodeSelector = nodeSelector(0);
    first.service.placement = { pool: "rtx", gpus: [0, 1] };
    second = await PoolStack.create(unique("second"), hub, "acme/tiny");
    second.file.pools.rtx = { ...first.file.pools.rtx };
    second.service.placement = { pool: "rtx", gpus: [2, 3] };
    const result = await first.up();
    expect(result.code, result.text).toBe(0);
});

afterAll(async () => {
    await first?.close();
    await second?.close();
    deleteNamespace(namespace);
    deleteNamespace(`${namespace}-hub`);
});

const kinds =
    "deployments,services,jobs,configmaps,serviceaccounts,roles,rolebindings,persistentvolumeclaims,networkpolicies";

/** Every object with its identity, the times that it was written, and its owner. */
const all = () =>
    objects(namespace, kinds)
        .items.map(({ kind, metadata }: { kind: string; metadata: Record<string, never> }) => {
            const { name, uid, generation, annotations = {} } = metadata as Record<string, string | object>;
            return `${kind} ${name} ${uid} ${generation} ${(annotations as Record<string, string>)["pulumi-sglang/owner"]}`;
        })
        .toSorted();

it("the second is refused by what says whose the objects are, changes nothing of the first, and takes nothing along", async () => {
    const before = all();
    expect(before.join("\n")).toContain(`Deployment tiny`);
    expect(before.join("\n")).toContain(`pulumi-sglang/${namespace}`);
    const refused = await second.up();
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(
        /conflict with "pulumi-kubernetes-[0-9a-f]+": \.metadata\.annotations\.pulumi-sglang\/owner/,
    );
    expect(all()).toEqual(before);
    const gone = await second.engine.destroy({ args: ["--exclude-protected"] });
    expect(gone.code, gone.text).toBe(0);
    expect(all()).toEqual(before);
});

it("the first goes on as if nothing had been", async () => {
    first.service.scheduling = { maxRunningRequests: 32 };
    const result = await first.up();
    expect(result.code, result.text).toBe(0);
});
