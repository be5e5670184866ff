import type { z } from "zod";
import * as backends from "../../components/backends.ts";
import { rowOf } from "../../knowledge/fields/field.ts";
import { partsOf } from "../../knowledge/fields/walk.ts";

/** The words for a schema's types, in TypeScript and for people. */

/** A schema as TypeScript declares it; the declared name of a row stands for its group or its list of values. */
export function typescriptType(schema: z.core.$ZodType): string {
    const declared = rowOf(schema)?.declared;
    const { type, valueType, element, options, entries } = partsOf(schema) as Parts;
    switch (type) {
        case "array": {
            const each = declared ?? typescriptType(element!);
            return each.includes(" ") ? `(${each})[]` : `${each}[]`;
        }
        case "record":
            return `Record<string, ${typescriptType(valueType!)}>`;
        case "union":
            return options!.map(typescriptType).join(" | ");
        case "enum":
            return Object.values(entries!)
                .map((value) => JSON.stringify(value))
                .join(" | ");
        default:
            return declared ?? plain(schema, type);
    }
}

/** The values that the library declares for a field that takes others too; none for a field without such a list. */
export function namedValues(schema: z.core.$ZodType): string[] {
    const lists: Readonly<Record<string, Readonly<Record<string, string>>>> = backends;
    return Object.values(lists[rowOf(schema)?.declared ?? ""] ?? {});
}

type Parts = ReturnType<typeof partsOf> & {
    readonly entries?: Readonly<Record<string, string>>;
};

function plain(schema: z.core.$ZodType, type: string): string {
    if (!["string", "number", "boolean"].includes(type)) {
        throw new Error(`a row of ${type} needs \`declared\`: ${JSON.stringify(rowOf(schema))}`);
    }
    return type;
}
