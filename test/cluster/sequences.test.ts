/**
 * Random sequences of good and bad changes, downloads that fail, edits by hand, lost pods and killed updates in a pool: whatever came
 * before, a last `up --refresh` has the file's settings serving and proved, and leaves nothing to do.
 *
 * Each sequence is its seed's: `SEEDS=7,8,9 STEPS=10 npx vitest run --project cluster test/cluster/sequences.test.ts` replays or adds some.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
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
import { askServer, serverPod } from "../support/cluster/pods.ts";
import { PoolStack } from "../support/cluster/pool-stack.ts";
import { type Pick, picker } from "../support/picker.ts";
import { tinyModel } from "../support/standin-hub/hub.ts";

const seeds = (process.env.SEEDS ?? "3,5").split(",").map(Number);
const length = Number(process.env.STEPS ?? 5);
const namespace = unique("sequences");
let hub: ClusterHub;
let stack: PoolStack;

beforeAll(async () => {
    makeNamespace(namespace);
    hub = await startClusterHub(`${namespace}-hub`, {
        "acme/tiny": tinyModel,
        "acme/other": { files: { ...tinyModel.files, "README.md": "# Another model\n" } },
    });
    stack = await PoolStack.create(namespace, hub, "acme/tiny");
    stack.file.pools.rtx!.nodeSelector = nodeSelector(0);
    stack.service.placement = { pool: "rtx", gpus: [0, 1] };
    expect(await stack.up()).toMatchObject({ code: 0 });
});

afterAll(async () => {
    await stack?.close();
    deleteNamespace(namespace);
    deleteNamespace(`${namespace}-hub`);
});

const pool = () => stack.file.pools.rtx!;
const flags = [24, 32, 40] as const;

/** What a hand did is seen and put right by an update that looks first. */
async function refreshed(): Promise<number> {
    stack.write();
    const result = await stack.engine.up({ args: ["--refresh"] });
    expect(result.code, result.text).toBe(0);
    return result.code;
}

/** What can be done next; each says what it did, and asserts what is true of it alone. */
const steps: Readonly<Record<string, (pick: Pick) => Promise<string>>> = {
    async flag(pick) {
        const maxRunningRequests = pick(flags);
        stack.service.scheduling = { maxRunningRequests };
        const { code } = await stack.up();
        return `flag ${maxRunningRequests}: ${code}`;
    },
    async nonsense() {
        const before = stack.service.scheduling;
        stack.service.scheduling = { maxRunningRequests: 11 };
        const { code } = await stack.up();
        stack.service.scheduling = before;
        expect(code).not.toBe(0);
        return "nonsense";
    },
    async noSuchCard() {
        const { gpuResource } = pool();
        pool().gpuResource = "example.com/no-such-card";
        const { code } = await stack.up();
        pool().gpuResource = gpuResource;
        expect(code).not.toBe(0);
        return "a card that is not there";
    },
    async taints(pick) {
        pool().tolerations = [{ key: pick(["one", "two"]), operator: "Exists" }];
        return `taints: ${(await stack.up()).code}`;
    },
    async spare(pick) {
        pool().spareGpus = pick([true, false]);
        return `spare GPUs ${pool().spareGpus}: ${(await stack.up()).code}`;
    },
    async model(pick) {
        stack.file.models.tiny!.repository = pick(["acme/tiny", "acme/other"]);
        if (pick([true, false])) {
            hub.fault({ kind: "status", status: 503, times: 1000 });
        }
        const { code } = await stack.up();
        hub.fault();
        return `${stack.file.models.tiny!.repository}: ${code}`;
    },
    async hand(pick) {
        const value = pick([17, 18]);
        const edit = [{ op: "replace", path: "/spec/template/spec/terminationGracePeriodSeconds", value }];
        kubectl(["-n", namespace, "patch", "deployment", "tiny", "--type=json", "-p", JSON.stringify(edit)]);
        return `an edit by hand: ${await refreshed()}`;
    },
    async lost(pick) {
        const what = pick(["pods -l app.kubernetes.io/component=server", "deployment tiny", "configmaps --all"]);
        kubectl(["-n", namespace, "delete", ...what.split(" ")]);
        return `lost ${what}: ${await refreshed()}`;
    },
    async killed(pick) {
        stack.service.scheduling = { maxRunningRequests: pick(flags) };
        stack.write();
        const seconds = pick([8, 14, 20]);
        await stack.engine.up({
            onStart: (child) => {
                setTimeout(() => child.kill("SIGKILL"), 1000 * seconds);
            },
        });
        await stack.engine.run(["cancel", "--yes", "-s", namespace]);
        return `killed after ${seconds} s`;
    },
};

it.each(seeds)("sequence %i ends with what the file says", async (seed) => {
    const pick = picker(seed);
    const done: string[] = [];
    try {
        for (let step = 0; step < length; step++) {
            done.push(await steps[pick(Object.keys(steps))]!(pick));
        }
        await refreshed();
        // a pod that was lost comes back by itself, and no update waits for it
        kubectl(["-n", namespace, "rollout", "status", "deployment/tiny", "--timeout=120s"]);
        const wanted = stack.service.scheduling as { maxRunningRequests: number };
        expect(askServer(namespace, "/get_server_info").max_running_requests).toBe(wanted.maxRunningRequests);
        expect(askServer(namespace, "/v1/models").data[0].id).toBe(stack.file.models.tiny!.repository);
        expect(serverPod(namespace).status.containerStatuses[0].ready).toBe(true);
        for (const { configMap } of serverPod(namespace).spec.volumes) {
            expect(configMap === undefined || objects(namespace, "configmap", configMap.name)).toBeTruthy();
        }
        const preview = await stack.engine.preview({ expectNoChanges: true, args: ["--refresh"] });
        expect(preview.code, preview.text).toBe(0);
    } catch (error) {
        throw new Error(`seed ${seed}: ${done.join("; ")}`, { cause: error });
    }
    process.stdout.write(`seed ${seed}: ${done.join("; ")}\n`);
});
