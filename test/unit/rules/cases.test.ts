import { describe, expect, it } from "vitest";
import { rules } from "../../../knowledge/rules/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { serviceSpec, untuned } from "../service/service-spec.ts";
import { cases } from "./cases.ts";

describe("every rule has a service that it judges and one just outside that it leaves alone", () => {
    it("has a pair for each row of the table, and none for a row that is not there", () => {
        expect(Object.keys(cases).sort()).toEqual(rules.map(({ id }) => id).sort());
    });

    it.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
        const { inside, outside } = cases[id]!;
        const judged = resolve(serviceSpec(untuned(inside)));
        const own = judged.findings.filter((finding) => finding.rule === id);
        expect(own.map(({ verdict }) => verdict)).toContain(rule.verdict);
        expect(own[0]!.message).toContain(rule.reason);
        expect(own[0]!.sources).toEqual(rule.sources);
        if (rule.verdict === "refuse") {
            expect(judged.refused).toBe(true);
        }
        for (const [setting, value] of Object.entries(rule.set ?? {})) {
            expect(judged.settings[setting]?.value ?? null, setting).toBe(value);
        }

        const left = resolve(serviceSpec(untuned(outside)));
        expect(left.findings.map((finding) => finding.rule)).not.toContain(id);
        for (const setting of Object.keys(rule.set ?? {})) {
            expect(left.settings[setting]?.origin, setting).not.toBe("rule");
        }
    });
});

describe("every refusal and fix can be overridden with a reason", () => {
    const reason = "Measured here for a week.";
    /** Variables that several rules set. */
    const sharedVariables = ["SGLANG_ENABLE_SPEC_V2"];

    it.each(rules.filter(({ verdict }) => verdict !== "warn").map((rule) => [rule.id, rule] as const))(
        "%s",
        (id, rule) => {
            const { inside } = cases[id]!;
            const service = resolve(
                serviceSpec(untuned({ ...inside, fields: { ...inside.fields, accept: [{ rule: id, reason }] } })),
            );
            const own = service.findings.filter((finding) => finding.rule === id);
            expect(own.length).toBeGreaterThan(0);
            for (const { verdict, message } of own) {
                expect(verdict).toBe("warn");
                expect(message).toContain(`Accepted: ${reason}`);
            }
            expect(service.findings.map((finding) => finding.rule)).not.toContain("rules-disagree");
            expect(Object.values(service.settings).map((setting) => setting.rule)).not.toContain(id);
            const byRules = service.environment.filter(({ origin }) => origin === "rule").map(({ name }) => name);
            for (const name of Object.keys(rule.environment ?? {}).filter((one) => !sharedVariables.includes(one))) {
                expect(byRules).not.toContain(name);
            }
        },
    );
});
