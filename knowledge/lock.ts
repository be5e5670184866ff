import { z } from "zod";

/**
 * What `pulumi-sglang pin` found and wrote to `locks/<stack>.json`: identifiers that nobody invents.
 *
 * Entries are keyed by what was asked for (repository, release), so that two services that use the same model share one.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 of 64 hex digits");
const sha1 = z.string().regex(/^[0-9a-f]{40}$/, "must be a git hash of 40 hex digits");

const lockedFile = z.strictObject({
    path: z.string().min(1),
    /** Bytes. */
    size: z.int().min(0),
    /** Content hash of a file in large file storage. */
    sha256: sha256.optional(),
    /** Git blob id of any other file. */
    gitBlob: sha1.optional(),
});

const lockedModel = z.strictObject({
    revision: sha1,
    /** Bytes of all files. */
    bytes: z.int().min(0),
    /** Digest over the file list. */
    manifestDigest: sha256,
    files: z.array(lockedFile).min(1),
});

const lockedBuild = z.strictObject({
    /** Every package of the environment, `sglang` included. */
    packages: z
        .array(z.strictObject({ name: z.string(), version: z.string(), hashes: z.array(z.string()).min(1) }))
        .min(1),
    /** Digest of the patched `sglang` package. */
    treeSha256: sha256.optional(),
});

/** The lock file. */
export const lockSchema = z.strictObject({
    schema: z.literal(1),
    /** By repository. */
    models: z.record(z.string(), lockedModel).default({}),
    /** By name of the build. */
    builds: z.record(z.string(), lockedBuild).default({}),
});

/** See {@link lockSchema}. */
export type Lock = z.output<typeof lockSchema>;
/** One model of a {@link Lock}. */
export type LockedModel = z.output<typeof lockedModel>;
/** One build of a {@link Lock}. */
export type LockedBuild = z.output<typeof lockedBuild>;
/** One file of a {@link LockedModel}. */
export type LockedFile = z.output<typeof lockedFile>;

/** A lock that knows nothing yet. */
export const emptyLock: Lock = { schema: 1, models: {}, builds: {} };
