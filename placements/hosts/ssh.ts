import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { agentArchive } from "../../knowledge/artifacts/agent-archive.ts";
import { check, ProblemsError } from "../../knowledge/base/problems.ts";
import { shellQuoted } from "../../knowledge/base/shell-quoted.ts";
import { type Answer, answers } from "../../knowledge/contract/answers.ts";
import { document, type Unversioned } from "../../knowledge/contract/index.ts";
import type { HostFields } from "../../knowledge/fields/host.ts";

/** A machine as the operator's own SSH client reaches it. */
export interface SshTarget {
    /** What the user called it. */
    readonly name: string;
    /** Options and destination of `ssh`. */
    readonly destination: readonly string[];
    /** Whether commands need `sudo -n`. */
    readonly sudo: boolean;
}

/** Options of every connection: no questions, 15 s to connect, 45 s of silence. */
const limits = ["BatchMode=yes", "ConnectTimeout=15", "ServerAliveInterval=15", "ServerAliveCountMax=3"].flatMap(
    (option) => ["-o", option],
);

/** Runs the archive from a temporary file, so that nothing stays on the host. */
const runner = [
    "import base64,json,os,subprocess,sys,tempfile",
    "document=json.loads(sys.stdin.read())",
    "folder=tempfile.mkdtemp()",
    'path=os.path.join(folder,"agent.pyz")',
    'file=open(path,"wb")',
    'file.write(base64.b64decode(document.pop("archive")))',
    "file.close()",
    'done=subprocess.run([sys.executable,"-I",path,sys.argv[1]],input=json.dumps(document).encode())',
    "os.remove(path)",
    "os.rmdir(folder)",
    "sys.exit(done.returncode)",
].join(";");

/** Destination for `user@host`, an alias of the SSH configuration, or anything else that `ssh` takes. */
export function plainTarget(name: string): SshTarget {
    return { name, destination: ["--", name], sudo: !name.startsWith("root@") };
}

/** Calls `use` with a destination for a host of a stack file, its host key pinned for as long as the call lasts. */
export function withStackTarget<T>(name: string, host: HostFields, use: (target: SshTarget) => T): T {
    const folder = mkdtempSync(join(tmpdir(), "known-hosts-"));
    try {
        const known = join(folder, "known_hosts");
        writeFileSync(known, [host, ...(host.proxy ? [host.proxy] : [])].map(knownHost).join(""));
        const pinned = ["-o", `UserKnownHostsFile=${known}`, "-o", "StrictHostKeyChecking=yes"];
        const proxy = host.proxy ? ["-o", `ProxyCommand=${jump(host.proxy, [...limits, ...pinned])}`] : [];
        const identity = host.privateKey && "file" in host.privateKey ? ["-i", host.privateKey.file] : [];
        const destination = [
            ...pinned,
            ...proxy,
            ...identity,
            "-p",
            `${host.port}`,
            "-l",
            host.user,
            "--",
            host.address,
        ];
        return use({
            name,
            destination,
            sudo: (host.sudo ?? (host.user === "root" ? "none" : "passwordless")) !== "none",
        });
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** Line of a known hosts file. */
function knownHost({ address, port, hostKey }: Pick<HostFields, "address" | "port" | "hostKey">): string {
    const key = /(ssh-ed25519|ecdsa-sha2-nistp\d+) \S+/.exec(hostKey)![0];
    return `${port === 22 ? address : `[${address}]:${port}`} ${key}\n`;
}

/** Command by which `ssh` reaches a host through another; a shell runs it. */
function jump({ address, port, user }: NonNullable<HostFields["proxy"]>, options: readonly string[]): string {
    return shellQuoted(["ssh", ...options, "-p", `${port}`, "-l", user, "-W", "[%h]:%p", "--", address]);
}

/** Runs one read-only verb of the agent on a host and gives its answer. Throws a {@link ProblemsError} with what the host said. */
export function askAgent<V extends "facts" | "status">(target: SshTarget, verb: V, asked: Unversioned<V>): Answer<V> {
    const command = `python3 -I -c '${runner}' ${verb}`;
    const input = JSON.stringify({ archive: agentArchive().base64, ...document(verb, asked) });
    const answer = runRemote(target, command, input);
    const found = parsed(answer);
    if (found === undefined) {
        const message = `answered what is no JSON: ${JSON.stringify(answer.slice(0, 200))}`;
        throw new ProblemsError("The host cannot be asked:", [{ path: target.name, message }]);
    }
    const schema: z.ZodType = answers[verb];
    return check(`${target.name} answered what is no answer of \`${verb}\`:`, schema, found) as Answer<V>;
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Runs a command on a host and gives what it printed. Throws a {@link ProblemsError} with what the host said. */
export function runRemote(target: SshTarget, command: string, input = ""): string {
    const words = [...limits, ...target.destination];
    const done = spawnSync("ssh", [...words, `${target.sudo ? "sudo -n " : ""}${command}`], {
        input,
        encoding: "utf8",
        maxBuffer: 64 * 2 ** 20,
    });
    if (done.error || done.status !== 0) {
        // a connection that fails also breaks the pipe of the input: what ssh says of it tells more
        const said = done.stderr?.trim() || done.error?.message || `exit status ${done.status}`;
        throw new ProblemsError("The host cannot be asked:", [{ path: target.name, message: said }]);
    }
    return done.stdout;
}
