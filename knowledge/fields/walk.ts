import type { z } from "zod";
import { type FieldRow, rowOf, wrapped } from "./field.ts";

/** A field where it stands. */
export interface PlacedField {
    /** Its keys from the top; `*` for any name of a map, `[]` for any entry of a list. */
    readonly path: readonly string[];
    readonly schema: z.core.$ZodType;
    /** Absent for a field that nobody documented. */
    readonly row: FieldRow | undefined;
    readonly required: boolean;
    /** True in a union: the keys of one alternative exclude those of another. */
    readonly alternative: boolean;
    /** Fields below it. */
    readonly fields: readonly PlacedField[];
}

/** The parts of a schema that lead further in. */
interface Parts {
    readonly type: string;
    readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
    readonly valueType?: z.core.$ZodType;
    readonly element?: z.core.$ZodType;
    readonly options?: readonly z.core.$ZodType[];
}

/** What a schema is made from, without what allows its absence. */
export function partsOf(schema: z.core.$ZodType): Parts {
    const inner = wrapped(schema);
    return inner ? partsOf(inner) : (schema._zod.def as unknown as Parts);
}

/** The fields of a schema, each with those below it. Those of a union are of all its alternatives. */
export function fieldsOf(schema: z.core.$ZodType, path: readonly string[] = []): PlacedField[] {
    const { type, shape, valueType, element, options } = partsOf(schema);
    switch (type) {
        case "object":
            return Object.entries(shape!).map(([key, own]) => ({
                path: [...path, key],
                schema: own,
                row: rowOf(own),
                required: own._zod.optin === undefined,
                alternative: false,
                fields: fieldsOf(own, [...path, key]),
            }));
        case "record":
            return fieldsOf(valueType!, [...path, "*"]);
        case "array":
            return fieldsOf(element!, [...path, "[]"]);
        case "union":
            return withoutTwice(options!.flatMap((option) => fieldsOf(option, path))).map((one) => ({
                ...one,
                alternative: true,
            }));
        default:
            return [];
    }
}

/** The same field of several alternatives is one. */
function withoutTwice(fields: readonly PlacedField[]): PlacedField[] {
    const keys = fields.map(({ path }) => path.join("."));
    return fields.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

/** Every field, at any depth, a group before its fields. */
export function allFields(fields: readonly PlacedField[]): PlacedField[] {
    return fields.flatMap((one) => [one, ...allFields(one.fields)]);
}
