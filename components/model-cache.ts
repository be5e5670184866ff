import * as pulumi from "@pulumi/pulumi";
import { type ModelSpec, modelPlan } from "../knowledge/artifacts/model-plan.ts";
import { modelSchema } from "../knowledge/fields/model.ts";
import { type LockedModel, lockedModel } from "../knowledge/records/lock.ts";
import { checkArgs, invalid, once, typeToken } from "../placements/component.ts";
import { placementOf } from "../placements/index.ts";
import { type ModelPlacement, placementArgs, resourcesOf } from "../placements/registry.ts";
import { kindOf, type SecretSource, secretSource } from "../placements/secret-source.ts";

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
    /** Where the files are: on hosts, or on a volume of a pool. */
    placement: ModelPlacement;
    /** Model repository, `owner/name`. */
    repository: string;
    /** Commit to pin, 40 hex digits. Branches are refused, so that a preview never changes by itself. Defaults to the one in `lock`. */
    revision?: string;
    /** Folder for all snapshots. Defaults to `/var/lib/models`. */
    directory?: string;
    /** What a deletion does with the files. Defaults to `Retain`. */
    retention?: CacheRetention;
    /** Hub token for a gated repository. A new token downloads nothing again and restarts nothing. */
    token?: SecretSource;
    /** Hub endpoint. Defaults to the hub client's own. */
    endpoint?: string;
    /** What `pulumi-sglang pin` found for this repository. Without it nothing is downloaded. */
    lock?: LockedModel;
}

const modelArgs = modelSchema.omit({ profile: true, config: true, storageGiB: true, token: true }).extend({
    placement: placementArgs("model"),
    token: secretSource.optional(),
    lock: lockedModel.optional(),
});

/**
 * One revision of a model on hosts or in a pool, every file verified.
 *
 * @example
 * ```ts
 * const cache = new ModelCache("glm", { placement: { hosts: [host] }, repository: "owner/model", lock });
 * ```
 */
export class ModelCache extends pulumi.ComponentResource {
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
    /** @internal What was asked for. */
    public readonly spec: ModelSpec;
    /** @internal Where it is, as given. */
    public readonly placement: ModelPlacement;

    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: ModelCacheArgs, opts?: pulumi.ComponentResourceOptions) {
        const { placement, token, lock, ...fields } = checkArgs("ModelCache", name, modelArgs, args);
        const kind = "hosts" in placement ? "hosts" : "pool";
        const wrong = token && placementOf({ kind }).secretProblem(kindOf(token));
        if (wrong) {
            throw invalid("ModelCache", name, [{ path: "token", message: wrong }]);
        }
        const spec: ModelSpec = { ...fields, name, ...(lock ? { locked: lock } : {}) };
        const { repository, directory, retention } = spec;
        const { revision, path, bytes = 0, manifestDigest = "not-pinned" } = modelPlan(spec);
        const inputs = { repository, revision, directory, retention, bytes, manifestDigest };
        super(typeToken("ModelCache"), name, inputs, opts);

        const made = resourcesOf(placement).model(this, spec, placement, token);

        this.repository = repository;
        this.revision = revision;
        this.bytes = bytes;
        this.spec = spec;
        this.placement = args.placement;
        this.path = once(made, path);
        this.manifestDigest = once(made, manifestDigest);
        this.registerOutputs({ path: this.path, bytes, manifestDigest: this.manifestDigest });
    }
}
