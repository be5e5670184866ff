import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How to reach a host, without secret marks. `proxy` is one hop on the way. */
export interface Connection {
    host: string;
    port?: number;
    user?: string;
    privateKey?: string;
    /** Without it any host key is accepted, as by the real plugin. */
    hostKey?: string;
    /** How many failed dials are tried again; -1 for no limit. */
    dialErrorLimit?: number;
    /** Seconds; 0 for no limit. */
    perDialTimeout?: number;
    proxy?: Connection;
}

/**
 * The ssh client's arguments up to and including `--` and the host. Key and known hosts go into files under `folder`;
 * the client reads nothing of the user's own settings, agents or known hosts.
 */
export async function sshArguments(connection: Connection, folder: string): Promise<string[]> {
    await mkdir(folder, { mode: 0o700, recursive: true });
    const port = connection.port ?? 22;
    const known = join(folder, "known_hosts");
    const key = join(folder, "key");
    if (connection.hostKey !== undefined) {
        await writeFile(known, `[${connection.host}]:${port} ${keyOf(connection.hostKey)}\n`);
    }
    if (connection.privateKey !== undefined) {
        await writeFile(key, `${connection.privateKey.trimEnd()}\n`, { mode: 0o600 });
    }
    const timeout = connection.perDialTimeout ?? 15;
    const options: Record<string, string | number> = {
        BatchMode: "yes",
        CheckHostIP: "no",
        ControlPath: "none",
        GlobalKnownHostsFile: "/dev/null",
        HostKeyAlias: `[${connection.host}]:${port}`,
        IdentitiesOnly: "yes",
        IdentityAgent: "none",
        IdentityFile: connection.privateKey === undefined ? "none" : key,
        LogLevel: "VERBOSE",
        StrictHostKeyChecking: connection.hostKey === undefined ? "no" : "yes",
        UpdateHostKeys: "no",
        UserKnownHostsFile: connection.hostKey === undefined ? "/dev/null" : known,
        ...(timeout > 0 ? { ConnectTimeout: timeout } : {}),
        ...(connection.proxy === undefined ? {} : { ProxyCommand: await proxyCommand(connection.proxy, folder) }),
    };
    return [
        ...["-F", "/dev/null", "-T", "-p", String(port), "-l", connection.user ?? "root"],
        ...Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]),
        ...["--", connection.host],
    ];
}

async function proxyCommand(proxy: Connection, folder: string): Promise<string> {
    const args = await sshArguments(proxy, join(folder, "proxy"));
    return ["ssh", "-E", join(folder, "proxy", "log"), "-W", "[%h]:%p", ...args].map((word) => `'${word}'`).join(" ");
}

/** The key of a host key line: `type base64`, with or without names before it and a comment after it. */
function keyOf(line: string): string {
    const found = /(?:^|\s)((?:ssh|ecdsa|sk)-[^\s]+\s+[A-Za-z0-9+/=]+)/.exec(line);
    if (found === null) {
        throw new Error("failed to parse host key: ssh: no key found");
    }
    return found[1]!;
}
