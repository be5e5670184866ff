import type { z } from "zod";
import { otherNames } from "../base/problems.ts";
import type { Decision } from "./decision.ts";

/**
 * What a field of the stack file says of itself, beside its type: with its schema this is all that there is of a field.
 * The check of a stack file, the settings of SGLang, the declarations of the library, the reference and the editor's
 * schema are made from it.
 */
export interface FieldRow<T = unknown> {
    /** What it is: a sentence without its final period, and without its unit and default. */
    readonly says: string;
    /** Unit of a number, in the plural. */
    readonly unit?: string;
    /** What holds when it is left out, in words. Absent for a required field, a group, and one whose schema has the default. */
    readonly default?: string;
    /** The setting of SGLang that it decides. Absent for one that is read elsewhere. */
    readonly decides?: Decision;
    /** Values that each change what is put on a machine, tried by a test; two for a required field. Absent for a group. */
    readonly examples?: readonly T[];
    /** Name of the declaration that stands for it in the library: of a group, or of a list of values. */
    readonly declared?: string;
}

const rows = new WeakMap<z.core.$ZodType, FieldRow>();

/** A field: its schema and its row. The schema is copied, so that two fields may begin with the same. */
export function field<S extends z.ZodType>(schema: S, row: FieldRow<z.input<S>>): S {
    const own = schema.clone() as S;
    rows.set(own, row);
    if (row.decides) {
        otherNames.set(own, [row.decides.setting]);
    }
    return own;
}

/** The row of a field, whatever makes it optional or gives it a default; nothing for a schema that is no field. */
export function rowOf(schema: z.core.$ZodType): FieldRow | undefined {
    for (let inner: z.core.$ZodType | undefined = schema; inner; inner = wrapped(inner)) {
        const row = rows.get(inner);
        if (row) {
            return row;
        }
    }
    return undefined;
}

/** What a schema is made from that allows an absence, or changes what was read. */
export function wrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
    const { innerType, in: read } = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType };
    return innerType ?? read;
}

/** The sentence of a row, unit and default included. */
export function sentenceOf({ says, unit, default: otherwise }: FieldRow, fallback?: string): string {
    const measured = unit === undefined ? says : says.replace(/(?=;|$)/, `, ${unit}`);
    const left = otherwise ?? fallback;
    return left === undefined ? `${measured}.` : `${measured}. Defaults to ${left}.`;
}
