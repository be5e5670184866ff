import { z } from "zod";
import { field } from "./field.ts";
import { commit, file, hostPath, secretReferenceSchema } from "./values.ts";

/** One revision of a model. */
export const modelSchema = z.strictObject({
    repository: field(z.string().regex(/^[\w.-]+\/[\w.-]+$/, "must be owner/name"), {
        says: "Repository on the model hub, `owner/name`",
        examples: ["nvidia/Qwen3-235B-A22B-NVFP4", "nvidia/Qwen3-235B-A22B-Instruct-2507-NVFP4"],
    }),
    revision: field(commit, {
        says: "Commit of the repository",
        default: "the one in the lock file",
        examples: ["fedcba9876543210fedcba9876543210fedcba98"],
    }).optional(),
    profile: field(z.string(), {
        says: "Id of the profile to use",
        default: "the profile that lists the repository",
        examples: ["glm-4.7"],
    }).optional(),
    config: field(file, {
        says: "The model's `config.json` for a model without a profile, relative to the stack file; `hf_quant_config.json` and `model.safetensors.index.json` beside it are read too",
        default: "none",
        examples: ["config.json"],
    }).optional(),
    directory: field(hostPath.default("/var/lib/models"), {
        says: "Folder of all snapshots, on the host or in the pod",
        examples: ["/srv/models"],
    }),
    retention: field(z.enum(["Retain", "Purge"]).default("Retain"), {
        says: "What a deletion does with the files",
        examples: ["Purge"],
    }),
    token: field(secretReferenceSchema, {
        says: "Hub token for a gated repository; a new one downloads nothing again and restarts nothing",
        default: "none",
    }).optional(),
    endpoint: field(
        z
            .string()
            .regex(/^https?:\/\/[^\s@]+$/, "must be a URL such as https://hub.example.com, without a user or password"),
        { says: "Hub endpoint", default: "the hub client's own", examples: ["https://hub.example.com"] },
    ).optional(),
    storageGiB: field(z.int().positive(), {
        says: "Size of the volume in a pool",
        unit: "GiB",
        default: "the size of the files and a fifth",
        examples: [700],
    }).optional(),
});

/** See {@link modelSchema}. */
export type ModelFields = z.output<typeof modelSchema>;
