import { createHash } from "node:crypto";
import { shortDigestOf } from "../base/digest.ts";
import type { Planned } from "../contract/index.ts";
import type { LockedBuild } from "../records/lock.ts";

/** One patch: a unified diff and its name. */
export interface PatchFile {
    /** File name without `.patch`. */
    readonly name: string;
    /** The unified diff. */
    readonly text: string;
}

/** What a build is made from. */
export interface BuildInput {
    /** SGLang release, or the release whose knowledge the commit follows. */
    readonly release: string;
    /** Git source. Defaults to the published wheel. */
    readonly source?: { readonly repository: string; readonly commit: string };
    /** Applied in order. */
    readonly patches: readonly PatchFile[];
    readonly python: string;
    readonly cuda: string;
    readonly versions: Readonly<Record<string, string>>;
    readonly dependencies: "full" | "parser-only";
    readonly indexUrl?: string;
    /** What the lock file knows of it; absent before `pin`. */
    readonly locked?: LockedBuild;
}

/** A build as it is asked for. */
export interface BuildSpec extends BuildInput {
    readonly name: string;
    /** False for a fork or image that has more options than the release whose knowledge it follows. */
    readonly stock: boolean;
    /** Container image for pools, by digest; absent where none is given yet, and on hosts. */
    readonly image?: string;
}

/** A build as it will be on a host. */
export interface BuildPlan {
    /** Names the build: everything that went in. */
    readonly digest: string;
    /** Whether the lock file has its packages. Without it nothing may be built. */
    readonly pinned: boolean;
    /** Patches as a diff shows them. */
    readonly patches: readonly { readonly name: string; readonly sha256: string; readonly lines: string }[];
    /** Desired state for the agent's `build`. */
    readonly desired: Planned<"build">;
}

/** A patch as it is sent. */
type PlannedPatch = NonNullable<Planned<"build">["patches"]>[number];

/** Builds that a host keeps beside the ones in use. */
const buildsKept = 3;

/** Plans a build; pure. */
export function buildPlan(input: BuildSpec): BuildPlan {
    const { name, release, source, python, cuda, versions, dependencies, indexUrl, locked } = input;
    const patches = input.patches.map((patch) => locatedPatch(patch, source !== undefined));
    const digest = shortDigestOf({
        release,
        source,
        python,
        cuda,
        versions,
        dependencies,
        patches: patches.map(({ sha256 }) => sha256),
        packages: locked?.packages,
    });
    return {
        digest,
        pinned: locked !== undefined || dependencies === "parser-only",
        patches: patches.map(({ name, sha256, text }) => ({
            name,
            sha256: sha256.slice(0, 12),
            lines: changedLines(text),
        })),
        desired: {
            name,
            generation: digest,
            release,
            source: source
                ? { kind: "git", repository: source.repository, commit: source.commit, subdirectory: "python" }
                : { kind: "wheel", requirement: `sglang==${release}` },
            python,
            patches,
            treeSha256: locked?.treeSha256,
            dependencies,
            lock: locked?.packages ?? [],
            indexUrl,
            keep: buildsKept,
        },
    };
}

/**
 * The diff alone, without the prose above it: new words about a patch rebuild nothing. It may name files as in git
 * (`python/sglang/…`) or as in a wheel (`sglang/…`); both apply to both kinds of source.
 */
function locatedPatch({ name, text: file }: PatchFile, git: boolean): PlannedPatch {
    const text = file.slice(Math.max(0, file.search(/^(diff --git |--- [^\s-])/m)));
    const asInGit = /^\+\+\+ b\/python\//m.test(text);
    if (git) {
        const placed = asInGit ? text : text.replace(/^(---|\+\+\+) (a|b)\/sglang\//gm, "$1 $2/python/sglang/");
        return { name, text: placed, sha256: sha256(placed), base: "repository", stripLevel: 1 };
    }
    return { name, text, sha256: sha256(text), base: "site-packages", stripLevel: asInGit ? 2 : 1 };
}

function sha256(text: string): string {
    return createHash("sha256").update(text).digest("hex");
}

function changedLines(text: string): string {
    const count = (mark: RegExp) => text.split("\n").filter((line) => mark.test(line)).length;
    return `+${count(/^\+(?!\+\+ )/)} -${count(/^-(?!-- )/)}`;
}
