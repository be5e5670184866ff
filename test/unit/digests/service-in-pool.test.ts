/** What restarts a server in a pool, what rolls its pods, and what names its objects. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as archive from "../../../knowledge/artifacts/agent-archive.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import { agentConfigMap, settingsConfigMap } from "../../../placements/pool/config-maps.ts";
import { rolloutDigest } from "../../../placements/pool/server-pod.ts";
import { type PoolPlace, type PoolServicePlan, poolServicePlan } from "../../../placements/pool/service-plan.ts";
import { verdictJob } from "../../../placements/pool/verdict-job.ts";
import { fullPoolPlace, fullService } from "./full-service.ts";
import { digestDependsOn } from "./inputs.ts";

type Input = { readonly service: ResolvedService; readonly place: PoolPlace };

const full: Input = { service: fullService, place: fullPoolPlace };
const planOf = ({ service, place }: Input) => poolServicePlan(service, place);

const restarts = {
    "service.name": "changes", // over several nodes: the others find the first by it
    "service.release": "stays", // it is in the settings digest
    "service.placement": "stays",
    "service.refused": "stays",
    "service.problems": "stays",
    "service.findings": "stays",
    "service.settings": "stays",
    "service.settings.port.value": "changes",
    "service.environment": "stays",
    ...Object.fromEntries(
        fullService.environment.flatMap(({ name }, index) => [
            [`service.environment.${index}.name`, "changes" as const],
            // a pod has its own interface
            [`service.environment.${index}.value`, /SOCKET_IFNAME$/.test(name) ? ("stays" as const) : "changes"],
        ]),
    ),
    "service.arguments": "changes",
    "service.memory": "stays",
    "service.tuning": "stays",
    "service.gate": "stays", // it is in the settings digest
    "service.settingsDigest": "changes",
    "place.pool": "stays",
    "place.pool.multiNode": "stays",
    "place.memoryBytes": "stays",
    "place.build.digest": "changes",
    "place.build.image": "changes",
    "place.build.stage": "stays", // the build's digest is over it
    "place.weights.claim": "stays",
    "place.weights.directory": "stays",
    "place.weights.path": "changes",
    "place.weights.manifestDigest": "changes",
    "place.gpus": "stays", // their number is in the arguments
    "place.apiKey": "changes",
    "place.apiKey.fingerprint": "stays", // a new value rolls the pods and is no other revision
    "place.startupBudgetSeconds": "changes",
} as const;

/** Whatever differs in the pods, or in what they mount, rolls them, also where the server is the same. */
const rolls = {
    ...restarts,
    "service.release": "changes",
    "service.gate": "changes",
    "place.pool": "changes",
    "place.pool.storage": "stays",
    "place.pool.spareGpus": "stays", // how they are rolled
    "place.memoryBytes": "changes",
    "place.build.stage": "changes",
    "place.weights.claim": "changes",
    "place.weights.directory": "changes",
    "place.gpus.0": "changes",
    "place.apiKey.fingerprint": "changes",
} as const;

const text = "--- a/x\n+++ b/x\n";
const other = {
    "service.release": "0.5.22",
    "service.arguments.host": "::",
    "place.build.stage.patches": [{ base: "site-packages", name: "p", sha256: "c".repeat(64), stripLevel: 1, text }],
    "place.build.stage.treeSha256": "c".repeat(64),
    "place.memoryBytes": 2 ** 39,
};

digestDependsOn<Input>("the restart digest in a pool", {
    full,
    digest: (input) => planOf(input).restartDigest,
    table: restarts,
    other,
    optional: ["place.apiKey"],
});

digestDependsOn<Input>("the rollout digest in a pool", {
    full,
    digest: (input) => rolloutDigest(planOf(input)),
    table: rolls,
    other,
    optional: ["place.apiKey"],
});

describe("names of objects", () => {
    let plan: PoolServicePlan;
    beforeEach(() => {
        plan = planOf(full);
    });
    afterEach(() => vi.restoreAllMocks());

    test("nodes of a server, and how they meet, restart it", () => {
        const digest = (place: Partial<PoolPlace>) =>
            planOf({ ...full, place: { ...fullPoolPlace, ...place } }).restartDigest;
        const group = { ...fullPoolPlace.pool, multiNode: "leaderWorkerSet" } as const;
        const digests = [digest({}), digest({ gpus: [8] }), digest({ gpus: [8, 8, 8] }), digest({ pool: group })];
        expect(new Set(digests).size).toBe(4);
    });

    test("on one node neither the service's name nor the kind of a larger workload matters", () => {
        const digest = (name: string, multiNode: "statefulSet" | "leaderWorkerSet") =>
            planOf({
                service: { ...fullService, name },
                place: { ...fullPoolPlace, gpus: [8], pool: { ...fullPoolPlace.pool, multiNode } },
            }).restartDigest;
        expect(digest("one", "statefulSet")).toBe(digest("two", "leaderWorkerSet"));
    });

    test("settings and verdict carry the digest that they belong to", () => {
        const { restartDigest, desired } = plan;
        expect(desired.generation).toBe(restartDigest);
        expect(JSON.stringify(settingsConfigMap(plan).data)).toContain(restartDigest);
        expect(JSON.stringify(verdictJob(plan).spec)).toContain(`"${rolloutDigest(plan)}"`);
    });

    test("another agent rolls the pods and starts no server anew", () => {
        const before = [rolloutDigest(plan), agentConfigMap("chat", "server").metadata.name, plan.restartDigest];
        vi.spyOn(archive, "agentArchive").mockReturnValue({ digest: "0".repeat(16), base64: "" });
        const after = [rolloutDigest(plan), agentConfigMap("chat", "server").metadata.name, planOf(full).restartDigest];
        expect(after.map((text, index) => text === before[index])).toEqual([false, false, true]);
    });
});
