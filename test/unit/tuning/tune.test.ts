import { describe, expect, it } from "vitest";
import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import { profiles } from "../../../knowledge/models/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import { releases } from "../../../knowledge/sglang/index.ts";
import { objectives } from "../../../knowledge/tuning/index.ts";
import { type SpecChanges, serviceSpec } from "../service/service-spec.ts";
import { GLM_MTP, QWEN, withNumactl } from "./cases.ts";

const service = (changes: SpecChanges) => resolve(serviceSpec(changes));
const qwen = (fields: ServiceFields = {}, release = "0.5.16") => service({ repository: QWEN, release, fields });
const note = ({ tuning }: ResolvedService, id: string) => tuning.find(({ row }) => row === id);

describe("a row", () => {
    it("is the origin of what it sets, by its name", () => {
        expect(qwen().settings["speculative-num-steps"]).toEqual({ value: 3, origin: "tuning", rule: "gdn-mtp" });
        const variable = service({ release: "0.5.23" }).environment.find(
            ({ name }) => name === "SGLANG_ENABLE_PCIE_IPC_ALLREDUCE",
        );
        expect(variable).toMatchObject({ value: "1", origin: "tuning" });
    });

    it("leaves what the user decided, whole, and says who did", () => {
        const own = qwen({ speculative: { algorithm: "NGRAM" } });
        expect(own.settings["speculative-algorithm"]).toEqual({ value: "NGRAM", origin: "user" });
        expect(own.settings["speculative-num-steps"]).toBeUndefined();
        expect(note(own, "gdn-mtp")).toMatchObject({
            outcome: "decided",
            because: "speculative-algorithm is NGRAM (user)",
        });
    });

    it("sets what was left to SGLang in so many words", () => {
        const { settings } = qwen({ backends: { attention: "auto" }, kvCache: { dtype: "auto" } });
        expect(settings["attention-backend"]).toMatchObject({ value: "flashinfer", origin: "tuning" });
        expect(settings["kv-cache-dtype"]).toMatchObject({ value: "fp8_e4m3", origin: "tuning" });
    });

    it("is not said again of what is so already", () => {
        expect(note(qwen({ kvCache: { dtype: "fp8_e4m3" } }), "gdn-fp8-cache")).toBeUndefined();
    });

    it("is turned down by name, with the reason in view", () => {
        const without = qwen({ accept: [{ rule: "gdn-mtp", reason: "agents with long prompts" }] });
        expect(without.settings["speculative-algorithm"]).toBeUndefined();
        expect(note(without, "gdn-mtp")).toMatchObject({ outcome: "declined", because: "agents with long prompts" });
    });

    it("gives way to what a rule says of its result", () => {
        const glm = service({ repository: GLM_MTP, release: "0.5.23" });
        expect(glm.settings["speculative-algorithm"]).toBeUndefined();
        expect(note(glm, "glm-mtp")?.because).toMatch(/^eagle-prefix-reuse: /);
    });

    it("gives way to memory that does not hold it", () => {
        const fields: ServiceFields = { objective: "throughput", kvCache: { memoryFraction: 0.76 } };
        const tight = qwen(fields, "0.5.23");
        expect(tight.settings["chunked-prefill-size"]).toBeUndefined();
        expect(note(tight, "prefill-chunk")).toMatchObject({ outcome: "unsafe" });
        expect(note(tight, "prefill-chunk")?.because).toMatch(/^memory-/);
    });

    it("sees what those before it have set: drafts need a number of requests, which caps the graphs", () => {
        const { settings } = qwen();
        expect(settings["max-running-requests"]).toMatchObject({ value: 64, rule: "speculation-requests" });
        expect(settings["cuda-graph-max-bs-decode"]).toMatchObject({ value: 64, rule: "graphs-to-requests" });
    });

    it("caps graphs at the next captured batch, and each replica of attention at its share", () => {
        const graphs = (scheduling: ServiceFields["scheduling"], more: ServiceFields = {}) =>
            service({ fields: { scheduling, ...more } }).settings["cuda-graph-max-bs-decode"]?.value;
        expect(graphs({ maxRunningRequests: 33 })).toBe(40);
        expect(graphs({ maxRunningRequests: 300 })).toBe(304);
        expect(graphs({ maxRunningRequests: 600 })).toBeUndefined();
        const shared = graphs({ maxRunningRequests: 64 }, { parallelism: { data: 2, dataParallelAttention: true } });
        expect(shared).toBe(32);
    });
});

describe("an objective", () => {
    it("of none sets nothing for speed", () => {
        expect(qwen({ objective: "none" }).tuning).toEqual([]);
        expect(Object.values(qwen({ objective: "none" }).settings).map(({ origin }) => origin)).not.toContain("tuning");
    });

    it("is balanced when nothing is said, and none for a launch that is taken over", () => {
        expect(qwen()).toEqual(qwen({ objective: "balanced" }));
        const launch = `python3 -m sglang.launch_server --model-path ${QWEN} --tp 8`;
        expect(qwen({ launch }).tuning).toEqual([]);
        expect(qwen({ launch, objective: "balanced" }).settings["speculative-algorithm"]?.origin).toBe("tuning");
    });

    it("of throughput has larger chunks and no drafts", () => {
        const { settings } = service({ fields: { objective: "throughput" } });
        expect(settings["chunked-prefill-size"]).toMatchObject({ value: 16384, origin: "tuning" });
        expect(qwen({ objective: "throughput" }).settings["speculative-algorithm"]).toBeUndefined();
    });
});

/** What is said against a service, its settings aside. */
const against = ({ findings, problems }: ResolvedService) => [
    ...findings.filter(({ verdict }) => verdict !== "fix").map(({ rule, setting }) => `${rule} ${setting ?? ""}`),
    ...problems.map(({ path, message }) => `${path}: ${message}`),
];

describe("safe comes first", () => {
    const repositories = profiles().flatMap(({ checkpoints }) => checkpoints.map(({ repository }) => repository));

    it.each(repositories.map((repository, at) => [repository, at] as const))(
        "%s: no objective brings a refusal, a warning or a problem",
        (repository, at) => {
            const some = releases().filter((_, index) => index % 4 === at % 4);
            for (const release of [...some, releases().at(-1)!]) {
                const bare = service({ repository, release, facts: withNumactl, fields: { objective: "none" } });
                const said = new Set(against(bare));
                for (const objective of objectives) {
                    const tuned = service({ repository, release, facts: withNumactl, fields: { objective } });
                    expect(
                        against(tuned).filter((each) => !said.has(each)),
                        `${release} ${objective}`,
                    ).toEqual([]);
                    expect(tuned.refused).toBe(bare.refused);
                }
            }
        },
    );
});
