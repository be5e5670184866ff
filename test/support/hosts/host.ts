/** Real systemd hosts for tests: a Debian root booted by systemd-nspawn, with an address, sshd and recorded GPUs. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../../knowledge/base/digest.ts";
import { installCards } from "./cards.ts";
import { debianRoot, deployUser, passwordUser, testbedDirectory } from "./debian.ts";
import { address, joinNetwork, leaveNetwork, namespace } from "./network.ts";
import { attempt, type Finished, finish, run } from "./sh.ts";
import { indexUrl, type Wheelhouse } from "./wheelhouse.ts";

/** How a host is made. */
export interface HostOptions {
    /** Its hostname. */
    readonly name: string;
    /** Login shell of the user `deploy`, such as `/usr/bin/fish` or `/bin/csh`. Default bash. */
    readonly shell?: string;
    /** A wheelhouse that pip on the host takes all packages from, shown at `/srv/wheelhouse`. */
    readonly wheelhouse?: Wheelhouse;
    /** Folders of the test machine to show read-only: path on the host → path here. */
    readonly folders?: Readonly<Record<string, string>>;
}

/** How one command is run. */
export interface ExecOptions {
    /** Default `root`. */
    readonly user?: string;
    readonly stdin?: string;
    /** Default five minutes. */
    readonly timeoutMs?: number;
}

/** A host that is up. */
export interface TestHost {
    readonly name: string;
    readonly address: string;
    readonly port: number;
    /** The host's public key, `ssh-ed25519 AAAA…`. */
    readonly hostKey: string;
    /** The private key that `root`, `deploy` and `keeper` accept. */
    readonly privateKeyPath: string;
    /** A file in known_hosts form with the host's key. */
    readonly knownHostsPath: string;
    /** Runs a command over SSH with the host key pinned; the exit status is in the answer. */
    exec(command: string, options?: ExecOptions): Promise<Finished>;
    /** A file of the host as a path on the test machine, writable. */
    root(path: string): string;
    /** Restarts the host and waits until it runs again. Files stay, /run and /tmp do not. */
    reboot(): Promise<void>;
    /** Ends the host at once and removes all it wrote. */
    stop(): void;
}

const running = join(testbedDirectory, "running");
const files = join(import.meta.dirname, "files");
const mine = new Set<number>();

process.on("exit", () => {
    for (const number of mine) {
        takeDown(number);
    }
});

/** Boots a host and waits until systemd says `running`. The first on a machine also builds the Debian root. */
export async function startHost(options: HostOptions): Promise<TestHost> {
    const lower = debianRoot();
    removeOrphans();
    const number = joinNetwork();
    mine.add(number);
    const folder = join(running, `${number}`);
    mkdirSync(join(folder, "disk"), { recursive: true });
    writeFileSync(join(folder, "owner"), `${process.pid}`);
    const root = mountRoot(folder, lower);
    const hostKey = installKeys(folder, root, address(number));
    configure(root, options);
    boot(number, folder, root, options);
    const host: TestHost = {
        name: options.name,
        address: address(number),
        port: 22,
        hostKey,
        privateKeyPath: join(folder, "key"),
        knownHostsPath: join(folder, "known_hosts"),
        exec: (command, how = {}) =>
            finish(
                "ssh",
                [...sshOptions(folder), `${how.user ?? "root"}@${address(number)}`, command],
                how.stdin,
                how.timeoutMs,
            ),
        root: (path) => join(root, path),
        reboot: async () => {
            await host.exec("touch /run/testbed-before-reboot && systemctl reboot");
            await untilRunning(host, folder);
        },
        stop: () => takeDown(number),
    };
    await untilRunning(host, folder);
    return host;
}

/** The options with which `ssh` reaches a host and nothing else. */
function sshOptions(folder: string): string[] {
    const settings = {
        BatchMode: "yes",
        ConnectTimeout: "5",
        IdentitiesOnly: "yes",
        IdentityFile: join(folder, "key"),
        LogLevel: "ERROR",
        StrictHostKeyChecking: "yes",
        UserKnownHostsFile: join(folder, "known_hosts"),
    };
    return ["-F", "none", ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
}

/** The Debian root with a disk of the host's own over it: in memory, and large enough for any free-space check. */
function mountRoot(folder: string, lower: string): string {
    const disk = join(folder, "disk");
    run("mount", "-t", "tmpfs", "-o", "size=2T,mode=0755", "tmpfs", disk);
    for (const name of ["upper", "work", "root"]) {
        mkdirSync(join(disk, name));
    }
    const layers = `lowerdir=${lower},upperdir=${join(disk, "upper")},workdir=${join(disk, "work")}`;
    run("mount", "-t", "overlay", "-o", layers, "overlay", join(disk, "root"));
    return join(disk, "root");
}

/** Makes the host's key and the users' key; returns the host's public one. */
function installKeys(folder: string, root: string, at: string): string {
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(root, "etc/ssh/ssh_host_ed25519_key"));
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(folder, "key"));
    const homes = {
        root: "root",
        [deployUser]: `home/${deployUser}`,
        [passwordUser.name]: `home/${passwordUser.name}`,
    };
    for (const [user, home] of Object.entries(homes)) {
        mkdirSync(join(root, home, ".ssh"), { recursive: true, mode: 0o700 });
        cpSync(join(folder, "key.pub"), join(root, home, ".ssh/authorized_keys"));
        run("chroot", root, "chown", "-R", `${user}:`, `/${home}/.ssh`);
    }
    const hostKey = readFileSync(join(root, "etc/ssh/ssh_host_ed25519_key.pub"), "utf8").trim();
    writeFileSync(join(folder, "known_hosts"), `${at} ${hostKey}\n`);
    return hostKey;
}

/** Stand-ins, identity and login shell. */
function configure(root: string, options: HostOptions): void {
    run("cp", "-a", "--no-preserve=ownership", `${files}/.`, root);
    installCards(root);
    writeFileSync(join(root, "etc/machine-id"), `${digestOf(options.name).slice(0, 32)}\n`);
    writeFileSync(join(root, "etc/hostname"), `${options.name}\n`);
    writeFileSync(join(root, "etc/hosts"), `127.0.0.1 localhost ${options.name}\n::1 localhost\n`);
    if (options.wheelhouse !== undefined) {
        writeFileSync(join(root, "etc/pip.conf"), `[global]\nindex-url = ${indexUrl}\n`);
    }
    if (options.shell !== undefined) {
        run("chroot", root, "usermod", "--shell", options.shell, deployUser);
    }
}

function boot(number: number, folder: string, root: string, options: HostOptions): void {
    const console_ = openSync(join(folder, "console.log"), "a");
    const wheels = options.wheelhouse === undefined ? {} : { "/srv/wheelhouse": options.wheelhouse.folder };
    const binds = Object.entries({ ...wheels, ...options.folders }).map(
        ([there, here]) => `--bind-ro=${here}:${there}`,
    );
    const argv = ["--mount", join(import.meta.dirname, "boot.sh"), root, options.name, namespace(number), ...binds];
    const child = spawn("unshare", argv, { detached: true, stdio: ["ignore", console_, console_] });
    writeFileSync(join(folder, "pid"), `${child.pid}`);
    child.unref();
}

async function untilRunning(host: TestHost, folder: string): Promise<void> {
    const ask = "test ! -e /run/testbed-before-reboot && systemctl is-system-running --wait";
    let last = "";
    for (const end = Date.now() + 90_000; Date.now() < end; ) {
        const { stdout, stderr } = await host.exec(ask, { timeoutMs: 60_000 });
        last = stdout.trim() || stderr.trim();
        if (last === "running") {
            return;
        }
        if (last === "degraded") {
            break;
        }
        await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const failed = (await host.exec("systemctl --failed --no-pager")).stdout;
    const tail = readFileSync(join(folder, "console.log"), "utf8").slice(-2000);
    throw new Error(`host ${host.name} does not run: ${last}\n${failed}\n${tail}`);
}

/** Kills a host and removes its mounts, network and files. */
function takeDown(number: number): void {
    mine.delete(number);
    const folder = join(running, `${number}`);
    if (existsSync(join(folder, "pid"))) {
        attempt("kill", "-KILL", "--", `-${readFileSync(join(folder, "pid"), "utf8")}`);
    }
    leaveNetwork(number);
    attempt("umount", "--lazy", join(folder, "disk/root"));
    attempt("umount", "--lazy", join(folder, "disk"));
    rmSync(folder, { recursive: true, force: true });
}

/** Takes down what test runs left that were killed. */
function removeOrphans(): void {
    for (const name of existsSync(running) ? readdirSync(running) : []) {
        const owner = join(running, name, "owner");
        if (existsSync(owner) && !existsSync(`/proc/${readFileSync(owner, "utf8")}`)) {
            takeDown(Number(name));
        }
    }
}
