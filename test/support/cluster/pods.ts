/** Looking at the server's pods of a test stack. */
import { kubectl, objects } from "./cluster.ts";

const server = ["-l", "app.kubernetes.io/component=server"];

/** The one pod of the server; throws when there is not exactly one. */
// biome-ignore lint/suspicious/noExplicitAny: a pod, looked into by tests
export function serverPod(namespace: string): any {
    const { items } = objects(namespace, "pods", ...server);
    if (items.length !== 1) {
        throw new Error(`${namespace} has ${items.length} server pods`);
    }
    return items[0];
}

/** Identity of the server's pod: another one after every roll. */
export function podId(namespace: string): string {
    return serverPod(namespace).metadata.uid;
}

const program = `
import json, os, sys, urllib.request
request = urllib.request.Request("http://127.0.0.1:30000" + sys.argv[1])
if os.path.exists("/etc/sglang/key/api-key"):
    request.add_header("Authorization", "Bearer " + open("/etc/sglang/key/api-key").read())
print(urllib.request.urlopen(request).read().decode())
`;

/** What the server answers to a GET, asked in its pod with its key. */
// biome-ignore lint/suspicious/noExplicitAny: an answer, looked into by tests
export function askServer(namespace: string, path: string, pod = serverPod(namespace).metadata.name): any {
    return JSON.parse(
        kubectl(["-n", namespace, "exec", pod, "-c", "server", "--", "python3", "-I", "-c", program, path]),
    );
}

/** Whether any pod of the namespace ever waited for a GPU. */
export function waitedForGpu(namespace: string): boolean {
    const { items } = objects(namespace, "events");
    return items.some(({ reason, message }: { reason: string; message: string }) => {
        return reason === "FailedScheduling" && message.includes("nvidia.com/gpu");
    });
}
