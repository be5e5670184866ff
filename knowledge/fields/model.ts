import { z } from "zod";
import { commit, file, hostPath, secretReferenceSchema } from "./values.ts";

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

/** See {@link modelSchema}. */
export type ModelFields = z.output<typeof modelSchema>;
