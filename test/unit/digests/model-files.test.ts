/** The digest over a model's files, which names their download and is in every restart digest. */
import { afterEach, expect, test, vi } from "vitest";
import { pinModel } from "../../../cli/pin/hub.ts";
import { modelPlan } from "../../../knowledge/artifacts/model-plan.ts";
import { digestDependsOn } from "./inputs.ts";

/** What the hub answers for a revision. */
const answer = {
    id: "acme/tiny",
    sha: "0".repeat(40),
    lastModified: "2026-01-01",
    siblings: [
        { rfilename: "config.json", size: 10, blobId: "a".repeat(40) },
        {
            rfilename: "weights.safetensors",
            size: 1000,
            blobId: "b".repeat(40),
            lfs: { sha256: "c".repeat(64), size: 9 },
        },
    ],
};

afterEach(() => vi.unstubAllGlobals());

async function pinned(document: typeof answer) {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(document))));
    return await pinModel({ repository: "acme/tiny", directory: "/models", retention: "Retain" });
}

const [config, weights] = answer.siblings as [(typeof answer.siblings)[0], (typeof answer.siblings)[1]];

test.each([
    ["another size of a file", [{ ...config, size: 11 }, weights], "changes"],
    ["another name of a file", [{ ...config, rfilename: "other.json" }, weights], "changes"],
    ["another text of a small file", [{ ...config, blobId: "d".repeat(40) }, weights], "changes"],
    ["another content of a large file", [config, { ...weights, lfs: { sha256: "d".repeat(64), size: 9 } }], "changes"],
    ["a file less", [config], "changes"],
    ["the files in another order", [weights, config], "stays"],
    ["another pointer to a large file", [config, { ...weights, blobId: "d".repeat(40) }], "stays"],
])("%s: %s", async (_, siblings, effect) => {
    const [before, after] = [await pinned(answer), await pinned({ ...answer, siblings } as typeof answer)];
    expect(after.manifestDigest === before.manifestDigest ? "stays" : "changes").toBe(effect);
});

test("another commit with the same files: stays", async () => {
    const [before, after] = [
        await pinned(answer),
        await pinned({ ...answer, sha: "1".repeat(40), lastModified: "now" }),
    ];
    expect(after.manifestDigest).toBe(before.manifestDigest);
    expect(after.revision).not.toBe(before.revision);
});

test("every file is in the lock, in the order of the names, with the one hash that the hub knows of its content", async () => {
    const { files, bytes } = await pinned({ ...answer, siblings: answer.siblings.toReversed() });
    expect(files).toEqual([
        { path: "config.json", size: 10, gitBlob: "a".repeat(40) },
        { path: "weights.safetensors", size: 1000, sha256: "c".repeat(64) },
    ]);
    expect(bytes).toBe(1010);
});

const revision = "0".repeat(40);
const locked = {
    revision,
    bytes: 10,
    manifestDigest: "e".repeat(64),
    files: [{ path: "config.json", size: 10, gitBlob: "a".repeat(40) }],
};
const fullModel = {
    name: "tiny",
    repository: "acme/tiny",
    revision,
    directory: "/models",
    retention: "Retain",
    endpoint: "https://hub.example.com",
    profile: "glm-4.7",
    config: {},
    storageGiB: 100,
    locked,
} as const;

digestDependsOn<Parameters<typeof modelPlan>[0]>("the generation of a download", {
    full: fullModel,
    digest: (model) => modelPlan(model).desired.generation,
    table: {
        name: "stays",
        repository: "stays", // it is in the path
        revision: "changes",
        directory: "stays", // it is in the path
        retention: "stays",
        endpoint: "stays",
        profile: "stays",
        config: "stays",
        storageGiB: "stays",
        "locked.revision": "changes", // an entry of another revision counts as none
        "locked.bytes": "stays",
        "locked.manifestDigest": "changes",
        "locked.files": "stays", // the digest is over them
    },
    optional: ["locked"],
});

test("a model is where its repository and revision say, and pinned by an entry of that very revision", () => {
    expect(modelPlan(fullModel)).toMatchObject({
        revision,
        path: `/models/acme--tiny/${revision}`,
        bytes: 10,
        manifestDigest: locked.manifestDigest,
        pinned: true,
        desired: {
            name: "tiny",
            directory: "/models",
            repository: "acme/tiny",
            revision,
            files: locked.files,
            client: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
            endpoint: "https://hub.example.com",
            retention: "Retain",
        },
    });
    const { revision: _revision, ...latest } = fullModel;
    expect(modelPlan(latest)).toMatchObject({ revision, pinned: true });
    const stale = modelPlan({ ...fullModel, revision: "1".repeat(40) });
    expect(stale).toMatchObject({ pinned: false, desired: { files: [], generation: "1".repeat(40) } });
    expect(stale.bytes).toBeUndefined();
    expect(modelPlan({ ...latest, locked: undefined } as never)).toMatchObject({
        revision: "not-pinned",
        pinned: false,
    });
});
