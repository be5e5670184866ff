/** What a pool adds to a service, and what is around its pods: addresses, networks, rights, verdict, weights. */
import { describe, expect, test } from "vitest";
import { modelPlan } from "../../../knowledge/artifacts/model-plan.ts";
import {
    clientService,
    disruptionBudget,
    networkPolicy,
    podsServiceManifest,
} from "../../../placements/pool/network.ts";
import { preparedJob, prepareJob } from "../../../placements/pool/prepare-job.ts";
import { serverPod as serverPodOf } from "../../../placements/pool/server-pod.ts";
import { type PoolPlace, poolServicePlan } from "../../../placements/pool/service-plan.ts";
import { verdictJob, verdictRights } from "../../../placements/pool/verdict-job.ts";
import { arrivalJob, fetchJob, type PoolWeights, weightsClaim } from "../../../placements/pool/weights.ts";
import { fullPoolPlace, fullService } from "../digests/full-service.ts";

const planIn = (place: Partial<PoolPlace> = { gpus: [8] }, service = fullService) =>
    poolServicePlan(service, { ...fullPoolPlace, ...place });
const labels = { "app.kubernetes.io/component": "server", "app.kubernetes.io/instance": "model" };
const grouped = { pool: { ...fullPoolPlace.pool, multiNode: "leaderWorkerSet" as const } };

// biome-ignore lint/suspicious/noExplicitAny: an object as it is applied
type Applied = any;
const serverPod = (plan: Parameters<typeof serverPodOf>[0]) => serverPodOf(plan) as Applied;

describe("readiness", () => {
    test.each([
        ["0.5.19", "/health"],
        ["0.5.20", "/ready"],
        ["0.5.23", "/ready"],
    ])("of %s is asked at %s: the cheap way is there since 0.5.20", (release, path) => {
        expect(planIn({}, { ...fullService, release }).desired.readyPath).toBe(path);
    });
});

describe("the server in a pod", () => {
    test("listens on all of the pod, on its own port or SGLang's default", () => {
        expect(planIn().arguments).toMatchObject({ host: "0.0.0.0", port: 8000 });
        expect(planIn().desired.endpoint).toEqual({ host: "0.0.0.0", port: 8000 });
        const { port: _port, ...settings } = fullService.settings;
        expect(planIn({}, { ...fullService, settings }).port).toBe(30000);
    });

    test("reads the weights where the claim is mounted", () => {
        expect(planIn().arguments["model-path"]).toBe("/var/lib/models/owner--name/0123");
        expect(planIn().desired.model).toEqual({
            path: "/var/lib/models/owner--name/0123",
            manifestDigest: "a".repeat(64),
        });
    });

    test("is told how to meet only over several nodes, and each rank adds its own", () => {
        expect(planIn().desired.nodes).toBeUndefined();
        expect(planIn().argv).not.toContain("--nnodes");
        const { desired, argv } = planIn({});
        expect(desired.nodes).toEqual({ boardPort: 30080, count: 2, head: "model-0.model-pods", port: 20000 });
        expect(argv.join(" ")).toContain("--nnodes 2");
        expect(argv.join(" ")).toContain("--node-rank 0");
        expect(argv.join(" ")).toContain("--dist-init-addr model-0.model-pods:20000");
        expect(desired.arguments).not.toHaveProperty("nnodes");
        expect(planIn(grouped).desired.nodes).toMatchObject({ head: "model-group-0.model-group" });
    });

    test("talks over its pod's own interface where it spans several nodes, and only there", () => {
        expect(planIn({}).environment).toMatchObject({ NCCL_SOCKET_IFNAME: "=eth0", GLOO_SOCKET_IFNAME: "eth0" });
        expect(planIn().environment.NCCL_SOCKET_IFNAME).toBe("=eno1");
        expect(planIn().environment.GLOO_SOCKET_IFNAME).toBeUndefined();
    });

    test("compiles into a folder of its own build on the volume", () => {
        expect(planIn().environment.HOME).toBe("/var/lib/sglang/cache/b00000000001/home");
    });

    test("gets from the agent what was decided", () => {
        const { desired, restartDigest, environment, arguments: placed } = planIn();
        expect(desired).toMatchObject({
            name: "model",
            generation: restartDigest,
            settingsDigest: fullService.settingsDigest,
            release: "0.5.23",
            image: fullPoolPlace.build.image,
            build: "b00000000001",
            arguments: placed,
            environment,
            gate: fullService.gate,
            startupBudgetSeconds: 1800,
            stopGraceSeconds: 60,
        });
        const { apiKey: _key, ...open } = fullPoolPlace;
        expect(poolServicePlan(fullService, open).desired.apiKeyFile).toBeUndefined();
    });
});

describe("addresses", () => {
    test("clients reach the pod of rank 0 at the API's port", () => {
        const spec = (place?: Partial<PoolPlace>) => clientService(planIn(place)).spec as Applied;
        expect(spec().ports).toEqual([{ name: "api", port: 8000, targetPort: 8000 }]);
        expect(spec().selector).toEqual(labels);
        expect(spec({}).selector).toEqual({ ...labels, "statefulset.kubernetes.io/pod-name": "model-0" });
        expect(spec(grouped).selector).toEqual({ ...labels, "leaderworkerset.sigs.k8s.io/worker-index": "0" });
    });

    test("pods find each other before they are ready, at board and rendezvous", () => {
        const { metadata, spec } = podsServiceManifest(planIn()) as Applied;
        expect(metadata.name).toBe("model-pods");
        expect(spec).toMatchObject({ clusterIP: "None", publishNotReadyAddresses: true, selector: labels });
        expect(spec.ports.map((one: Applied) => [one.name, one.port, one.targetPort])).toEqual([
            ["board", 30080, 30080],
            ["rendezvous", 20000, 20000],
        ]);
    });
});

describe("the network policy", () => {
    const spec = (place: PoolPlace) => networkPolicy(poolServicePlan(fullService, place)).spec as Applied;
    const { apiKey: _key, ...open } = fullPoolPlace;

    test("lets anybody reach the API where it has a key, else only the namespace", () => {
        expect(spec(fullPoolPlace).ingress[0]).toEqual({ ports: [{ port: 8000, protocol: "TCP" }] });
        expect(spec(open).ingress[0]).toEqual({
            from: [{ podSelector: {} }],
            ports: [{ port: 8000, protocol: "TCP" }],
        });
    });

    test("lets the namespace reach the board, and the server's own pods everything", () => {
        const [, board, own] = spec(fullPoolPlace).ingress;
        expect(board).toEqual({ from: [{ podSelector: {} }], ports: [{ port: 30080, protocol: "TCP" }] });
        expect(own).toEqual({ from: [{ podSelector: { matchLabels: labels } }] });
        expect(spec(fullPoolPlace).ingress).toHaveLength(3);
    });

    test("is about what comes in, to the server's pods", () => {
        expect(spec(fullPoolPlace)).toMatchObject({ policyTypes: ["Ingress"], podSelector: { matchLabels: labels } });
    });
});

test("a drain waits for a server that is ready, and for no other", () => {
    expect(disruptionBudget(planIn()).spec).toEqual({
        maxUnavailable: 0,
        selector: { matchLabels: labels },
        unhealthyPodEvictionPolicy: "AlwaysAllow",
    });
});

describe("the verdict", () => {
    const jobOf = () => verdictJob(planIn()) as Applied;

    test("is tried once, by a job that may ask the Kubernetes API", () => {
        const job = jobOf();
        expect(job.spec.backoffLimit).toBe(0);
        expect(job.spec.template.spec).toMatchObject({
            serviceAccountName: "model-verdict",
            automountServiceAccountToken: true,
            restartPolicy: "Never",
        });
    });

    test("is waited for as long as the rollout may take and as long again for the way back, and then the reason is told", () => {
        const job = jobOf();
        const { progressDeadline } = planIn().budgets;
        expect(job.spec.template.spec.containers[0].command.join(" ")).toContain(`--seconds ${progressDeadline}`);
        expect(job.spec.activeDeadlineSeconds).toBeGreaterThan(2 * progressDeadline + 120);
    });

    test("is said anew of pods that differ in anything", () => {
        const name = (place: Partial<PoolPlace>) => verdictJob(planIn({ gpus: [8], ...place })).metadata.name;
        const pool = (changes: Partial<PoolPlace["pool"]>) => name({ pool: { ...fullPoolPlace.pool, ...changes } });
        const names = [
            name({}),
            name({ memoryBytes: 2 ** 35 }),
            pool({ gpuResource: "example.com/gpu" }),
            pool({ nodeSelector: { other: "node" } }),
            pool({ tolerations: [] }),
            pool({ runtimeClass: "other" }),
            pool({ requests: { cpu: "8", memory: "2Gi" } }),
        ];
        expect(new Set(names).size).toBe(names.length);
        expect(name({})).toBe(names[0]);
    });

    test("needs no node of the pool, so that it can tell that there is none", () => {
        const { nodeSelector, tolerations } = fullPoolPlace.pool;
        const { spec } = jobOf().spec.template;
        expect(spec.nodeSelector).toBeUndefined();
        expect(spec.runtimeClassName).toBeUndefined();
        expect(spec.tolerations).toEqual([...tolerations, { operator: "Exists", effect: "NoSchedule" }]);
        const [{ preference }] = spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution;
        expect(preference.matchExpressions).toEqual(
            Object.entries(nodeSelector).map(([key, value]) => ({ key, operator: "In", values: [value] })),
        );
    });

    test("is of this rollout's pods and this revision", () => {
        const job = jobOf();
        const words = job.spec.template.spec.containers[0].command.join(" ");
        expect(words).toContain(
            "serve verdict --object Deployment/model --selector app.kubernetes.io/component=server,app.kubernetes.io/instance=model ",
        );
        expect(words).toContain(`--generation ${planIn().restartDigest} --pods 1 --port 30080`);
        expect(words).toContain(`--rollout ${serverPod(planIn()).metadata.annotations["pulumi-sglang/rollout"]} `);
    });

    test("has no card and little memory", () => {
        const [{ resources }] = jobOf().spec.template.spec.containers;
        expect(Object.keys(resources.limits).sort()).toEqual(["cpu", "ephemeral-storage", "memory"]);
        expect(resources).toMatchObject({ requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "256Mi" } });
    });

    test("may look at pods, events, its own workload, what that makes and what prepares it, and do nothing", () => {
        const [account, role, binding] = verdictRights(planIn()) as Applied[];
        expect(role.rules).toEqual([
            { apiGroups: [""], resources: ["events", "pods"], verbs: ["list"] },
            { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["model"], verbs: ["get"] },
            { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list"] },
            {
                apiGroups: ["batch"],
                resources: ["jobs"],
                resourceNames: [prepareJob(planIn()).metadata.name],
                verbs: ["get"],
            },
        ]);
        expect(binding.roleRef).toEqual({
            apiGroup: "rbac.authorization.k8s.io",
            kind: "Role",
            name: role.metadata.name,
        });
        expect(binding.subjects).toEqual([{ kind: "ServiceAccount", name: account.metadata.name }]);
    });
});

describe("what comes before a change", () => {
    const prepare = (plan = planIn()) => prepareJob(plan) as Applied;

    test("does what the server's pod does first, over the same files and in the same image, without a card", () => {
        const [stage] = serverPod(planIn()).spec.initContainers;
        const { containers, volumes } = prepare().spec.template.spec;
        expect(containers[0].command).toEqual([...stage.command, "--ahead"]);
        expect(containers[0].image).toBe(stage.image);
        expect(containers[0].volumeMounts).toEqual(stage.volumeMounts);
        expect(JSON.stringify(containers[0].resources)).not.toContain("gpu");
        const named = (all: { name: string }[]) => all.filter(({ name }) => ["settings", "stage"].includes(name));
        expect(named(volumes)).toEqual(named(serverPod(planIn()).spec.volumes));
    });

    test("is done anew for another image and another setting, and watched by its name", () => {
        const { place, desired } = planIn();
        const image = { ...planIn(), place: { ...place, build: { ...place.build, image: `${place.build.image}0` } } };
        const setting = { ...planIn(), desired: { ...desired, arguments: { ...desired.arguments, "tp-size": 3 } } };
        const names = [planIn(), image, setting].map((plan) => prepare(plan).metadata.name);
        expect(new Set(names).size).toBe(3);
        const [{ command }] = (preparedJob(image) as Applied).spec.template.spec.containers;
        expect(command.join(" ")).toContain(`serve arrival --job ${names[1]} --seconds `);
    });

    test("ends before the start's own budget counts, and is told before it is ended", () => {
        const { activeDeadlineSeconds } = prepare().spec;
        const watcher = preparedJob(planIn()) as Applied;
        expect(watcher.spec.activeDeadlineSeconds).toBeGreaterThan(activeDeadlineSeconds);
        expect(activeDeadlineSeconds).toBeLessThan(planIn().budgets.wait);
    });
});

describe("weights", () => {
    const weights: PoolWeights = {
        name: "qwen",
        model: modelPlan({
            name: "qwen",
            repository: "owner/name",
            directory: "/var/lib/models",
            retention: "Retain",
            locked: {
                revision: "0".repeat(40),
                bytes: 100 * 2 ** 30,
                manifestDigest: "a".repeat(64),
                files: [{ path: "config.json", size: 100 * 2 ** 30, gitBlob: "b".repeat(40) }],
            },
        }),
        directory: "/var/lib/models",
        pool: fullPoolPlace.pool,
        image: fullPoolPlace.build.image,
        token: { secret: "hub", key: "hf" },
    };
    const claim = (changes: Partial<PoolWeights> = {}) => weightsClaim({ ...weights, ...changes }).spec as Applied;

    test("have a volume of their size and a fifth, ten GiB at least, or as large as the stack says", () => {
        expect(claim().resources.requests.storage).toBe("120Gi");
        expect(claim({ model: { ...weights.model, bytes: 1 } }).resources.requests.storage).toBe("10Gi");
        expect(claim({ storageGiB: 7 }).resources.requests.storage).toBe("7Gi");
    });

    test("lie where the pool's storage says", () => {
        expect(claim()).toMatchObject({ accessModes: ["ReadWriteMany"], storageClassName: "local" });
        const plain = { ...fullPoolPlace.pool, storage: { accessMode: "ReadWriteOnce" as const } };
        expect(claim({ pool: plain })).not.toHaveProperty("storageClassName");
    });

    test("are fetched by a job that is tried three times, within the time that 20 MB/s need and ten minutes to start", () => {
        const { spec } = fetchJob(weights) as Applied;
        expect(spec.backoffLimit).toBe(2);
        expect(spec.activeDeadlineSeconds).toBe(600 + Math.ceil((100 * 2 ** 30) / 20e6));
        const small = fetchJob({ ...weights, model: { ...weights.model, bytes: 1 } }) as Applied;
        expect(small.spec.activeDeadlineSeconds).toBe(600 + 900);
    });

    test("are watched by a job that outlasts theirs, and its own time, so that it can tell why they do not come", () => {
        const { spec } = arrivalJob(weights) as Applied;
        const words: string[] = spec.template.spec.containers[0].command;
        const seconds = Number(words.at(-1));
        expect(words.join(" ")).toContain(`serve arrival --job ${fetchJob(weights).metadata.name} --seconds`);
        expect(seconds).toBeGreaterThan((fetchJob(weights) as Applied).spec.activeDeadlineSeconds);
        expect(spec.activeDeadlineSeconds).toBeGreaterThanOrEqual(seconds + 600);
    });

    test("are fetched beside what is there already, by a job that differs in its name from any other", () => {
        const name = (changes: Partial<PoolWeights>) => fetchJob({ ...weights, ...changes }).metadata.name;
        const elsewhere = { ...fullPoolPlace.pool, nodeSelector: { other: "node" } };
        const names = [name({}), name({ pool: elsewhere }), name({ directory: "/srv" })];
        expect(name({ image: "other" })).toBe(names[0]);
        expect(new Set(names).size).toBe(names.length);
        const claim = { "pulumi-sglang/claim": "qwen-weights" };
        const { metadata, spec } = (fetchJob(weights) as Applied).spec.template;
        expect(metadata.labels).toMatchObject(claim);
        expect(serverPod(planIn()).metadata?.labels).toMatchObject(claim);
        const [{ podAffinityTerm }] = spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution;
        expect(podAffinityTerm).toEqual({
            labelSelector: { matchLabels: claim },
            topologyKey: "kubernetes.io/hostname",
        });
    });

    test("are fetched with the token, which nothing else of the pool sees", () => {
        const { spec } = (fetchJob(weights) as Applied).spec.template;
        expect(spec.volumes).toContainEqual({
            name: "token",
            secret: { secretName: "hub", defaultMode: 0o440, items: [{ key: "hf", path: "token" }] },
        });
        expect(spec.containers[0].volumeMounts).toContainEqual({
            name: "token",
            mountPath: "/etc/sglang/token",
            readOnly: true,
        });
        const { token: _token, ...open } = weights;
        expect(JSON.stringify(fetchJob(open))).not.toContain('token"');
    });
});
