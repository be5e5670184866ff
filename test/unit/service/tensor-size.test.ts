/** Over how many cards a layer is split where the user does not say: all of them, less what stages and replicas take. */
import { expect, test } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { hostFacts, serviceSpec } from "./service-spec.ts";

const launch = (words: string) => `python3 -m sglang.launch_server --model-path m ${words}`;
const nodes = (...gpus: number[]) =>
    gpus.map((count, index) => ({
        name: `rack${index + 1}`,
        facts: hostFacts(),
        gpus: Array.from({ length: count }, (_, gpu) => gpu),
    }));

test.each([
    ["all cards of a machine", "", [8], 8],
    ["the cards that it may use", "", [4], 4],
    ["the cards of all machines", "", [8, 8], 16],
    ["those of one stage", "--pp-size 2", [8], 4],
    ["those of one replica", "--dp-size 2", [8], 4],
    ["all cards where replicas share them for attention", "--dp-size 2 --enable-dp-attention", [8], 8],
    ["those of one stage and replica", "--pp-size 2 --dp-size 2", [8], 2],
    ["nothing where that is no whole number", "--pp-size 3", [8], undefined],
    ["what the user says", "--tp-size 2", [8], 2],
] as const)("is %s", (_, words, gpus, size) => {
    const { settings } = resolve(serviceSpec({ nodes: nodes(...gpus), fields: { launch: launch(words) } }));
    expect(settings["tp-size"]?.value).toBe(size);
});

test.each([
    ["", 8, true],
    ["", 1, false],
    ["--tp 8", 8, false],
    ["--tensor-parallel-size 4", 8, false],
])("a launch with %j on %d cards: said that the size was not", (words, cards, said) => {
    const { findings } = resolve(serviceSpec({ nodes: nodes(cards), fields: { launch: launch(words) } }));
    expect(findings.some(({ rule }) => rule === "launch-parallel")).toBe(said);
});
