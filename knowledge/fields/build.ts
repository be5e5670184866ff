import { z } from "zod";
import { isVersion, withoutTagPrefix } from "../base/version.ts";
import { field } from "./field.ts";
import { address, commit } from "./values.ts";

const sourceSchema = z.strictObject({
    repository: field(address.min(1), {
        says: "Repository, as `git clone` takes it",
        examples: ["https://github.com/sgl-project/sglang", "https://github.com/owner/sglang"],
    }),
    commit: field(commit, {
        says: "Commit, 40 hex digits",
        examples: ["4289f36ef960fad8268a6b94935686e792a81432", "0123456789abcdef0123456789abcdef01234567"],
    }),
});

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
    release: field(z.string().overwrite(withoutTagPrefix), {
        says: "SGLang release, or the release whose knowledge a commit follows; `v0.5.23` is 0.5.23",
        examples: ["0.5.23", "0.5.22"],
    }),
    source: field(sourceSchema, { says: "Git source", default: "the published wheel of the release" }).optional(),
    patches: field(z.array(z.string()).default([]), {
        says: "Patches in order: names of patches that ship with this project, or paths of files beside the stack file",
        default: "none",
        examples: [["redact-credentials"]],
    }),
    python: field(
        z
            .string()
            .regex(/^3\.\d+$/, "must be a Python version such as 3.12")
            .default("3.12"),
        { says: "Python version", examples: ["3.11"] },
    ),
    cuda: field(
        z
            .string()
            .regex(/^\d+\.\d+$/, "must be a CUDA version such as 13.0")
            .default("13.0"),
        { says: "CUDA version", examples: ["12.8"] },
    ),
    versions: field(z.record(z.string(), packageVersion).default({}), {
        says: "Versions that differ from the release's pins, by package: `0.6.6`, `2.9.1+cu130`, or the same after `==`",
        default: "none",
        examples: [{ "flashinfer-python": "0.6.15" }],
    }),
    dependencies: field(z.enum(["full", "parser-only"]).default("full"), {
        says: "Whether the build has everything that a server needs, or only what the argument parser needs",
        examples: ["parser-only"],
    }),
    stock: field(z.boolean().default(true), {
        says: "False for a fork or image that has more options than the release whose knowledge it follows",
        examples: [false],
    }),
    indexUrl: field(address, {
        says: "Package index",
        default: "pip's own configuration on the host",
        examples: ["https://pypi.example.com/simple"],
    }).optional(),
    image: field(
        z
            .string()
            .regex(
                /^[^\s@]+@sha256:[0-9a-f]{64}$/,
                "must be an image by digest, NAME@sha256:<64 hex digits>; a tag can move",
            ),
        {
            says: "Container image by digest; a pool needs one",
            default: "none",
            examples: [`registry.example.com/sglang@sha256:${"1".repeat(64)}`],
        },
    ).optional(),
});

/** See {@link buildSchema}. */
export type BuildFields = z.output<typeof buildSchema>;
