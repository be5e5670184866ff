/** The throwaway cluster of the tier: kubectl, namespaces, volumes and a model hub in it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { type HubFault, type HubRepository, startHub } from "../standin-hub/hub.ts";

/** Kubeconfig of the cluster. */
export const kubeconfig = variable("PULUMI_SGLANG_TEST_KUBECONFIG");

/** Image with the stand-in server, `NAME@sha256:…`; the nodes have it. */
export const image = variable("PULUMI_SGLANG_TEST_IMAGE");

/** Labels by which pods of the tests select nodes: all with the card, or one of them. */
export function nodeSelector(index?: number): Record<string, string> {
    const card = { "nvidia.com/gpu.product": "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition" };
    if (index === undefined) {
        return card;
    }
    const names = kubectl(["get", "nodes", "-l", Object.entries(card)[0]!.join("="), "-o", "name"])
        .trim()
        .split("\n");
    return { ...card, "kubernetes.io/hostname": names[index % names.length]!.replace("node/", "") };
}

function variable(name: string): string {
    const value = process.env[name];
    if (!value) {
        throw new Error(`${name} is not set: see test/support/cluster/README.md`);
    }
    return value;
}

/** What kubectl prints; throws with what it says when it fails. */
export function kubectl(args: readonly string[], input?: unknown): string {
    const { status, stdout, stderr } = spawnSync("kubectl", ["--kubeconfig", kubeconfig, ...args], {
        encoding: "utf8",
        input: input === undefined ? undefined : JSON.stringify(input),
        maxBuffer: 2 ** 26,
    });
    if (status !== 0) {
        throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
    }
    return stdout;
}

/** Has every node with the card advertise eight of a resource that no other test asks for. */
export function advertise(resource: string): void {
    const nodes = kubectl(["get", "nodes", "-l", Object.entries(nodeSelector())[0]!.join("="), "-o", "name"]);
    const path = `/status/capacity/${resource.replace("/", "~1")}`;
    const patch = JSON.stringify([{ op: "add", path, value: "8" }]);
    for (const node of nodes.trim().split("\n")) {
        kubectl(["patch", node, "--subresource=status", "--type=json", "-p", patch]);
    }
}

/** What a pod and a container of a test must say in a namespace that enforces the `restricted` level. */
export const restricted = {
    pod: { securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } } },
    container: { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } },
} as const;

/** A name that no earlier run left behind; what is deleted at the end need not be waited for. */
export function unique(name: string): string {
    return `${name}-${process.pid}`;
}

/** An object as kubectl prints it. */
// biome-ignore lint/suspicious/noExplicitAny: objects of any kind, looked into by tests
export function objects(namespace: string, ...args: string[]): any {
    return JSON.parse(kubectl(["-n", namespace, "get", "-o", "json", ...args]));
}

/** A namespace that enforces the `restricted` level, with a volume for weights that any user may write to. */
export function makeNamespace(name: string): void {
    const level = {
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/warn": "restricted",
    };
    const path = `/var/tmp/sglang-test/${name}`;
    apply(
        { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: level } },
        {
            apiVersion: "v1",
            kind: "PersistentVolume",
            metadata: { name },
            spec: {
                accessModes: ["ReadWriteOnce", "ReadWriteMany"],
                capacity: { storage: "100Gi" },
                hostPath: { path, type: "DirectoryOrCreate" },
                persistentVolumeReclaimPolicy: "Retain",
                storageClassName: name,
            },
        },
    );
    onNode(name, path, "chmod 777 /volume");
}

/** Runs a shell command as root on a node, with a folder of it as /volume. */
function onNode(name: string, path: string, command: string): void {
    const pod = `prepare-${name}`;
    apply({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: pod, namespace: "default" },
        spec: {
            containers: [
                {
                    name: "do",
                    image,
                    command: ["sh", "-c", command],
                    volumeMounts: [{ name: "v", mountPath: "/volume" }],
                },
            ],
            nodeSelector: nodeSelector(),
            restartPolicy: "Never",
            tolerations: [{ operator: "Exists" }],
            volumes: [{ name: "v", hostPath: { path, type: "DirectoryOrCreate" } }],
        },
    });
    kubectl(["wait", "--for=jsonpath={.status.phase}=Succeeded", `pod/${pod}`, "--timeout=60s"]);
    kubectl(["delete", "pod", pod, "--wait=false"]);
}

/** Ends a namespace, its volume included. */
export function deleteNamespace(name: string): void {
    kubectl(["delete", "namespace", name, "--ignore-not-found", "--wait=false"]);
    kubectl(["delete", "persistentvolume", name, "--ignore-not-found", "--wait=false"]);
}

/** Applies objects. */
export function apply(...items: unknown[]): void {
    kubectl(["apply", "-f", "-"], { apiVersion: "v1", kind: "List", items });
}

/** A hub in the cluster: its address for pods, and what it has. */
export interface ClusterHub {
    readonly endpoint: string;
    readonly repositories: Awaited<ReturnType<typeof startHub>>["repositories"];
    /** Adds a fault; without one, ends all faults. */
    fault(fault?: HubFault): void;
}

/** Starts the stand-in hub as a pod of a namespace of its own. */
export async function startClusterHub(
    namespace: string,
    repositories: Readonly<Record<string, HubRepository>>,
): Promise<ClusterHub> {
    const local = await startHub(repositories);
    local.stop();
    const program = readFileSync(join(packageRoot, "test/support/standin-hub/hub.py"), "utf8");
    const data = { "hub.py": program, "repositories.json": JSON.stringify(repositories) };
    const labels = { app: "hub" };
    apply(
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "hub", namespace }, data },
        {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "hub", namespace, labels },
            spec: {
                containers: [
                    {
                        name: "hub",
                        image,
                        command: ["sh", "-c", "exec python3 /hub/hub.py 0.0.0.0 8080 < /hub/repositories.json"],
                        readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
                        volumeMounts: [{ name: "hub", mountPath: "/hub" }],
                    },
                ],
                volumes: [{ name: "hub", configMap: { name: "hub" } }],
            },
        },
        {
            apiVersion: "v1",
            kind: "Service",
            metadata: { name: "hub", namespace },
            spec: { selector: labels, ports: [{ port: 8080 }] },
        },
    );
    kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/hub", "--timeout=60s"]);
    const post =
        "import sys, urllib.request as u; u.urlopen('http://127.0.0.1:8080/_standin/fault', sys.argv[1].encode())";
    return {
        endpoint: `http://hub.${namespace}.svc.cluster.local:8080`,
        repositories: local.repositories,
        fault: (fault = {} as HubFault) => {
            kubectl(["-n", namespace, "exec", "hub", "--", "python3", "-I", "-c", post, JSON.stringify(fault)]);
        },
    };
}
