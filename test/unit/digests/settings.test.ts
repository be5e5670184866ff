/** The settings digest: what the service is, wherever it runs. Fields of the service are in `fields.test.ts`. */
import { expect, test } from "vitest";
import { type PackedOracle, packedOracle } from "../../../knowledge/oracle/packed.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ServiceSpec } from "../../../knowledge/service/spec.ts";
import { recorded } from "../oracle/recorded.ts";
import { hostFacts, serviceSpec, untuned } from "../service/service-spec.ts";
import { digestDependsOn } from "./inputs.ts";

const facts = hostFacts();
const digest = (spec: ServiceSpec) => resolve(spec).settingsDigest;

/** But for an oracle, which has a test of its own. */
const full: Required<Omit<ServiceSpec, "oracle">> = {
    name: "chat",
    build: {
        release: "0.5.23",
        patches: ["redact-credentials", "own"],
        versions: { "some-package": "1.0.0" },
        stock: true,
    },
    model: {
        repository: "nvidia/Qwen3-235B-A22B-NVFP4",
        revision: "0123456789abcdef0123456789abcdef01234567",
        profile: "qwen3-235b-a22b",
        config: { model_type: "qwen3_moe" },
    },
    placement: "hosts",
    nodes: [{ name: "node1", facts, gpus: [0, 1, 2, 3, 4, 5, 6, 7] }],
    hasApiKey: true,
    fields: { startupBudgetMinutes: 30 },
};

digestDependsOn<ServiceSpec>("the settings digest", {
    full,
    digest,
    table: {
        name: "stays",
        "build.release": "changes",
        "build.patches": "changes",
        "build.versions": "stays",
        "build.stock": "stays",
        "model.repository": "changes",
        "model.revision": "changes",
        "model.profile": "changes",
        "model.config": "stays",
        placement: "stays",
        "nodes.0.name": "stays",
        "nodes.0.facts": "stays",
        "nodes.0.gpus": "stays",
        hasApiKey: "stays",
        fields: "stays",
    },
    other: {
        "build.release": "0.5.22",
        "model.profile": "glm-4.7",
        placement: "pool",
        "nodes.0.facts.driver": "595.58.04",
        "nodes.0.facts.toolkit.version": "13.1",
        "nodes.0.facts.topology": hostFacts().topology.replaceAll("NODE", "SYS"),
        ...Object.fromEntries(full.nodes[0]!.gpus.map((gpu) => [`nodes.0.gpus.${gpu}`, 99])),
    },
    optional: ["model.revision"],
});

test("the number of cards counts, and not which", () => {
    const on = (...gpus: number[]) => digest(serviceSpec({ nodes: [{ name: "node1", facts, gpus }] }));
    expect(on(0, 1, 2, 3)).toBe(on(4, 5, 6, 7));
    expect(on(0, 1, 2, 3)).not.toBe(on(0, 1));
});

test("an oracle counts by its content, and not by how it is packed", () => {
    const { found } = packedOracle("sound", JSON.stringify(recorded("sound")));
    const held = (oracle?: PackedOracle) => digest({ ...serviceSpec(), oracle });
    expect(held(found)).not.toBe(held());
    expect(held({ ...found!, sha256: "0".repeat(64) })).not.toBe(held(found));
    expect(held({ ...found!, packed: "another" })).toBe(held(found));
    const tolerant = (oracleTolerance: number) =>
        digest({ ...serviceSpec({ fields: { gate: { oracleTolerance } } }), oracle: found! });
    expect(new Set([held(found), tolerant(2), tolerant(0.5)]).size).toBe(3);
    expect(tolerant(1)).toBe(held(found));
});

test("what a started server is asked counts", () => {
    const asked = [{}, { sampled: 5 }, { concurrency: 17 }, { minimumTokensPerSecond: 10 }, { timeoutSeconds: 601 }];
    expect(new Set(asked.map((gate) => digest(serviceSpec({ fields: { gate } })))).size).toBe(asked.length);
});

test("patches count in their order", () => {
    const patched = (...patches: string[]) => digest(serviceSpec({ patches }));
    expect(patched("one", "two")).not.toBe(patched("two", "one"));
});

test("a variable counts by name and value, and not by who set it", () => {
    const withVariable = (environment: Record<string, string>) =>
        digest(serviceSpec(untuned({ fields: { environment } })));
    const variables: Record<string, string>[] = [{}, { A: "1" }, { A: "2" }, { B: "1" }];
    const digests = variables.map(withVariable);
    expect(new Set(digests).size).toBe(4);
    const byLaunch = digest(serviceSpec({ fields: { launch: "A=1 python3 -m sglang.launch_server" } }));
    expect(byLaunch).toBe(withVariable({ A: "1" }));
});
