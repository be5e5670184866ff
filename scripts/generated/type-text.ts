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

/** A schema in the words of who writes a stack file. */
export function plainType(schema: z.core.$ZodType): string {
    const { type, valueType, element, options, entries, check } = partsOf(schema) as Parts;
    switch (type) {
        case "array":
            return `list of ${plural(plainType(element!))}`;
        case "record":
            return `map of ${plural(plainType(valueType!))}`;
        case "union":
            return options!.map(plainType).join(" or ");
        case "enum":
            return Object.values(entries!)
                .map((value) => `\`${value}\``)
                .join(" or ");
        case "object":
            return "map";
        case "boolean":
            return "true or false";
        case "number":
            return check === "number_format" ? "whole number" : "number";
        default:
            return type === "string" ? textType(namedValues(schema)) : type;
    }
}

/** The values that the library declares for a field that takes others too; none for a field without such a list. */
export function namedValues(schema: z.core.$ZodType): string[] {
    const lists: Readonly<Record<string, Readonly<Record<string, string>>>> = backends;
    return Object.values(lists[rowOf(schema)?.declared ?? ""] ?? {});
}

type Parts = ReturnType<typeof partsOf> & {
    readonly entries?: Readonly<Record<string, string>>;
    /** `number_format` for a whole number. */
    readonly check?: string;
};

function textType(named: readonly string[]): string {
    return named.length === 0 ? "text" : `text such as ${named.map((value) => `\`${value}\``).join(", ")}`;
}

function plain(schema: z.core.$ZodType, type: string): string {
    if (!["string", "number", "boolean"].includes(type)) {
        throw new Error(`a row of ${type} needs \`declared\`: ${JSON.stringify(rowOf(schema))}`);
    }
    return type;
}

function plural(type: string): string {
    const many: Readonly<Record<string, string>> = { text: "texts", "whole number": "whole numbers", map: "maps" };
    return many[type] ?? type;
}
