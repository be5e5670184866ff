import { z } from "zod";
import { file, hostPath, machine, user } from "./values.ts";

/** SSH host keys that the command provider can verify. An RSA key fails against a current sshd: only SHA-1 signatures are offered for it. */
export const hostKeySchema = z
    .string()
    .regex(
        /(^|\s)(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/=]+/,
        "must be an ed25519 or ecdsa host key, as `ssh-keyscan -t ed25519 HOST` prints it (RSA keys fail against current servers)",
    );

/** A machine between the operator and a host. */
export const jumpHostSchema = z.strictObject({
    address: machine,
    port: z.int().min(1).max(65535).default(22),
    user: user.default("root"),
    hostKey: hostKeySchema,
});

/** One bare-metal machine. */
export const hostSchema = z.strictObject({
    address: machine,
    port: z.int().min(1).max(65535).default(22),
    user: user.default("root"),
    hostKey: hostKeySchema,
    /** Private key: a stack secret, or a file of the operator. Defaults to the operator's SSH agent. */
    privateKey: z
        .union([z.strictObject({ config: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })], {
            error: "must be { config: <name of a stack secret> } or { file: <path of a private key> }",
        })
        .optional(),
    proxy: jumpHostSchema.optional(),
    /** How commands become root: the user is root, or `sudo -n` asks for no password. */
    sudo: z.enum(["none", "passwordless"]).optional(),
    /** Seconds for one connection attempt. */
    dialTimeoutSeconds: z.int().positive().default(15),
    /** Folder for everything but weights. */
    root: hostPath.default("/opt/sglang"),
    facts: file,
});

/** See {@link hostSchema}. */
export type HostFields = z.output<typeof hostSchema>;
