import { z } from "zod";
import { field } from "./field.ts";
import { factsFile, hostPath, machine, user } from "./values.ts";

/** SSH host keys that the command provider can verify. An RSA key fails against a current sshd: only SHA-1 signatures are offered for it. */
export const hostKeySchema = z
    .string()
    .regex(
        /(^|\s)(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/=]+/,
        "must be an ed25519 or ecdsa host key, as `ssh-keyscan -t ed25519 HOST` prints it (RSA keys fail against current servers)",
    );

/** How a machine is logged in to. */
const login = {
    address: field(machine, { says: "Host name or address", examples: ["192.0.2.21", "rack1.example.com"] }),
    port: field(z.int().min(1).max(65535).default(22), { says: "SSH port", examples: [2222] }),
    user: field(user.default("root"), { says: "User to log in as", examples: ["deploy"] }),
    hostKey: field(hostKeySchema, {
        says: "Its ed25519 or ecdsa host key, as `ssh-keyscan -t ed25519 HOST` prints it",
        examples: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFIRST", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAISECOND"],
    }),
};

const privateKeySchema = z.union(
    [
        z.strictObject({
            config: field(z.string().min(1), {
                says: "Name of a secret of the stack's configuration that holds the key",
                examples: ["sshKey", "otherKey"],
            }),
        }),
        z.strictObject({
            file: field(z.string().min(1), {
                says: "Path of a private key on the operator's machine",
                examples: ["~/.ssh/id_ed25519", "~/.ssh/other"],
            }),
        }),
    ],
    { error: "must be { config: <name of a stack secret> } or { file: <path of a private key> }" },
);

/** A machine between the operator and a host. */
export const jumpHostSchema = z.strictObject(login);

/** One bare-metal machine. */
export const hostSchema = z.strictObject({
    ...login,
    privateKey: field(privateKeySchema, { says: "Private key", default: "the operator's SSH agent" }).optional(),
    proxy: field(jumpHostSchema, {
        says: "Machine in between, logged in to with the same private key",
        default: "none",
    }).optional(),
    sudo: field(z.enum(["none", "passwordless"]), {
        says: "How commands become root: the user is root, or `sudo -n` asks for no password",
        default: "`none` for the user root, `passwordless` for all others",
        examples: ["passwordless"],
    }).optional(),
    dialTimeoutSeconds: field(z.int().positive().default(15), {
        says: "Time for one connection attempt",
        unit: "seconds",
        examples: [30],
    }),
    root: field(hostPath.default("/opt/sglang"), {
        says: "Folder on the host for everything but weights",
        examples: ["/srv/sglang"],
    }),
    facts: factsFile("host"),
});

/** See {@link hostSchema}. */
export type HostFields = z.output<typeof hostSchema>;
