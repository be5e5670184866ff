import { type ChildProcess, execFile, spawn } from "node:child_process";
import { accessSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const sshd = "/usr/sbin/sshd";
const run = promisify(execFile);

/** Why no ssh server can be started here, or nothing when one can. */
export function sshdAvailable(): string | undefined {
    try {
        accessSync(sshd);
        return undefined;
    } catch {
        return `${sshd} is not installed (package openssh-server)`;
    }
}

/** A real ssh server of this user's own on a loopback port, with fresh keys; commands run on this machine. */
export interface LoopbackSshd {
    port: number;
    user: string;
    /** Two OpenSSH private keys that may log in. */
    keys: [string, string];
    /** The server's ed25519 key, `type base64`. */
    hostKey: string;
    /** Ends the server and removes its files. */
    stop: () => Promise<void>;
}

/** Starts a server. With `instead`, shell text that it runs in place of every command it is asked to run. */
export async function startSshd(instead?: string): Promise<LoopbackSshd> {
    const folder = await mkdtemp(join(tmpdir(), "sshd-"));
    const file = (name: string) => join(folder, name);
    const text = (name: string) => readFile(file(name), "utf8");
    for (const name of ["host", "first", "second"]) {
        await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file(name)]);
    }
    await writeFile(file("authorized_keys"), (await text("first.pub")) + (await text("second.pub")));
    const port = await freePort();
    await writeFile(file("sshd_config"), settings(folder, port, instead));
    const user = userInfo();
    if (user.uid === 0) {
        await mkdir("/run/sshd", { recursive: true, mode: 0o755 });
    }
    const child = spawn(sshd, ["-D", "-e", "-f", file("sshd_config")], { stdio: "ignore" });
    await answering(port, child);
    return {
        port,
        user: user.username,
        keys: [await text("first"), await text("second")],
        hostKey: (await text("host.pub")).trim(),
        stop: async () => {
            child.kill();
            await rm(folder, { recursive: true, force: true });
        },
    };
}

function settings(folder: string, port: number, instead: string | undefined): string {
    return `ListenAddress 127.0.0.1
Port ${port}
HostKey ${join(folder, "host")}
AuthorizedKeysFile ${join(folder, "authorized_keys")}
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
AcceptEnv LANG LC_*
MaxStartups 100
${instead === undefined ? "" : `ForceCommand ${instead}\n`}`;
}

async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    return port;
}

/** Waits until the port takes connections. Raises an error when the server ended instead. */
async function answering(port: number, child: ChildProcess): Promise<void> {
    for (;;) {
        if (child.exitCode !== null) {
            throw new Error(`sshd ended with status ${child.exitCode} at its start`);
        }
        const open = await new Promise<boolean>((resolve) => {
            const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
            socket.on("connect", () => socket.destroy());
        });
        if (open) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
