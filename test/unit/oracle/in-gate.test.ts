/** An oracle in a stack file: read, checked, named by its content, and sent with what the gate asks. */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { planDocument } from "../../../cli/plan/plan-document.ts";
import { renderPlan } from "../../../cli/plan/render-plan.ts";
import { loadDeployment } from "../../../deployment/load.ts";
import { planDeployment } from "../../../deployment/plan.ts";
import type { PackedOracle } from "../../../knowledge/oracle/packed.ts";
import { oracleProblems } from "../../../knowledge/service/gate.ts";
import { exampleStacks, readExampleFile, type StackFile } from "../fields/example-stacks.ts";
import { type Recording, recorded } from "./recorded.ts";

/** What a stack on a host, or in a pool, with an oracle of that text is loaded as. */
function loaded(text: string | undefined, kind = "on a host", gate: object = {}) {
    const stack: StackFile = structuredClone(exampleStacks[kind]);
    stack.services.chat.gate = { oracle: "oracles/own.json", ...gate };
    return loadDeployment(stack, (path) => {
        if (path !== "oracles/own.json") {
            return readExampleFile(path);
        }
        if (text === undefined) {
            throw Object.assign(new Error(), { code: "ENOENT" });
        }
        return text;
    });
}

const gateOf = (...given: Parameters<typeof loaded>) => loaded(...given).services[0]!.resolved.gate;
const sound = (change: (recording: Recording) => void = () => {}) => {
    const recording = recorded("sound");
    change(recording);
    return JSON.stringify(recording);
};

test.each(["on a host", "in a pool"])("%s it is sent whole, and is what its sha256 says", (kind) => {
    const { problems, services } = loaded(sound(), kind);
    expect(problems).toEqual([]);
    const { oracle } = services[0]!.resolved.gate;
    const text = gunzipSync(Buffer.from(oracle!.packed, "base64"));
    expect(createHash("sha256").update(text).digest("hex")).toBe(oracle!.sha256);
    expect(JSON.parse(text.toString()).entries).toHaveLength(9);
});

test("the plan says what it was asked of, and by which bytes it is known", () => {
    const plan = planDeployment(loaded(sound()), []);
    const { sha256 } = plan.services[0]!.resolved.gate.oracle!;
    expect(renderPlan(plan).replace(/\s+/g, " ")).toContain(
        `the oracle of sha256 ${sha256.slice(0, 12)}, alone and at once: tiny, 16-bit weights, asked of sglang 0.5.16, 9 prompts of set own`,
    );
    expect(planDocument(plan).services[0]!.oracle).toMatchObject({ sha256, server: "sglang", prompts: 9 });
    expect(
        planDocument(planDeployment(loadDeployment(exampleStacks["on a host"], readExampleFile), [])).services[0],
    ).not.toHaveProperty("oracle");
});

test("a tolerance widens every distance, and what is served how far it may be", () => {
    const limits = (gate: object) => gateOf(sound(), "on a host", gate).oracle!.limits;
    expect(limits({ oracleTolerance: 2 }).promptMean).toBe(2 * limits({}).promptMean);
    // the example serves NVFP4, the reference has 16 bits
    expect(limits({}).promptMean).toBe(0.25);
});

test.each([
    ["that is not there", undefined, /cannot read oracles\/own\.json: there is no such file/],
    ["that is no JSON", "{", /is not JSON/],
    ["without a number", sound((one) => (one.alone[0][2].input[4][0] = null)), /log-probability 4 of the prompt 2/],
    ["whose prompts do not fit", sound(long), /has 40961 tokens, more than the context of 40960/],
])("one %s is a problem at its field", (_, text, said) => {
    const { problems } = loaded(text);
    expect(problems).toEqual([
        { path: expect.stringContaining("services.chat.gate.oracle"), message: expect.stringMatching(said) },
    ]);
});

test("a prompt and its answer fit a context that has one token more", () => {
    const entry = { name: "long", ids: Array(90).fill(7), answerIds: Array(10).fill(7) };
    const oracle = { oracle: { entries: [entry] } } as unknown as PackedOracle;
    expect(oracleProblems(oracle, 100)).toHaveLength(1);
    expect(oracleProblems(oracle, 101)).toEqual([]);
    expect(oracleProblems(oracle, undefined)).toEqual([]);
});

function long(recording: Recording): void {
    for (const answer of [recording.alone[0][0], recording.alone[1][0]]) {
        answer.input = Array.from({ length: 40961 }, (_, at) => [at === 0 ? null : -1, 7]);
    }
    recording.together = [];
}
