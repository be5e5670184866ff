/** A client in the cluster that asks a service five times a second, and remembers when it got no answer. */
import { apply, image, kubectl, restricted } from "./cluster.ts";

const program = `
import sys, time, urllib.request
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
while True:
    begin = time.time()
    try:
        direct.open(sys.argv[1], timeout=5).read()
        print("%.1f ok" % begin, flush=True)
    except OSError as error:
        print("%.1f %s" % (begin, error), flush=True)
    time.sleep(max(0, begin + 0.2 - time.time()))
`;

/** Starts the client in a namespace. */
export function startClient(namespace: string, url: string): void {
    apply({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "client", namespace },
        spec: {
            ...restricted.pod,
            containers: [
                { name: "client", image, command: ["python3", "-I", "-c", program, url], ...restricted.container },
            ],
        },
    });
    kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/client", "--timeout=60s"]);
}

/** What a client saw. */
export interface Seen {
    readonly asked: number;
    readonly failed: readonly string[];
    /** Seconds from the first failure to the last. */
    readonly outage: number;
}

/** What the client saw while something was done. */
export async function seenDuring(namespace: string, doing: () => Promise<unknown>): Promise<Seen> {
    const lines = () => kubectl(["-n", namespace, "logs", "client"]).trim().split("\n");
    const before = lines().length;
    await doing();
    const seen = lines().slice(before);
    const failed = seen.filter((line) => !line.endsWith(" ok"));
    const times = failed.map((line) => Number(line.split(" ")[0]));
    return { asked: seen.length, failed, outage: times.length === 0 ? 0 : times.at(-1)! - times[0]! };
}
