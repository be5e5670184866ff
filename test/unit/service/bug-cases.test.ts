import { describe, expect, it } from "vitest";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { bugCases, seenOnlyAfterStart } from "./bug-cases.ts";
import { serviceSpec } from "./service-spec.ts";

describe("public bug reports as inputs", () => {
    it.each(bugCases.map((bug) => [bug.name, bug] as const))("%s", (_, { input, says, gives = {}, refused }) => {
        const service = resolve(serviceSpec(input));
        const said = Object.fromEntries(service.findings.map(({ rule, verdict }) => [rule, verdict]));
        expect(said).toMatchObject(says);
        expect(service.findings.every(({ sources, message }) => sources.length > 0 && message.length > 20)).toBe(true);
        const values = {
            ...Object.fromEntries(Object.entries(service.settings).map(([name, { value }]) => [name, value])),
            ...Object.fromEntries(service.environment.map(({ name, value }) => [name, value])),
        };
        for (const [name, value] of Object.entries(gives)) {
            expect(values[name] ?? null, name).toBe(value);
        }
        const against = [
            ...service.problems.map(({ message }) => message),
            ...service.findings.filter(({ verdict }) => verdict === "refuse").map(({ rule }) => rule),
        ];
        expect(service.refused, against.join("; ")).toBe(refused);
    });

    it("covers all 26 reports", () => {
        const numbers = new Set(bugCases.map(({ name }) => Number(/^A(\d+)/.exec(name)![1])));
        expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
    });
});

describe("reports that no check before the start can settle", () => {
    it.each(seenOnlyAfterStart)(
        "%s is a warning, and the gate asks for greedy, sampled and many answers after the start",
        (_, input, rule) => {
            const service = resolve(serviceSpec(input));
            expect(service.findings.find((finding) => finding.rule === rule)?.verdict).toBe("warn");
            expect(service.gate.greedy.length).toBeGreaterThan(0);
            expect(service.gate.sampled).toMatchObject({ temperature: 1 });
            expect(service.gate.concurrency.requests).toBeGreaterThanOrEqual(16);
        },
    );
});
