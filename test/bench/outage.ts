import type { TestHost } from "../support/hosts/host.ts";

/** Connects every 10 ms until a file appears and the port answers again, then prints the longest time without an answer. */
const probe = `
import os, socket, sys, time
port, end = int(sys.argv[1]), sys.argv[2]
last, longest = time.monotonic(), 0.0
while True:
    done = os.path.exists(end)
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        if done:
            break
    except OSError:
        pass
    time.sleep(0.01)
os.remove(end)
print(longest)
`;

/** Longest time in seconds for which a port of the host took no connection while the action ran, and until it does again. */
export async function longestOutage(host: TestHost, port: number, action: () => Promise<unknown>): Promise<number> {
    const end = "/run/bench-end";
    const probing = host.exec(`python3 - ${port} ${end}`, { stdin: probe, timeoutMs: 600_000 });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    try {
        await action();
    } finally {
        await host.exec(`touch ${end}`);
    }
    const { code, stdout, stderr } = await probing;
    if (code !== 0) {
        throw new Error(`the probe of port ${port} failed: ${stderr}`);
    }
    return Number(stdout);
}
