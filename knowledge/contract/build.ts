import { z } from "zod";
import {
    absolute,
    digest,
    environment,
    natural,
    positive,
    python,
    relative,
    requirement,
    sha1,
    sha256,
    word,
} from "../base/words.ts";
import { lockedPackage } from "../records/lock.ts";
import { contract, owned } from "./identity.ts";

/** A unified diff and where its paths begin. */
export const patch = z
    .strictObject({
        base: z.enum(["site-packages", "repository"]),
        name: word,
        sha256,
        stripLevel: natural,
        text: z.string(),
    })
    .meta({ title: "Patch" });

const dependencies = z.enum(["full", "parser-only"]);

/** Sent to `build`. */
export const build = z.strictObject({
    ...owned,
    dependencies,
    diskBytes: natural.optional(),
    environment: environment.optional(),
    indexUrl: word.optional(),
    /** Builds of the slot that stay beside those in use. */
    keep: positive.optional(),
    lock: z.array(lockedPackage).optional(),
    patches: z.array(patch).optional(),
    python,
    release: word,
    source: z.discriminatedUnion("kind", [
        z
            .strictObject({ kind: z.literal("git"), commit: sha1, repository: word, subdirectory: relative.optional() })
            .meta({ title: "GitSource" }),
        z.strictObject({ kind: z.literal("wheel"), requirement }).meta({ title: "WheelSource" }),
    ]),
    /** Digest of the patched package; it is not compared without one. */
    treeSha256: sha256.optional(),
});

/** Kept with a build. */
export const buildReceipt = z.strictObject({
    contract,
    complete: z.boolean(),
    dependencies,
    digest,
    /** Folder of the patched package. */
    package: absolute,
    /** Interpreter that it was made with. */
    python: word,
    release: word,
    treeSha256: sha256,
});

/** Mounted for the init container of a pod. */
export const stage = z.strictObject({
    contract,
    patches: z.array(patch),
    /** Empty where the image is of a commit. */
    release: z.string(),
    treeSha256: sha256.optional(),
});
