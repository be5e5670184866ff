import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type BuildSpec, buildPlan, type PatchFile } from "../knowledge/artifacts/build-plan.ts";
import { buildSpec } from "../knowledge/artifacts/build-spec.ts";
import { buildSchema } from "../knowledge/fields/build.ts";
import { type LockedBuild, lockedBuild } from "../knowledge/records/lock.ts";
import { checkArgs, invalid, isLater, typeToken } from "../placements/component.ts";
import { type BuildPlacement, placementArgs, resourcesOf } from "../placements/registry.ts";

/** A commit of a git repository. */
export interface GitSource {
    /** Repository, as `git clone` takes it. */
    repository: string;
    /** Commit, 40 hex digits. */
    commit: string;
}

/** Whether a build has everything that a server needs. */
export const BuildDependencies = {
    /** Everything that the release needs. */
    Full: "full",
    /** Only what the argument parser needs; nothing but a stand-in server may serve from it. */
    ParserOnly: "parser-only",
} as const;
/** See {@link BuildDependencies}. */
export type BuildDependencies = (typeof BuildDependencies)[keyof typeof BuildDependencies];

/** Arguments of {@link PatchedBuild}. */
export interface PatchedBuildArgs {
    /** Where the build is: made on hosts, or an image that the pods of a pool run. */
    placement: BuildPlacement;
    /** SGLang release, or the release whose knowledge the commit follows. */
    release: string;
    /** Git source. Defaults to the published wheel of the release. */
    source?: GitSource;
    /** Patches in order: names of patches that ship with this package for the release, or diffs. Defaults to none. */
    patches?: (string | PatchFile)[];
    /** Python version. Defaults to 3.12. */
    python?: string;
    /** CUDA version. Defaults to 13.0. */
    cuda?: string;
    /** Versions that differ from the release's pins, by package: `0.6.6`, or `2.9.1+cu130`. Defaults to none. */
    versions?: Record<string, string>;
    /** Whether the build has everything that a server needs. Defaults to `full`. */
    dependencies?: BuildDependencies;
    /** False for a fork or image that has more options than the release whose knowledge it follows. Defaults to true. */
    stock?: boolean;
    /** Package index. Defaults to pip's own configuration on the host. */
    indexUrl?: string;
    /** What `pulumi-sglang pin` found for this build. Without it nothing is built. */
    lock?: LockedBuild;
}

/** @internal An image that is known when the program runs, or that there is none. */
export interface KnownImage {
    /** The image. */
    readonly image: string | undefined;
}

const patch = z.union([z.string(), z.strictObject({ name: z.string().min(1), text: z.string().min(1) })]);

const buildArgs = buildSchema.omit({ patches: true, image: true }).extend({
    patches: z.array(patch).default([]),
    placement: placementArgs("build"),
    lock: lockedBuild.optional(),
});

/**
 * One build of SGLang, named by what went in: release or commit, patches, Python, and the locked packages.
 *
 * @example
 * ```ts
 * const build = new PatchedBuild("sglang", { placement: { hosts: [host] }, release: "0.5.23", lock });
 * ```
 */
export class PatchedBuild extends pulumi.ComponentResource {
    /** SGLang release whose knowledge applies. */
    public readonly release: string;
    /** Names the build: 12 hex digits over everything that went in. Whoever uses it waits for the build. */
    public readonly digest: pulumi.Output<string>;
    /** @internal What went in. */
    public readonly spec: BuildSpec;
    /** @internal Where it is, as given. */
    public readonly placement: BuildPlacement;
    /** @internal Container image, where pods run one. */
    public readonly image: pulumi.Output<string> | undefined;
    /** @internal The same when the program runs; absent where it comes later. */
    public readonly imageNow: KnownImage | undefined;

    /** Throws a `RunError` that names every invalid argument, a patch that this package does not have included. */
    constructor(name: string, args: PatchedBuildArgs, opts?: pulumi.ComponentResourceOptions) {
        const { placement, patches, lock, ...fields } = checkArgs("PatchedBuild", name, buildArgs, args);
        const { spec, problems } = buildSpec(name, fields, patches, lock);
        if (problems.length > 0) {
            throw invalid("PatchedBuild", name, problems);
        }
        const { release, source, python, cuda, dependencies } = spec;
        const shown = buildPlan(spec);
        const { image } = "image" in placement ? placement : {};
        const inputs = {
            release,
            source,
            python,
            cuda,
            dependencies,
            image,
            patches: shown.patches,
            digest: shown.digest,
        };
        super(typeToken("PatchedBuild"), name, inputs, opts);

        const built = resourcesOf(placement).build(this, spec, placement);

        this.release = release;
        this.spec = spec;
        this.placement = args.placement;
        this.image = built.image;
        this.imageNow = isLater(image) ? undefined : { image };
        this.digest = pulumi
            .all([built.digest, ...built.made.map(({ urn }) => urn)])
            .apply(([digest]) => digest as string);
        this.registerOutputs({ release, digest: this.digest });
    }
}
