import { z } from "zod";
import { holdsSecret } from "../knowledge/base/secrets.ts";
import { serviceFieldsSchema } from "../knowledge/fields/service.ts";

/**
 * The stack file: hosts and pools, builds, models, and the services that put them together.
 *
 * It holds names, numbers and references; secrets are named (`{ config: apiKey }`) and never written here.
 */

const hostPath = z
    .string()
    .regex(/^\/[A-Za-z0-9._/-]+$/, "must be an absolute path of letters, digits, dots, dashes and underscores")
    .refine((path) => !path.split("/").includes(".."), "must not go up with ..");
const machine = z
    .string()
    .regex(/^[A-Za-z0-9:][A-Za-z0-9.:%_-]*$/, "must be a host name or an address, without a user or a port");
const user = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, "must be the name of a user");
const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and dashes, 40 at most");
const file = z.string().regex(/\.(json|ya?ml)$/, "must be a .json or .yaml file, relative to the stack file");

/** Where a secret comes from: a secret of the stack's configuration, or a file that is already on the machine. */
export const secretReferenceSchema = z.union(
    [
        z.strictObject({ config: z.string().min(1) }),
        z.strictObject({ hostFile: hostPath }),
        z.strictObject({ kubernetesSecret: z.string().min(1), key: z.string().default("token") }),
    ],
    {
        error: "must be { config: <name of a stack secret> }, { hostFile: <path> } or { kubernetesSecret: <name>, key: <key> }",
    },
);
/** See {@link secretReferenceSchema}. */
export type SecretReference = z.output<typeof secretReferenceSchema>;

/** SSH host keys that the command provider can verify. An RSA key fails against a current sshd: only SHA-1 signatures are offered for it. */
export const hostKeySchema = z
    .string()
    .regex(
        /(^|\s)(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/=]+/,
        "must be an ed25519 or ecdsa host key, as `ssh-keyscan -t ed25519 HOST` prints it (RSA keys fail against current servers)",
    );

const jumpHostSchema = z.strictObject({
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

/** A Kubernetes node pool of equal GPU nodes. */
export const poolSchema = z.strictObject({
    namespace: name,
    nodeSelector: z.record(z.string(), z.string()).default({}),
    tolerations: z
        .array(
            z.strictObject({
                key: z.string().optional(),
                operator: z.enum(["Exists", "Equal"]).optional(),
                value: z.string().optional(),
                effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
            }),
        )
        .default([{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }]),
    gpuResource: z.string().default("nvidia.com/gpu"),
    gpusPerNode: z.int().positive(),
    runtimeClass: z.string().optional(),
    storage: z
        .strictObject({
            className: z.string().optional(),
            accessMode: z.enum(["ReadWriteOnce", "ReadWriteMany"]).default("ReadWriteOnce"),
        })
        .prefault({}),
    multiNode: z.enum(["statefulSet", "leaderWorkerSet"]).default("statefulSet"),
    /** Whether GPUs are free for a second pod during a rollout. */
    spareGpus: z.boolean().default(false),
    /** Kubeconfig context. Defaults to the current one. */
    context: z.string().optional(),
    facts: file,
});

/** A web address; who needs a password for it configures the program that asks it, on the host. */
const address = z
    .string()
    .refine((text) => !holdsSecret(text), "has a user or password in it, which would be written in clear: take it out");

const commit = z.string().regex(/^[0-9a-f]{40}$/, "must be a commit of 40 hex digits, not a branch or tag");

/** One build of SGLang. */
export const buildSchema = z.strictObject({
    /** Release, or the release whose knowledge a commit follows. */
    release: z.string(),
    /** Git source; without it the published wheel is used. */
    source: z.strictObject({ repository: address.min(1), commit }).optional(),
    /** Patches that ship with this project, by file name without `.patch`; or paths of files beside the stack file. Defaults to none. */
    patches: z.array(z.string()).default([]),
    python: z
        .string()
        .regex(/^3\.\d+$/, "must be a Python version such as 3.12")
        .default("3.12"),
    cuda: z
        .string()
        .regex(/^\d+\.\d+$/, "must be a CUDA version such as 13.0")
        .default("13.0"),
    /** Versions that differ from the release's pins, by package. */
    versions: z.record(z.string(), z.string()).default({}),
    dependencies: z.enum(["full", "parser-only"]).default("full"),
    /** False for a fork or image that has more options than the release whose knowledge it follows. */
    stock: z.boolean().default(true),
    /** Package index. Defaults to pip's own configuration on the host. */
    indexUrl: address.optional(),
    /** Container image for pools, by digest. */
    image: z
        .string()
        .regex(
            /^[^\s@]+@sha256:[0-9a-f]{64}$/,
            "must be an image by digest, NAME@sha256:<64 hex digits>; a tag can move",
        )
        .optional(),
});

/** One revision of a model. */
export const modelSchema = z.strictObject({
    repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, "must be owner/name"),
    /** Commit of the repository. Defaults to the one in the lock file. */
    revision: commit.optional(),
    /** Profile to use. Defaults to the one that lists the repository. */
    profile: z.string().optional(),
    /** The model's `config.json`, for a model without a profile. */
    config: file.optional(),
    directory: hostPath.default("/var/lib/models"),
    retention: z.enum(["Retain", "Purge"]).default("Retain"),
    token: secretReferenceSchema.optional(),
    /** Hub endpoint. Defaults to the hub client's own. */
    endpoint: z
        .string()
        .regex(/^https?:\/\/[^\s@]+$/, "must be a URL such as https://hub.example.com, without a user or password")
        .optional(),
    /** Storage for pools, GiB. Defaults to the size of the files and a fifth. */
    storageGiB: z.int().positive().optional(),
});

/** A list of at least one, none of them twice. */
function distinct<T extends z.ZodType<string | number>>(each: T) {
    return z
        .array(each)
        .min(1)
        .refine((list) => new Set(list).size === list.length, "names one of them twice");
}

/** One inference service. */
export const serviceSchema = serviceFieldsSchema.extend({
    build: z.string(),
    model: z.string(),
    hosts: distinct(z.string()).optional(),
    pool: z.string().optional(),
    /** Nodes of the pool. Defaults to 1. */
    nodes: z.int().positive().optional(),
    /** GPU indices to use on each host. Defaults to all. */
    gpus: distinct(z.int().min(0)).optional(),
    apiKey: secretReferenceSchema.optional(),
});

/** The whole stack file. */
export const deploymentSchema = z.strictObject({
    hosts: z.record(name, hostSchema).default({}),
    pools: z.record(name, poolSchema).default({}),
    builds: z.record(name, buildSchema),
    models: z.record(name, modelSchema),
    services: z.record(name, serviceSchema),
});

/** See {@link deploymentSchema}. */
export type Deployment = z.output<typeof deploymentSchema>;
/** One host of a {@link Deployment}. */
export type DeploymentHost = z.output<typeof hostSchema>;
/** One pool of a {@link Deployment}. */
export type DeploymentPool = z.output<typeof poolSchema>;
/** One build of a {@link Deployment}. */
export type DeploymentBuild = z.output<typeof buildSchema>;
/** One model of a {@link Deployment}. */
export type DeploymentModel = z.output<typeof modelSchema>;
/** One service of a {@link Deployment}. */
export type DeploymentService = z.output<typeof serviceSchema>;
