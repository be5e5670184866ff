import { describe, expect, it } from "vitest";
import { ruleIds } from "../../../knowledge/rules/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import { findOption } from "../../../knowledge/sglang/index.ts";
import { tuningRows } from "../../../knowledge/tuning/index.ts";
import { type SpecChanges, serviceSpec } from "../service/service-spec.ts";
import { cases } from "./cases.ts";

const noteOf = (id: string, changes: SpecChanges) => resolve(serviceSpec(changes)).tuning.find(({ row }) => row === id);

describe("every row", () => {
    it("has a case inside and one just outside, and a name that no rule has", () => {
        const ids = tuningRows.map(({ id }) => id);
        expect(Object.keys(cases).sort()).toEqual([...ids].sort());
        expect(new Set([...ids, ...ruleIds]).size).toBe(ids.length + ruleIds.length);
    });

    it.each(Object.entries(cases))("%s", (id, { inside, outside, outcome = "taken" }) => {
        expect(noteOf(id, inside)).toMatchObject({ outcome });
        expect(noteOf(id, outside)).toBeUndefined();
    });

    it.each(tuningRows.map((row) => [row.id, row] as const))("%s says what it does and from where", (_, row) => {
        const sets = Object.keys({ ...row.set, ...row.environment });
        expect(sets.length > 0).not.toBe(row.advice !== undefined);
        expect(row.sources.length).toBeGreaterThan(0);
        expect(row.reason).toMatch(/\.$/);
        for (const { before, after, source } of row.effects) {
            expect(before).not.toBe(after);
            expect(source).not.toBe("");
        }
    });

    it("sets options that SGLang has", () => {
        const named = tuningRows.flatMap(({ set }) => Object.keys(set ?? {}));
        const missing = named.filter((name) => findOption("0.5.23", name) === undefined);
        expect(missing).toEqual([]);
    });
});
