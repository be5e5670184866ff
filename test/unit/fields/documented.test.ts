import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { safeParse } from "zod";
import { fallbackOf } from "../../../knowledge/fields/plain-type.ts";
import { stackFields, valueFields, written } from "./stack-fields.ts";

describe("every field of the stack file", () => {
    test("has a row that says what it is", () => {
        expect(stackFields.filter(({ row }) => row === undefined).map(written)).toEqual([]);
        expect(stackFields.filter(({ row }) => !/^[A-Z\d].*[^.]$/.test(row?.says ?? "")).map(written)).toEqual([]);
    });

    test("that may be left out says what holds then", () => {
        const silent = valueFields.filter(
            ({ row, required, schema }) => !required && (row?.default ?? fallbackOf(schema)) === undefined,
        );
        expect(silent.map(written)).toEqual([]);
    });

    test("whose name has a unit says so in its row", () => {
        const units = { Seconds: "seconds", Minutes: "minutes", GiB: "GiB", Gb: "GB" };
        for (const [ending, unit] of Object.entries(units)) {
            const ended = stackFields.filter(({ path }) => path.at(-1)!.endsWith(ending));
            expect(ended.filter(({ row }) => row!.unit !== unit).map(written)).toEqual([]);
        }
    });

    test.each(valueFields.map((one) => [written(one), one] as const))("%s has examples that it takes", (_, one) => {
        const { row, schema, required } = one;
        const examples = row?.examples ?? [];
        expect(examples.length, "examples").toBeGreaterThanOrEqual(required ? 2 : 1);
        for (const example of examples) {
            expect(safeParse(schema as z.ZodType, example)).toMatchObject({ success: true });
        }
    });
});
