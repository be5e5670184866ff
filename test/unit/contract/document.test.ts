import { expect, test } from "vitest";
import { type Document, document, type Unversioned } from "../../../knowledge/contract/index.ts";
import { contractVersion } from "../../../knowledge/contract/version.ts";

const fetch: Unversioned<"fetch"> = {
    client: {},
    directory: "/var/lib/models",
    generation: "0123abcd",
    name: "tiny",
    owner: "project/stack",
    repository: "acme/tiny",
    retention: "Retain",
    revision: "a".repeat(40),
    root: "/opt/sglang",
};

test("a document is what was given and the version", () => {
    expect(document("fetch", fetch)).toEqual({ ...fetch, contract: contractVersion });
});

test("one error names every mistake in plain words", () => {
    const wrong = { ...fetch, name: "Tiny", directory: "models", files: [{ path: "../x", size: -1 }], colour: "red" };
    expect(() => document("fetch", wrong)).toThrow(
        [
            "The document `fetch` is not one that the agent takes:",
            "  name: must be a name of lower-case letters, digits and dashes (at most 50)",
            "  directory: must be an absolute path without ..",
            "  files.0.path: must be a relative path without ..",
            "  files.0.size: must be at least 0",
            "  colour: is not a known key; known are ",
        ].join("\n"),
    );
});

test("what is not pinned yet passes, and nothing beside it", () => {
    const preview = { ...fetch, revision: "not-pinned" };
    expect(document("fetch", preview).revision).toBe("not-pinned");
    expect(() => document("fetch", { ...preview, retention: "Keep" } as unknown as Document<"fetch">)).toThrow(
        /^The document `fetch` is not one that the agent takes:\n {2}retention: must be one of Retain, Purge$/,
    );
});
