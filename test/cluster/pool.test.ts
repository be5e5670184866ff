/** The main job in a pool: from one stack file to a proved service that fills its node, through its changes, and back. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import {
    deleteNamespace,
    kubeconfig,
    kubectl,
    makeNamespace,
    nodeSelector,
    objects,
    startClusterHub,
    unique,
} from "../support/cluster/cluster.ts";
import { askServer, podId, serverPod, waitedForGpu } from "../support/cluster/pods.ts";
import { PoolStack } from "../support/cluster/pool-stack.ts";
import { tinyModel } from "../support/standin-hub/hub.ts";

const namespace = unique("pool-main");
const token = "hf_firstTokenOfTheTest";
const apiKey = "key-of-the-test-0123456789";
let stack: PoolStack;

beforeAll(async () => {
    makeNamespace(namespace);
    const hub = await startClusterHub(`${namespace}-hub`, {
        "acme/tiny": { ...tinyModel, token },
        "acme/other": { files: { ...tinyModel.files, "README.md": "# Another model\n" }, token },
    });
    stack = await PoolStack.create(namespace, hub, "acme/tiny");
    delete stack.file.pools.rtx!.gpuResource; // the real name: no other test asks for it
    stack.file.pools.rtx!.nodeSelector = nodeSelector(0);
    stack.file.models.tiny!.token = { config: "hubToken" };
    stack.service.apiKey = { config: "apiKey" };
    await stack.secret("hubToken", token);
    await stack.secret("apiKey", apiKey);
});

afterAll(async () => {
    await stack?.close();
    deleteNamespace(namespace);
    deleteNamespace(`${namespace}-hub`);
});

/** Asserts that an `up` went well, and shows what it said when not. */
async function up(): Promise<string> {
    const result = await stack.up();
    expect(result.code, result.text).toBe(0);
    return result.text;
}

const running = () => askServer(namespace, "/get_server_info").max_running_requests;

describe("a stack file in a node pool", () => {
    it("becomes a service that was proved, in a namespace that enforces the restricted level", async () => {
        await up();
        expect(serverPod(namespace).status.containerStatuses[0]).toMatchObject({ ready: true, restartCount: 0 });
        expect(serverPod(namespace).spec.containers[0].resources.limits["nvidia.com/gpu"]).toBe("8");
        expect(askServer(namespace, "/v1/models").data[0].id).toBe("acme/tiny");
        const [job] = objects(namespace, "jobs", "-l", "app.kubernetes.io/component=verdict").items;
        expect(job.status.succeeded).toBe(1);
    });

    it("is asked from the command line: what runs, what the gate said, and its log", () => {
        const ask = (...words: string[]) => {
            const argv = [join(packageRoot, "cli/main.ts"), ...words, "--file", stack.path];
            const env = { ...process.env, KUBECONFIG: kubeconfig };
            return spawnSync(process.execPath, argv, { encoding: "utf8", env });
        };
        const { stdout, stderr, status } = ask("status", "--json");
        expect(stderr).toBe("");
        expect(status).toBe(0);
        const pod = serverPod(namespace);
        const generation = pod.metadata.annotations["pulumi-sglang/generation"];
        expect(JSON.parse(stdout)).toMatchObject([
            { service: "tiny", machine: pod.metadata.name, up: true, generation, gate: "yes" },
        ]);
        expect(ask("logs").stdout).toContain(`== tiny on ${pod.metadata.name}\n`);
    });

    it("changes nothing the second time", async () => {
        const before = podId(namespace);
        const preview = await stack.engine.preview({ expectNoChanges: true });
        expect(preview.code, preview.text).toBe(0);
        await up();
        expect(podId(namespace)).toBe(before);
    });

    it("has no secret in its state, its objects or its log", async () => {
        const kinds = "pods,jobs,deployments,configmaps,services,events,replicasets";
        const seen = [
            await stack.engine.rawState(),
            kubectl(["-n", namespace, "get", kinds, "-o", "yaml"]),
            kubectl(["-n", namespace, "logs", "deploy/tiny", "-c", "server"]),
        ];
        for (const text of seen) {
            expect(text).not.toContain(token);
            expect(text).not.toContain(apiKey);
        }
    });

    it("rolls once for a changed flag, which is a line of the settings beside that of the graphs, and asks for no second set of GPUs", async () => {
        const before = podId(namespace);
        stack.service.scheduling = { maxRunningRequests: 32 };
        stack.write();
        const steps = await stack.engine.previewSteps();
        const component = steps.find(({ urn }) => urn.endsWith("sglang:index:InferenceService::tiny"));
        const [was, becomes] = [component!.oldState!.inputs!, component!.newState!.inputs!];
        const changed = { "max-running-requests": 32, "cuda-graph-max-bs-decode": 32 };
        expect(becomes.settings).toEqual({ ...(was.settings as object), ...changed });
        expect({ ...becomes, settings: 0, settingsDigest: 0 }).toEqual({ ...was, settings: 0, settingsDigest: 0 });
        await up();
        expect(podId(namespace)).not.toBe(before);
        expect(running()).toBe(32);
        expect(waitedForGpu(namespace)).toBe(false);
    });

    it("touches no serving pod and no finished download for a new hub token", async () => {
        const jobs = () =>
            objects(namespace, "jobs").items.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid);
        const before = [podId(namespace), ...jobs()];
        await stack.secret("hubToken", "hf_secondTokenOfTheTest");
        await up();
        expect([podId(namespace), ...jobs()]).toEqual(before);
        const secret = objects(namespace, "secret", "tiny-hub-token").data.token;
        expect(Buffer.from(secret, "base64").toString()).toBe("hf_secondTokenOfTheTest");
    });

    it("fails for a revision that answers nonsense, says why, and lets the one before serve", async () => {
        stack.service.scheduling = { maxRunningRequests: 11 };
        const result = await stack.up();
        expect(result.code).not.toBe(0);
        expect(result.text).toMatch(/serves in its place; the gate said no to [0-9a-f]{12}: greedy\[0\]\.numbers: all/);
        expect(running()).toBe(32);
        const { ready, lastState } = serverPod(namespace).status.containerStatuses[0];
        expect(ready).toBe(true);
        expect(lastState.terminated.message).toMatch(/^the gate said no to/);
    });

    it("fails again while nothing was changed, and goes on when the settings are right", async () => {
        expect((await stack.up()).code).not.toBe(0);
        stack.service.scheduling = { maxRunningRequests: 48 };
        await up();
        expect(running()).toBe(48);
    });

    it("restarts for a new API key", async () => {
        const before = podId(namespace);
        await stack.secret("apiKey", "another-key-of-the-test");
        await up();
        expect(podId(namespace)).not.toBe(before);
    });

    it("changes the strategy of its Deployment on a full node", async () => {
        const strategy = () => objects(namespace, "deployment", "tiny").spec.strategy.type;
        stack.file.pools.rtx!.spareGpus = true;
        await up();
        expect(strategy()).toBe("RollingUpdate");
        stack.file.pools.rtx!.spareGpus = false;
        await up();
        expect(strategy()).toBe("Recreate");
        expect(waitedForGpu(namespace)).toBe(false);
    });

    it("changes the model on a full node", async () => {
        await stack.secret("hubToken", token);
        stack.file.models.tiny!.repository = "acme/other";
        await up();
        expect(askServer(namespace, "/v1/models").data[0].id).toBe("acme/other");
        expect(waitedForGpu(namespace)).toBe(false);
    });

    it("keeps the weights when it is destroyed", async () => {
        const refused = await stack.engine.destroy();
        expect(refused.code).not.toBe(0);
        expect(refused.text).toContain("protect");
        const result = await stack.engine.destroy({ args: ["--exclude-protected"] });
        expect(result.code, result.text).toBe(0);
        const left = objects(namespace, "deployments,jobs,services,secrets,persistentvolumeclaims").items;
        expect(
            left.map(({ kind, metadata }: { kind: string; metadata: { name: string } }) => `${kind} ${metadata.name}`),
        ).toEqual(["PersistentVolumeClaim tiny-weights"]);
    });
});
