/** What a request is judged as: which revision, which build, and what is open while nobody knows the machine. */
import { describe, expect, test } from "vitest";
import type { AnyRequest } from "../../../placements/index.ts";
import { judge, objections } from "../../../placements/judge.ts";
import { hostFacts } from "../service/service-spec.ts";

const own = "1".repeat(40);
const lockedRevision = "2".repeat(40);
const locked = { revision: lockedRevision, bytes: 1, manifestDigest: "a".repeat(64), files: [] };

function request(
    changes: { model?: object; hosts?: object[]; gpus?: number[]; apiKey?: "value" | "kubernetesSecret" } = {},
) {
    const { model, hosts = [{ facts: hostFacts() }], gpus, apiKey } = changes;
    return {
        name: "chat",
        build: {
            name: "sglang",
            release: "0.5.17",
            patches: [{ name: "redact-credentials", text: "" }],
            python: "3.12",
            cuda: "13.0",
            versions: {},
            dependencies: "full",
            stock: true,
        },
        model: {
            name: "qwen",
            repository: "nvidia/Qwen3-235B-A22B-NVFP4",
            directory: "/var/lib/models",
            retention: "Retain",
            ...model,
        },
        target: {
            kind: "hosts",
            hosts: hosts.map((host, index) => ({
                name: `rack${index + 1}`,
                root: "/opt/sglang",
                owner: "p/s",
                ...host,
            })),
            gpus,
        },
        apiKey,
        fields: {},
    } as unknown as AnyRequest;
}

describe("the revision", () => {
    test("is the one that the stack names, also where the lock has another", () => {
        expect(judge(request({ model: { revision: own, locked } })).spec.model.revision).toBe(own);
    });

    test("is the lock's where the stack names none, and open where neither does", () => {
        expect(judge(request({ model: { locked } })).spec.model.revision).toBe(lockedRevision);
        expect(judge(request()).spec.model.revision).toBeUndefined();
    });

    test("decides what is served", () => {
        const digest = (model: object) => judge(request({ model })).resolved.settingsDigest;
        expect(digest({ revision: own, locked })).toBe(digest({ revision: own }));
        expect(digest({ revision: own })).not.toBe(digest({ locked }));
    });
});

test("patches are judged by their names", () => {
    expect(judge(request()).spec.build.patches).toEqual(["redact-credentials"]);
});

describe("a machine that nobody knows yet", () => {
    test("leaves open what its facts decide, and only that", () => {
        const { open, spec, problems } = judge(request({ hosts: [{}] }));
        expect(open).toContain("tp-size");
        expect(open).toContain("NCCL environment");
        expect(spec.nodes).toEqual([]);
        expect(problems).toEqual([]);
    });

    test("leaves it open too where another one of the service is known", () => {
        expect(judge(request({ hosts: [{ facts: hostFacts() }, {}] })).spec.nodes).toEqual([]);
    });

    test("is one whose facts are there where all of them are", () => {
        const { open, spec } = judge(request({ hosts: [{ facts: hostFacts() }, { facts: hostFacts() }] }));
        expect(open).toEqual([]);
        expect(spec.nodes.map(({ name, gpus }) => [name, gpus.length])).toEqual([
            ["rack1", 8],
            ["rack2", 8],
        ]);
    });
});

describe("what cannot be done where it is to run", () => {
    test("is a card that a host has not", () => {
        const { problems } = judge(request({ gpus: [0, 7, 8, 9] }));
        expect(problems).toContainEqual({
            path: "placement.gpus",
            message: "rack1 has the GPUs 0, 1, 2, 3, 4, 5, 6, 7, not 8, 9",
        });
        expect(judge(request({ gpus: [0, 7] })).problems).toEqual([]);
    });

    test("is a secret of another kind of place", () => {
        expect(judge(request({ apiKey: "kubernetesSecret" })).problems.map(({ path }) => path)).toContain("apiKey");
        expect(judge(request({ apiKey: "value" })).problems).toEqual([]);
        expect(judge(request({ apiKey: "value" })).spec.hasApiKey).toBe(true);
    });

    test("keeps it from being deployed, as what a rule refuses does, and a correction does not", () => {
        const refused = judge(request({ gpus: [8] }));
        const objected = objections({
            problems: refused.problems,
            resolved: {
                ...refused.resolved,
                findings: [
                    { rule: "a", verdict: "refuse", setting: "tp-size", message: "No.", sources: ["x#1", "y#2"] },
                    { rule: "b", verdict: "fix", setting: "tp-size", message: "So.", sources: ["x#1"] },
                    { rule: "c", verdict: "warn", message: "Hm.", sources: ["x#1"] },
                    { rule: "d", verdict: "refuse", message: "Never.", sources: ["x#1"] },
                ],
            },
        });
        expect(objected.slice(0, refused.problems.length)).toEqual(refused.problems);
        expect(objected.slice(refused.problems.length).map(({ message }) => message)).toEqual([
            "No. [rule a: x#1, y#2; where it is wrong, `accept` overrides it]",
            "Never. [rule d: x#1; where it is wrong, `accept` overrides it]",
        ]);
        expect(objected.at(-1)!.path).toBe("settings");
    });
});
