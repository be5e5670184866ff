import { describe, expect, it } from "vitest";
import { resolve } from "../../../knowledge/resolve.ts";
import { rules } from "../../../knowledge/rules/index.ts";
import { serviceSpec } from "../resolve/service-spec.ts";
import { cases } from "./cases.ts";

describe("every rule has a service that it judges and one just outside that it leaves alone", () => {
    it("has a pair for each row of the table, and none for a row that is not there", () => {
        expect(Object.keys(cases).sort()).toEqual(rules.map(({ id }) => id).sort());
    });

    it.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
        const { inside, outside } = cases[id]!;
        const judged = resolve(serviceSpec(inside));
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

        const left = resolve(serviceSpec(outside));
        expect(left.findings.map((finding) => finding.rule)).not.toContain(id);
        for (const setting of Object.keys(rule.set ?? {})) {
            expect(left.settings[setting]?.origin, setting).not.toBe("rule");
        }
    });
});
