/** Another agent is another rollout: pods that run it, jobs that wait for it and fetch with it are new ones, and nothing else is. */
import { beforeEach, expect, test, vi } from "vitest";
import { type ModelPlan, modelPlan } from "../../../knowledge/artifacts/model-plan.ts";
import { serverPod } from "../../../placements/pool/server-pod.ts";
import { poolServicePlan } from "../../../placements/pool/service-plan.ts";
import { verdictJob } from "../../../placements/pool/verdict-job.ts";
import { fetchJob, type PoolWeights } from "../../../placements/pool/weights.ts";
import { fullPoolPlace, fullService } from "../digests/full-service.ts";

const archive = vi.hoisted(() => ({ digest: "", base64: "" }));
vi.mock("../../../knowledge/artifacts/agent-archive.ts", () => ({ agentArchive: () => archive }));

const rolled = "pulumi-sglang/rollout";
const model = (revision: string): ModelPlan =>
    modelPlan({ name: "qwen", repository: "owner/name", directory: "/m", retention: "Retain", revision });
const weights = (more: Partial<PoolWeights> = {}): PoolWeights => ({
    name: "qwen",
    model: model("0".repeat(40)),
    directory: "/m",
    pool: fullPoolPlace.pool,
    image: fullPoolPlace.build.image,
    ...more,
});

/** What names things for the agent of this digest. */
function namesWith(digest: string) {
    archive.digest = digest;
    const plan = poolServicePlan(fullService, { ...fullPoolPlace, gpus: [8] });
    // biome-ignore lint/suspicious/noExplicitAny: objects as they are applied
    const pod = serverPod(plan) as any;
    // biome-ignore lint/suspicious/noExplicitAny: objects as they are applied
    const verdict = verdictJob(plan) as any;
    return {
        rollout: pod.metadata.annotations[rolled],
        generation: pod.metadata.annotations["pulumi-sglang/generation"],
        verdict: verdict.metadata.name,
        waitsFor: verdict.spec.template.spec.containers[0].command.join(" "),
        fetch: fetchJob(weights()).metadata.name,
    };
}

beforeEach(() => {
    archive.digest = "a".repeat(16);
});

test("a new agent rolls the pods, and the server's settings are the same", () => {
    const [one, two] = [namesWith("a".repeat(16)), namesWith("b".repeat(16))];
    expect(two.rollout).not.toBe(one.rollout);
    expect(two.generation).toBe(one.generation);
});

test("the verdict that is waited for is of that rollout", () => {
    const [one, two] = [namesWith("a".repeat(16)), namesWith("b".repeat(16))];
    expect(two.verdict).not.toBe(one.verdict);
    for (const { rollout, waitsFor } of [one, two]) {
        expect(waitsFor).toContain(`--rollout ${rollout}`);
    }
});

test("the weights are looked at by a new agent anew, and by the same one once", () => {
    expect(namesWith("b".repeat(16)).fetch).not.toBe(namesWith("a".repeat(16)).fetch);
    expect(namesWith("a".repeat(16)).fetch).toBe(namesWith("a".repeat(16)).fetch);
});

test("the weights are fetched anew for another revision, and not for another image or token", () => {
    const name = (more?: Partial<PoolWeights>) => fetchJob(weights(more)).metadata.name;
    expect(name({ model: model("1".repeat(40)) })).not.toBe(name());
    expect(name({ image: "other@sha256:1" })).toBe(name());
});
