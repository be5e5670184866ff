/** What names a build on a host and in a pool: all that goes into it, and nothing else. */
import { describe, expect, test } from "vitest";
import { type BuildSpec, buildPlan } from "../../../knowledge/artifacts/build-plan.ts";
import { noImage, poolBuild } from "../../../placements/pool/build.ts";
import { fullBuild, patchText } from "./full-build.ts";
import { digestDependsOn } from "./inputs.ts";

const { source: _source, ...fromWheel } = fullBuild;

digestDependsOn<BuildSpec>("the digest of a build", {
    full: fullBuild,
    digest: (spec) => buildPlan(spec).digest,
    table: {
        name: "stays",
        release: "changes",
        "source.repository": "changes",
        "source.commit": "changes",
        "patches.0.name": "stays",
        "patches.1.name": "stays",
        "patches.0.text": "changes",
        "patches.1.text": "changes",
        python: "changes",
        cuda: "changes",
        versions: "changes",
        dependencies: "changes",
        indexUrl: "stays",
        "locked.packages": "changes",
        "locked.treeSha256": "stays",
        stock: "stays",
        image: "stays",
    },
    optional: ["source", "locked"],
});

/** Table of a build in a pool; `release` and `treeSha256` are looked at by the init container. */
const inPool = {
    name: "stays",
    "patches.0.name": "changes",
    "patches.1.name": "changes",
    "patches.0.text": "changes",
    "patches.1.text": "changes",
    python: "stays",
    cuda: "stays",
    versions: "stays",
    dependencies: "stays",
    indexUrl: "stays",
    "locked.packages": "stays",
    "locked.treeSha256": "changes",
    stock: "stays",
    image: "changes",
} as const;

digestDependsOn<BuildSpec>("the digest of a build in a pool", {
    full: fromWheel,
    digest: (spec) => poolBuild(spec).digest,
    table: { ...inPool, release: "changes" },
    optional: ["locked", "image"],
});

digestDependsOn<BuildSpec>("the digest of a build in a pool whose image is of a commit", {
    full: fullBuild,
    digest: (spec) => poolBuild(spec).digest,
    // an image of a commit is not asked for its release, and says itself what it was made of
    table: { ...inPool, release: "stays", source: "stays" },
    optional: ["source"],
});

describe.each([
    ["on a host", (spec: BuildSpec) => buildPlan(spec).digest],
    ["in a pool", (spec: BuildSpec) => poolBuild(spec).digest],
])("patches of a build %s", (_, digest) => {
    const withPatches = (...texts: string[]) =>
        digest({ ...fromWheel, patches: texts.map((text, index) => ({ name: `patch-${index}`, text })) });

    test("count in their order", () => {
        const [one, two] = fullBuild.patches.map(({ text }) => text);
        expect(withPatches(one!, two!)).not.toBe(withPatches(two!, one!));
        expect(withPatches(one!)).not.toBe(withPatches(one!, two!));
    });

    test("count without the words above the diff", () => {
        expect(withPatches(patchText.replace("Because", "Otherwise"))).toBe(withPatches(patchText));
        expect(withPatches(patchText.slice(patchText.indexOf("---")))).toBe(withPatches(patchText));
    });

    test("count with every line of the diff", () => {
        expect(withPatches(patchText.replace(" kept", " left"))).not.toBe(withPatches(patchText));
        expect(withPatches(patchText.replace("-1,2", "-2,2"))).not.toBe(withPatches(patchText));
    });
});

test("a build is known to the agent by its digest", () => {
    const { digest, desired } = buildPlan(fullBuild);
    expect(desired.generation).toBe(digest);
    expect(digest).toMatch(/^[0-9a-f]{12}$/);
});

test("a pool's build hands the agent what its digest is over", () => {
    const { locked, release, patches } = fromWheel;
    expect(poolBuild(fromWheel)).toMatchObject({
        image: fullBuild.image,
        stage: { release, treeSha256: locked.treeSha256, patches: patches.map(({ name }) => ({ name })) },
    });
    expect(poolBuild({ ...fromWheel, image: undefined } as unknown as BuildSpec).image).toBe(noImage);
    expect(poolBuild(fullBuild).stage.release).toBe("");
});

test("a patch is asked for where its source has it: below python/ in a repository, at the top of a wheel", () => {
    const inRepository = patchText.replaceAll("/sglang/", "/python/sglang/");
    const desired = (text: string, spec: BuildSpec) =>
        (buildPlan({ ...spec, patches: [{ name: "one", text }] }).desired.patches ?? [])[0];
    expect(desired(patchText, fromWheel)).toMatchObject({ base: "site-packages", stripLevel: 1 });
    expect(desired(inRepository, fromWheel)).toMatchObject({ base: "site-packages", stripLevel: 2 });
    expect(desired(inRepository, fullBuild)).toMatchObject({ base: "repository", stripLevel: 1 });
    expect(desired(patchText, fullBuild)).toEqual(desired(inRepository, fullBuild));
    expect(desired(patchText, fullBuild)!.text).toMatch(/^--- a\/python\/sglang\/version\.py\n/);
});

test("a diff as git writes it begins at its own first line", () => {
    const git = patchText.replace(
        "--- a/",
        "diff --git a/sglang/version.py b/sglang/version.py\nindex 1..2 100644\n--- a/",
    );
    const [patch] = buildPlan({ ...fromWheel, patches: [{ name: "one", text: git }] }).desired.patches ?? [];
    expect(patch!.text).toMatch(/^diff --git a\/sglang/);
});

test("a plan counts what each patch adds and removes", () => {
    const [first] = buildPlan(fromWheel).patches;
    expect(first).toMatchObject({ name: "first", sha256: expect.stringMatching(/^[0-9a-f]{12}$/), lines: "+1 -1" });
});

test("nothing may be built unpinned, but for the argument parser alone", () => {
    const { locked: _locked, ...unpinned } = fromWheel;
    expect(buildPlan(fromWheel).pinned).toBe(true);
    expect(buildPlan(unpinned).pinned).toBe(false);
    expect(buildPlan({ ...unpinned, dependencies: "parser-only" }).pinned).toBe(true);
});

test("the agent is told what to install: source, packages with hashes, index, and how many builds to keep", () => {
    const { source, locked, indexUrl } = fullBuild;
    expect(buildPlan(fullBuild).desired).toMatchObject({
        name: "sglang",
        release: "0.5.23",
        source: { kind: "git", ...source, subdirectory: "python" },
        python: "3.12",
        dependencies: "full",
        lock: locked.packages,
        treeSha256: locked.treeSha256,
        indexUrl,
        keep: 3,
    });
    expect(buildPlan(fromWheel).desired.source).toEqual({ kind: "wheel", requirement: "sglang==0.5.23" });
    const { locked: _locked, ...unpinned } = fromWheel;
    expect(buildPlan(unpinned).desired.lock).toEqual([]);
});

test("a build is pinned by its lock, and one for the parser alone needs none", () => {
    const { locked: _locked, ...unlocked } = fullBuild;
    expect(buildPlan(fullBuild).pinned).toBe(true);
    expect(buildPlan({ ...unlocked, dependencies: "full" }).pinned).toBe(false);
    expect(buildPlan({ ...unlocked, dependencies: "parser-only" }).pinned).toBe(true);
});
