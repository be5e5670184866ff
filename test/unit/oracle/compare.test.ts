/** What is said of real recordings, and of those that a damage, another tokenizer or another set of prompts would leave. */
import { describe, expect, test } from "vitest";
import { compare, differentPrompts, gaps } from "../../../knowledge/oracle/compare.ts";
import { readOracle } from "../../../knowledge/oracle/read.ts";
import { eachAnswer, type Recording, recorded } from "./recorded.ts";

const oracle = (recording: Recording) => readOracle("recording", JSON.stringify(recording));
const against = (recording: Recording, reference: Recording = recorded("sound")) =>
    compare(oracle(reference), oracle(recording));

const sound = ["sound", "sound-flashinfer", "sound-fp8-cache"];

describe.each(sound)("with %s as reference", (reference) => {
    test.each(sound)("%s is sound", (other) => {
        expect(against(recorded(other), recorded(reference)).verdict).toBe("yes");
    });

    test.each(["noise05", "noise20"])("%s is not", (other) => {
        expect(against(recorded(other), recorded(reference)).verdict).toBe("no");
    });
});

/** A part of the way from the sound server to a damaged one: what less noise does. */
function partly(share: number, which: (prompt: number) => boolean = () => true): Recording {
    const far = recorded("noise05").alone[0];
    return eachAnswer(recorded("sound"), (answer, prompt) => {
        for (const [place, row] of answer.input.entries()) {
            if (row[0] !== null && which(prompt)) {
                row[0] += share * (far[prompt].input[place][0] - row[0]);
            }
        }
    });
}

test("2 % noise is not sound, and neither is that of one layer of four", () => {
    expect(against(partly(0.4)).verdict).toBe("no");
    expect(against(partly(0.2)).verdict).toBe("no");
});

test("a tenth of a per cent is sound", () => {
    expect(against(partly(0.02)).verdict).toBe("yes");
});

test("what is wrong in answers only, as with a bad cache, is found", () => {
    const far = recorded("noise05").alone[0];
    const found = against(
        eachAnswer(recorded("sound"), (answer, prompt) => {
            answer.output = far[prompt].output;
            answer.top = far[prompt].top;
        }),
    );
    expect(found.verdict).toBe("no");
    expect(found.decided.figure).toMatch(/^(answer|top)/);
    expect(found.distance!.figures.promptMean).toBe(0);
});

test("what is wrong only far into a long prompt is found", () => {
    const long = (recording: Recording, wrong: number) =>
        eachAnswer(recording, (answer) => {
            const rows = answer.input.slice(1);
            answer.input = [answer.input[0], ...Array.from({ length: 100 }, () => structuredClone(rows)).flat()];
            for (const row of answer.input.slice(-40)) {
                row[0] -= wrong;
            }
        });
    const found = against(long(recorded("sound"), 0.4), long(recorded("sound"), 0));
    expect(found.distance!.figures.promptMean).toBeLessThan(found.limits.promptMean * 2);
    expect(found.decided.figure).toBe("promptStretch");
    expect(found.verdict).toBe("no");
});

test("what is wrong only in a crowd is told as that", () => {
    const damaged = recorded("sound");
    damaged.together = recorded("noise20").together;
    const found = against(damaged);
    expect([found.verdict, found.decided.against]).toEqual(["no", "together"]);
    expect(found.decided.reason).toContain("asked all at once");
});

test("an answer that is another one is found, though its prompt is right", () => {
    const found = against(
        eachAnswer(recorded("sound"), (answer) => {
            for (const [place, row] of answer.output.entries()) {
                row[1] += 1;
                answer.top[place][0][1] += 1;
            }
        }),
    );
    expect([found.verdict, found.decided.figure]).toEqual(["no", "topAgreement"]);
});

test.each([
    ["an id of a prompt", (one: Recording) => (one.input[4][1] = 9), "place 4 of prompt 0"],
    ["a shorter prompt", (one: Recording) => one.input.pop(), "place 25 of prompt 0"],
    ["a longer prompt", (one: Recording) => one.input.push([-1, 3]), "place 26 of prompt 0"],
])("%s is another tokenizer, not wrong numbers", (_, change, place) => {
    const found = against(eachAnswer(recorded("sound"), (answer, prompt) => prompt === 0 && change(answer)));
    expect([found.verdict, found.decided.figure]).toEqual(["no", "tokens"]);
    expect(found.decided.reason).toContain("tokenizer or template changed");
    expect(found.decided.reason).toContain(place);
});

test.each([
    ["prompt", (one: Recording) => (one.input[3][0] = null), "log-probability 3 of the prompt 2 is no number"],
    ["answer", (one: Recording) => (one.output[1][0] = null), "log-probability 1 of the answer 2 is no number"],
    ["best tokens", (one: Recording) => (one.top[0][2][0] = null), "among the best tokens 2 is no number"],
    ["answer above zero", (one: Recording) => (one.output[1][0] = 0.5), "log-probability 1 of the answer 2 is 0.5"],
    ["answer with nothing", (one: Recording) => Object.assign(one, { output: [], top: [] }), "prompt 2 has no answer"],
])("%s without a number is a no with its place, and no reference", (_, change, said) => {
    const broken = eachAnswer(recorded("sound"), (answer, prompt) => prompt === 2 && change(answer));
    const found = against(broken);
    expect([found.verdict, found.decided.figure]).toEqual(["no", "numbers"]);
    expect(found.decided.reason).toContain(said);
    expect(gaps(oracle(broken))[0]!.message).toContain(said);
});

test("NaN as Python writes it is no number, and the word in a prompt stays", () => {
    const recording = recorded("sound");
    recording.prompts[3] = 'What is NaN? "Infinity"';
    recording.alone[1][3].output[0][0] = "@";
    const found = readOracle("recording", JSON.stringify(recording).replace('"@"', "NaN"));
    expect(found.entries[3]!.name).toBe('What is NaN? "Infinity"');
    expect(found.spread.again!.broken).toBe("log-probability 0 of the answer 3 is no number");
});

test("other prompts and fewer prompts are told by name, and nothing is judged", () => {
    const fewer = recorded("sound");
    fewer.prompts.pop();
    for (const run of fewer.alone) {
        run.pop();
    }
    fewer.together = [];
    const [problem] = differentPrompts(oracle(recorded("sound")), oracle(fewer));
    expect(problem!.message).toContain('"Do not mind these numbers');
    expect(problem!.message).toContain("in the reference and not in the other");
    const other = recorded("sound");
    other.prompts[0] = other.prompts[0].replace("<|im_start|>user", "[INST]");
    expect(differentPrompts(oracle(recorded("sound")), oracle(other))).toHaveLength(2);
});

test("every mistake of a file is named", () => {
    const recording = recorded("sound");
    recording.alone[1].pop();
    recording.together.pop();
    expect(() => oracle(recording)).toThrow(
        /alone\.1: has 8 answers to 9 prompts\n.*together: has 26 answers, which is no multiple of 9 prompts/,
    );
    expect(() => readOracle("x.json", "{")).toThrow(/x\.json: is not JSON/);
    expect(() => readOracle("x.json", "{}")).toThrow(/schema/);
});

test("a wider tolerance lets more pass", () => {
    expect(compare(oracle(recorded("sound")), oracle(recorded("noise05")), 10).verdict).toBe("yes");
});

test("a reference that is itself spread allows for its spread", () => {
    const spread = recorded("sound");
    spread.together = recorded("noise05").together;
    expect(compare(oracle(spread), oracle(recorded("noise05"))).verdict).toBe("yes");
    expect(compare(oracle(spread), oracle(recorded("noise20"))).verdict).toBe("no");
});

test.each([
    ["--quantization", "fp8"],
    ["--quantization", "modelopt_fp4"],
])("%s %s of the other server may be farther off", (...words) => {
    const quantized = recorded("noise05");
    quantized.extra.push(...words);
    expect(against(quantized).verdict).toBe("yes");
});
