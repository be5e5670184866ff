import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type BuildPlan, buildPlan, type PatchFile } from "../knowledge/artifacts/build-plan.ts";
import { patchFiles } from "../knowledge/artifacts/patch-files.ts";
import { buildSchema } from "../knowledge/fields/build.ts";
import type { LockedBuild } from "../knowledge/records/lock.ts";
import { checkArgs, invalid, typeToken } from "../placements/component.ts";
import type { Host } from "../placements/hosts/host.ts";
import { hostCommand } from "../placements/hosts/host-command.ts";
import { type PoolBuild, poolBuild } from "../placements/pool/build.ts";

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
    /** Hosts that get the build. Without hosts the build is for pools and needs an `image`. */
    hosts?: Host[];
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
    /** Container image for pools, `NAME@sha256:…`. A tag is refused, since it can move. */
    image?: string;
    /** What `pulumi-sglang pin` found for this build. Without it nothing is built. */
    lock?: LockedBuild;
}

const plainArgs = z.object({
    ...buildSchema.omit({ patches: true }).shape,
    patches: z.array(z.union([z.string(), z.object({ name: z.string().min(1), text: z.string().min(1) })])).default([]),
});

/**
 * One build of SGLang, named by what went in: release or commit, patches, Python, and the locked packages.
 *
 * @example
 * ```ts
 * const build = new PatchedBuild("sglang", { hosts: [host], release: "0.5.23", lock });
 * ```
 */
export class PatchedBuild extends pulumi.ComponentResource {
    /** SGLang release whose knowledge applies. */
    public readonly release: string;
    /** Names of the patches, in order. */
    public readonly patches: readonly string[];
    /** Versions that differ from the release's pins. */
    public readonly versions: Readonly<Record<string, string>>;
    /** Container image for pools. */
    public readonly image: string | undefined;
    /** The patches themselves, for pools. */
    public readonly patchFiles: readonly PatchFile[];
    /** Names the build: 12 hex digits over everything that went in. Whoever uses it waits for the build. */
    public readonly digest: pulumi.Output<string>;
    /** Whether the build has the options of its release and no others. */
    public readonly stock: boolean;
    /** Whether the build is complete enough for a real server. */
    public readonly dependencies: BuildDependencies;
    private readonly input: Parameters<typeof poolBuild>[1];
    private readonly label: string;

    /** Throws a `RunError` that names every invalid argument, a patch that this package does not have included. */
    constructor(name: string, args: PatchedBuildArgs, opts?: pulumi.ComponentResourceOptions) {
        const plain = checkArgs("PatchedBuild", name, plainArgs, args);
        const { files, problems } = patchFiles(plain.release, plain.patches);
        if (problems.length > 0) {
            throw invalid("PatchedBuild", name, problems);
        }
        const input = { ...plain, patches: files, locked: args.lock };
        const shown = buildPlan(name, input);
        const { release, source, python, cuda, dependencies, image } = plain;
        super(
            typeToken("PatchedBuild"),
            name,
            { release, source, python, cuda, dependencies, image, patches: shown.patches, digest: shown.digest },
            opts,
        );

        this.release = release;
        this.patches = files.map((patch) => patch.name);
        this.versions = plain.versions;
        this.image = image;
        this.patchFiles = files;
        this.dependencies = dependencies;
        this.stock = plain.stock;
        this.input = input;
        this.label = name;
        const commands = (args.hosts ?? []).map((host) =>
            hostCommand(
                `${name}-${host.name}-build`,
                host.access,
                { verb: "build", desired: { ...this.planFor().desired }, removes: "build" },
                { parent: this, dependsOn: host },
            ),
        );
        this.digest = pulumi.all(commands.map(({ urn }) => urn)).apply(() => shown.digest);
        this.registerOutputs({ digest: this.digest });
    }

    /** The build as it is in a pod. */
    public planForPool(): PoolBuild {
        return poolBuild(this.label, this.input);
    }

    /** The build as it is on one host. */
    public planFor(): BuildPlan {
        return buildPlan(this.label, this.input);
    }
}
