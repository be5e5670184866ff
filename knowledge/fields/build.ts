import { z } from "zod";
import { isVersion, withoutTagPrefix } from "../base/version.ts";
import { address, commit } from "./values.ts";

/** A package's version, with or without `==` in front; the output has none. */
const packageVersion = z
    .string()
    .overwrite((text) => text.trim().replace(/^==\s*/, ""))
    .refine(
        isVersion,
        "must be a version as PEP 440 writes it, such as 0.6.6 or 2.9.1+cu130; a range or a tag is none",
    );

/** One build of SGLang. */
export const buildSchema = z.strictObject({
    /** Release, or the release whose knowledge a commit follows; `v0.5.23` is 0.5.23. */
    release: z.string().overwrite(withoutTagPrefix),
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
    /** Versions that differ from the release's pins, by package: `0.6.6`, `2.9.1+cu130`, or the same after `==`. */
    versions: z.record(z.string(), packageVersion).default({}),
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

/** See {@link buildSchema}. */
export type BuildFields = z.output<typeof buildSchema>;
