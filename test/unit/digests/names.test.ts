/** Names that stand for a content: of ConfigMaps, which cannot be changed in place, of downloads, and of secrets. */
import { describe, expect, test, vi } from "vitest";
import * as archive from "../../../knowledge/artifacts/agent-archive.ts";
import { modelPlan } from "../../../knowledge/artifacts/model-plan.ts";
import { agentConfigMap } from "../../../placements/pool/config-maps.ts";
import { fetchConfigMap, fetchJob, type PoolWeights } from "../../../placements/pool/weights.ts";
import { fingerprintOf } from "../../../placements/secret-source.ts";
import { valueFields, written } from "../fields/stack-fields.ts";
import { fullPoolPlace } from "./full-service.ts";
import { digestDependsOn, type Full } from "./inputs.ts";
import { configMapsOf, poolVariants } from "./variants.ts";

test("no two contents share a ConfigMap's name, whatever field of a stack file is changed", () => {
    const contents = new Map<string, string>();
    for (const one of valueFields) {
        for (const stack of poolVariants(one)) {
            for (const [name, content] of configMapsOf(stack)) {
                expect(contents.get(name) ?? content, `${name} after a change of ${written(one)}`).toBe(content);
                contents.set(name, content);
            }
        }
    }
    expect(contents.size).toBeGreaterThan(50);
});

const weights: Full<PoolWeights> = {
    name: "qwen",
    model: modelPlan({
        name: "qwen",
        repository: "owner/name",
        directory: "/var/lib/models",
        retention: "Retain",
        endpoint: "https://hub.example.com",
        locked: {
            revision: "0".repeat(40),
            bytes: 10,
            manifestDigest: "a".repeat(64),
            files: [{ path: "config.json", size: 10, gitBlob: "b".repeat(40) }],
        },
    }) as Full<PoolWeights["model"]>,
    directory: "/var/lib/models",
    pool: fullPoolPlace.pool,
    image: fullPoolPlace.build.image,
    storageGiB: 100,
    token: { secret: "hub", key: "token" },
};

const table = {
    name: "changes",
    "model.revision": "stays", // what is fetched is in `desired`
    "model.path": "stays",
    "model.bytes": "stays",
    "model.manifestDigest": "stays",
    "model.pinned": "stays",
    "model.desired": "changes",
    "model.desired.client": "stays", // the image's own
    directory: "changes",
    pool: "stays",
    image: "stays",
    storageGiB: "stays",
    token: "stays",
} as const;

/** Values that the agent takes too, of fields that take only some. */
const other = {
    "model.desired.revision": "1".repeat(40),
    "model.desired.retention": "Purge",
    "model.desired.files.0.gitBlob": "c".repeat(40),
};

digestDependsOn<PoolWeights>("the name of a download's document", {
    full: weights,
    digest: (given) => fetchConfigMap(given).metadata.name,
    table,
    other,
    optional: ["token"],
});

/** Where and how it runs is in the job's name too, so that a changed one is made beside the one before. */
const runs = {
    ...table,
    "model.bytes": "stays", // below what a quarter of an hour is enough for
    pool: "stays",
    "pool.nodeSelector": "changes",
    "pool.tolerations": "changes",
    "pool.runtimeClass": "changes",
    token: "changes", // where it is, not what it is
} as const;

digestDependsOn<PoolWeights>("the name of a download's job", {
    full: weights,
    digest: (given) => fetchJob(given).metadata.name,
    table: runs,
    other,
    optional: ["token"],
});

test("another agent downloads anew, of the same document", () => {
    const names = () => [fetchJob(weights), fetchConfigMap(weights)].map(({ metadata }) => metadata.name);
    const [job, document] = names();
    vi.spyOn(archive, "agentArchive").mockReturnValue({ digest: "0".repeat(16), base64: "" });
    const [otherJob, sameDocument] = names();
    vi.restoreAllMocks();
    expect(otherJob).not.toBe(job);
    expect(sameDocument).toBe(document);
});

describe("the fingerprint of a secret", () => {
    const fingerprint = fingerprintOf("a-secret-value", "project/stack/chat-key");

    test("changes with the value and with its place, and with nothing else", () => {
        expect(fingerprintOf("a-secret-value", "project/stack/chat-key")).toBe(fingerprint);
        expect(fingerprintOf("another-value", "project/stack/chat-key")).not.toBe(fingerprint);
        expect(fingerprintOf("a-secret-value", "project/other/chat-key")).not.toBe(fingerprint);
    });

    test("is six bytes, in which the value is not to be seen", () => {
        expect(fingerprint).toMatch(/^[0-9a-f]{12}$/);
    });
});

describe("the agent's archive", () => {
    const files = { "a.py": Buffer.from("1"), "b.py": Buffer.from("2") };
    const { digest } = archive.packed(files);

    test("has another digest with another name or text of a file, and with a file less", () => {
        const others: Record<string, Uint8Array>[] = [
            { "a.py": Buffer.from("1"), "c.py": Buffer.from("2") },
            { "a.py": Buffer.from("2"), "b.py": Buffer.from("1") },
            { "a.py": Buffer.from("1") },
        ];
        const digests = others.map((other) => archive.packed(other).digest);
        expect(new Set([digest, ...digests]).size).toBe(4);
    });

    test("is named in its ConfigMap, which is of one service or model", () => {
        const names = [
            agentConfigMap("chat", "server"),
            agentConfigMap("chat", "weights"),
            agentConfigMap("b", "server"),
        ];
        expect(new Set(names.map(({ metadata }) => metadata.name)).size).toBe(3);
        expect(names[0]!.metadata.name).toMatch(/^chat-server-agent-[0-9a-f]{16}$/);
        expect(names[0]!.immutable).toBe(true);
    });
});
