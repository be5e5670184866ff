import * as pulumi from "@pulumi/pulumi";
import { type ModelPlan, modelPlan } from "../knowledge/artifacts/model-plan.ts";
import { modelSchema } from "../knowledge/fields/model.ts";
import type { LockedModel } from "../knowledge/records/lock.ts";
import { checkArgs, typeToken } from "../placements/component.ts";
import type { Host } from "../placements/hosts/host.ts";
import { hostCommand } from "../placements/hosts/host-command.ts";
import { hostSecret } from "../placements/hosts/host-secret.ts";
import { noImage } from "../placements/pool/build.ts";
import type { GpuPool } from "../placements/pool/gpu-pool.ts";
import { weightsInPool } from "../placements/pool/weights-in-pool.ts";
import type { SecretSource } from "../placements/secret-source.ts";

/** What a deletion does with the downloaded files. */
export const CacheRetention = {
    /** Leave the files; the next `up` finds them. */
    Retain: "Retain",
    /** Delete the snapshot. */
    Purge: "Purge",
} as const;
/** See {@link CacheRetention}. */
export type CacheRetention = (typeof CacheRetention)[keyof typeof CacheRetention];

/** Arguments of {@link ModelCache}. */
export interface ModelCacheArgs {
    /** Hosts that keep the files. */
    hosts?: Host[];
    /** Kubernetes node pool that keeps the files. */
    pool?: GpuPool;
    /** Model repository, `owner/name`. */
    repository: string;
    /** Commit to pin, 40 hex digits. Branches are refused, so that a preview never changes by itself. Defaults to the one in `lock`. */
    revision?: string;
    /** Folder on the host for all snapshots. Defaults to `/var/lib/models`. */
    directory?: string;
    /** What a deletion does with the files. Defaults to `Retain`. */
    retention?: CacheRetention;
    /** Hub token for a gated repository. A new token downloads nothing again and restarts nothing. */
    token?: SecretSource;
    /** Hub endpoint. Defaults to the hub client's own. */
    endpoint?: string;
    /** In a pool: image with the hub's client, `NAME@sha256:…`; that of the build which serves. */
    image?: string;
    /** In a pool: size of the volume, GiB. Defaults to the size of the files and a fifth. */
    storageGiB?: number;
    /** What `pulumi-sglang pin` found for this repository. Without it nothing is downloaded. */
    lock?: LockedModel;
}

const plainArgs = modelSchema
    .pick({ repository: true, revision: true, directory: true, retention: true, endpoint: true, storageGiB: true })
    .strip();

/**
 * One revision of a model on hosts or in a pool, every file verified.
 *
 * @example
 * ```ts
 * const cache = new ModelCache("glm", { hosts: [host], repository: "owner/model", lock });
 * ```
 */
export class ModelCache extends pulumi.ComponentResource {
    /** Name of the cache, as given. */
    public readonly name: string;
    /** Folder of all snapshots. */
    public readonly directory: string;
    /** Pool that keeps the files. */
    public readonly pool: GpuPool | undefined;
    /** Model repository. */
    public readonly repository: string;
    /** Commit, or `not-pinned`. */
    public readonly revision: string;
    /** Absolute path of the snapshot. Whoever uses it waits for the download. */
    public readonly path: pulumi.Output<string>;
    /** Bytes of all files; 0 before `pin`. */
    public readonly bytes: number;
    /** Digest over the file list; `not-pinned` before `pin`. */
    public readonly manifestDigest: pulumi.Output<string>;
    /** The plan behind it. */
    public readonly plan: ModelPlan;

    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: ModelCacheArgs, opts?: pulumi.ComponentResourceOptions) {
        const plain = checkArgs("ModelCache", name, plainArgs, args);
        const plan = modelPlan(name, plain, args.lock);
        const { repository, directory, retention } = plain;
        const { revision, bytes = 0, manifestDigest = "not-pinned" } = plan;
        super(
            typeToken("ModelCache"),
            name,
            { repository, revision, directory, retention, bytes, manifestDigest },
            opts,
        );

        const commands = (args.hosts ?? []).map((host) => {
            const token = args.token && hostSecret(`${name}-${host.name}-token`, this, host, args.token);
            return hostCommand(
                `${name}-${host.name}-fetch`,
                host.access,
                {
                    verb: "fetch",
                    desired: pulumi.output(token?.path).apply((tokenFile) => ({ ...plan.desired, tokenFile })),
                    removes: "model",
                },
                { parent: this, dependsOn: token?.command ? [host, token.command] : host },
            );
        });

        const { pool, image = noImage, token } = args;
        const job =
            pool &&
            weightsInPool(this, name, pool, {
                model: plan,
                directory,
                image,
                storageGiB: plain.storageGiB,
                token,
                retain: retention === CacheRetention.Retain,
            });

        const ready = pulumi.all([...commands, ...(job ? [job] : [])].map(({ urn }) => urn));
        this.name = name;
        this.directory = directory;
        this.pool = pool;
        this.repository = repository;
        this.revision = revision;
        this.bytes = bytes;
        this.plan = plan;
        this.path = ready.apply(() => plan.path);
        this.manifestDigest = ready.apply(() => manifestDigest);
        this.registerOutputs({ path: this.path, bytes, manifestDigest: this.manifestDigest });
    }
}
