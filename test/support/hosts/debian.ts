/** The Debian root that every test host boots from: built once by debootstrap, then kept. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../../knowledge/base/digest.ts";
import { attempt, run } from "./sh.ts";

/** Where roots and running hosts are kept; `PULUMI_SGLANG_TESTBED` names another place. */
export const testbedDirectory = process.env.PULUMI_SGLANG_TESTBED ?? "/var/cache/pulumi-sglang-testbed";

/** Programs of the test machine that hosts need, with the Debian package of each. */
export const needed: Readonly<Record<string, string>> = {
    debootstrap: "debootstrap",
    "systemd-nspawn": "systemd-container",
    ip: "iproute2",
    ssh: "openssh-client",
    "ssh-keygen": "openssh-client",
    unshare: "util-linux",
    git: "git",
    python3: "python3",
};

/** The user with password-less sudo. */
export const deployUser = "deploy";

/** The user whose sudo asks for a password with every awkward character in it. */
export const passwordUser = { name: "keeper", password: "p'a\"s$s`w\\ord" } as const;

const suite = "bookworm";

const packages = [
    ...["systemd", "systemd-sysv", "dbus", "openssh-server", "sudo", "procps", "iproute2", "ca-certificates", "curl"],
    ...["python3", "python3-venv", "python3-pip", "git", "patch", "ninja-build", "fish", "csh"],
];

const setup = `set -e
systemctl mask apt-daily.timer apt-daily-upgrade.timer fstrim.timer e2scrub_all.timer
rm -f /etc/ssh/ssh_host_* /etc/machine-id
useradd -m -s /bin/bash ${deployUser}
useradd -m -s /bin/bash ${passwordUser.name}
echo '${deployUser} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/testbed
echo '${passwordUser.name} ALL=(ALL) ALL' >> /etc/sudoers.d/testbed
chpasswd < /root/passwords
rm /root/passwords
`;

/** What this machine lacks to boot a host, as sentences; empty when it can. */
export function missingForHosts(): string[] {
    const path = (process.env.PATH ?? "").split(":").concat("/usr/sbin", "/sbin");
    const missing = Object.entries(needed)
        .filter(([program]) => !path.some((folder) => existsSync(join(folder, program))))
        .map(([program, name]) => `${program} is not installed (Debian package ${name})`);
    return process.getuid?.() === 0 ? missing : ["not running as root", ...missing];
}

/** The path of the finished root. The first call on a machine takes about two minutes and the Debian archive. */
export function debianRoot(): string {
    const root = join(testbedDirectory, `debian-${digestOf({ suite, packages, setup }).slice(0, 12)}`);
    if (existsSync(root)) {
        return root;
    }
    const beside = `${root}.${process.pid}`;
    mkdirSync(testbedDirectory, { recursive: true });
    try {
        run("debootstrap", "--variant=minbase", `--include=${packages.join(",")}`, suite, beside);
        writeFileSync(join(beside, "root/passwords"), `${passwordUser.name}:${passwordUser.password}\n`);
        run("chroot", beside, "/bin/sh", "-c", setup);
        rmSync(join(beside, "var/cache/apt/archives"), { recursive: true, force: true });
        renameSync(beside, root);
    } finally {
        attempt("rm", "-rf", "--one-file-system", beside);
    }
    return root;
}
