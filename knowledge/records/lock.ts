import { z } from "zod";
import { natural, packageHash, relative, sha1, sha256, word } from "../base/words.ts";

/** One file of a model's revision. */
export interface LockedFile {
    /** Path in the repository. */
    path: string;
    /** Size, bytes. */
    size: number;
    /** SHA-256 of a file in large file storage, 64 hex digits. */
    sha256?: string | undefined;
    /** Git blob id of any other file, 40 hex digits. */
    gitBlob?: string | undefined;
}

/** One revision of a model, as the hub has it. */
export interface LockedModel {
    /** Commit, 40 hex digits. */
    revision: string;
    /** Bytes of all files. */
    bytes: number;
    /** Digest over the file list, 64 hex digits. */
    manifestDigest: string;
    /** Every file. */
    files: LockedFile[];
}

/** One package of a build. */
export interface LockedPackage {
    /** Normalized name. */
    name: string;
    /** Version. */
    version: string;
    /** Hashes that are accepted, `sha256:…`. */
    hashes: string[];
}

/** The packages of one build. */
export interface LockedBuild {
    /** Every package of the environment, `sglang` included unless it is built from source. */
    packages: LockedPackage[];
    /** Digest of the patched `sglang` package, 64 hex digits. */
    treeSha256?: string | undefined;
}

/**
 * What `pulumi-sglang pin` found and wrote to `locks/<stack>.json`: identifiers that nobody invents.
 *
 * Models are keyed by repository, so that two services that use the same one share an entry; builds by their name.
 */
export interface Lock {
    /** Version of this layout. */
    schema: 1;
    /** By repository. */
    models: Record<string, LockedModel>;
    /** By name of the build. */
    builds: Record<string, LockedBuild>;
}

/** @internal The schema of {@link LockedFile}. */
export const lockedFile = z
    .strictObject({ path: relative, size: natural, sha256: sha256.optional(), gitBlob: sha1.optional() })
    .meta({ title: "LockedFile" });

/** @internal The schema of {@link LockedPackage}. */
export const lockedPackage = z
    .strictObject({ name: word, version: word, hashes: z.array(packageHash).min(1) })
    .meta({ title: "LockedPackage" });

/** @internal The schema of {@link LockedModel}. */
export const lockedModel: z.ZodType<LockedModel> = z.strictObject({
    revision: sha1,
    bytes: natural,
    manifestDigest: sha256,
    files: z.array(lockedFile).min(1),
});

/** @internal The schema of {@link LockedBuild}. */
export const lockedBuild: z.ZodType<LockedBuild> = z.strictObject({
    packages: z.array(lockedPackage).min(1),
    treeSha256: sha256.optional(),
});

/** @internal The schema of {@link Lock}. */
export const lockSchema: z.ZodType<Lock> = z.strictObject({
    schema: z.literal(1),
    models: z.record(z.string(), lockedModel),
    builds: z.record(z.string(), lockedBuild),
});

/** A lock that knows nothing yet. */
export const emptyLock: Lock = { schema: 1, models: {}, builds: {} };
