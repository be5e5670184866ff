import { z } from "zod";
import { holdsSecret } from "../base/secrets.ts";
import { field } from "./field.ts";

/** Kinds of values that fields of several parts have. */

/** A whole number of something. */
export const size = z.int().positive();
/** An absolute path on a machine. */
export const hostPath = z
    .string()
    .regex(/^\/[A-Za-z0-9._/-]+$/, "must be an absolute path of letters, digits, dots, dashes and underscores")
    .refine((path) => !path.split("/").includes(".."), "must not go up with ..");
/** A host name or an address. */
export const machine = z
    .string()
    .regex(/^[A-Za-z0-9:][A-Za-z0-9.:%_-]*$/, "must be a host name or an address, without a user or a port");
/** A user of a machine. */
export const user = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, "must be the name of a user");
/** A namespace of a cluster. */
export const namespace = z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "must be lower-case letters, digits and dashes, 63 at most");
/** The name of anything in a stack: part of the names of resources, units and objects. */
export const name = z
    .string()
    .regex(
        /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/,
        "must be lower-case letters, digits and dashes, 40 at most, with a letter first and no dash last",
    );
/** A file beside the stack file. */
export const file = z.string().regex(/\.(json|ya?ml)$/, "must be a .json or .yaml file, relative to the stack file");
/** The file of what was recorded from a machine. */
export const factsFile = (of: string) =>
    field(file, {
        says: `Facts recorded from the ${of} by \`pulumi-sglang facts\`, relative to the stack file`,
        examples: ["facts/first.json", "facts/second.json"],
    });

/** Where a secret comes from: a secret of the stack's configuration, or a file that is already on the machine. */
export const secretReferenceSchema = z.union(
    [
        z.strictObject({
            config: field(z.string().min(1), {
                says: "Name of a secret of the stack's configuration",
                examples: ["firstSecret", "secondSecret"],
            }),
        }),
        z.strictObject({
            hostFile: field(hostPath, {
                says: "Path of a file that is already on the machine; not in a pool",
                examples: ["/etc/sglang/first", "/etc/sglang/second"],
            }),
        }),
        z.strictObject({
            kubernetesSecret: field(z.string().min(1), {
                says: "Name of a Secret that is already in the namespace; only in a pool",
                examples: ["first-secret", "second-secret"],
            }),
            key: field(z.string().default("token"), { says: "Key inside the Secret", examples: ["api-key"] }),
        }),
    ],
    {
        error: "must be { config: <name of a stack secret> }, { hostFile: <path> } or { kubernetesSecret: <name>, key: <key> }",
    },
);
/** See {@link secretReferenceSchema}. */
export type SecretReference = z.output<typeof secretReferenceSchema>;

/** A web address; who needs a password for it configures the program that asks it, on the host. */
export const address = z
    .string()
    .refine((text) => !holdsSecret(text), "has a user or password in it, which would be written in clear: take it out");

/** A commit. */
export const commit = z.string().regex(/^[0-9a-f]{40}$/, "must be a commit of 40 hex digits, not a branch or tag");

/** A list of at least one, none of them twice. */
export function distinct<T extends z.ZodType>(each: T) {
    return z
        .array(each)
        .min(1)
        .refine((list) => new Set(list).size === list.length, "names one of them twice");
}

/** GPU indices as `nvidia-smi` counts. */
export const gpuList = distinct(z.int().min(0));
