import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rules } from "../../../knowledge/rules/index.ts";
import { rulesJson, rulesMarkdown, rulesText } from "../../../knowledge/rules/render.ts";

describe("the printed rule table", () => {
    it("is docs/rules.md; after a change of the table run `npm run generate`", () => {
        expect(readFileSync(new URL("../../../docs/rules.md", import.meta.url), "utf8")).toBe(rulesMarkdown());
    });

    it("shows every rule with condition, window, change, sources and what speaks against it", () => {
        const section = rulesMarkdown()
            .split("### ")
            .find((part) => part.startsWith("`fp4-cudnn-nan`"))!;
        expect(section).toContain("`fp4-cudnn-nan` (fix)");
        expect(section).toContain("- Window: FlashInfer from 0.6.8 to before 0.6.11");
        expect(section).toContain("- Sets: `fp4-gemm-backend` = `flashinfer_cutlass`");
        expect(section).toContain("flashinfer-ai/flashinfer#3192");
        expect(section).toMatch(/- Against it: .*safe backend/);
        for (const { id } of rules) {
            expect(rulesMarkdown()).toContain(`### \`${id}\``);
            expect(rulesText()).toContain(`${id}: `);
        }
    });

    it("is whole as data: nothing is lost when it becomes JSON", () => {
        const document = JSON.parse(JSON.stringify(rulesJson()));
        expect(document).toEqual(rulesJson());
        expect(document.rules).toHaveLength(rules.length);
        expect(document.rules[0]).toMatchObject({ id: rules[0]!.id, area: "Dense FP4 GEMM", when: rules[0]!.when });
    });
});

describe("the rule table", () => {
    it("has unique ids in kebab case", () => {
        const ids = rules.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(id))).toEqual([]);
    });

    it.each(rules.map((rule) => [rule.id, rule] as const))("%s says one thing, from somewhere", (_, rule) => {
        expect(rule.reason).toMatch(/^\S.*[^.]\.$/);
        expect(rule.reason.length).toBeLessThan(330);
        expect(rule.sources.length).toBeGreaterThan(0);
        const changes = Object.keys({ ...rule.set, ...rule.environment }).length + (rule.placed ? 1 : 0);
        expect(changes > 0).toBe(rule.verdict === "fix");
    });
});
