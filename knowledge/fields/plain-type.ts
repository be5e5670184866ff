import type { z } from "zod";
import { partsOf } from "./walk.ts";

type Parts = ReturnType<typeof partsOf> & {
    readonly entries?: Readonly<Record<string, string>>;
    /** `number_format` for a whole number. */
    readonly check?: string;
};

/** A schema in the words of who writes a stack file; `named` are values that a text usually has. */
export function plainType(
    schema: z.core.$ZodType,
    named: (schema: z.core.$ZodType) => readonly string[] = () => [],
): string {
    const { type, valueType, element, options, entries, check } = partsOf(schema) as Parts;
    const inner = (one: z.core.$ZodType) => plainType(one, named);
    switch (type) {
        case "array":
            return `list of ${plural(inner(element!))}`;
        case "record":
            return `map of ${plural(inner(valueType!))}`;
        case "union":
            return options!.map(inner).join(" or ");
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
            return type === "string" ? textType(named(schema)) : type;
    }
}

/** The default that a schema has, in words; nothing where it has none, or one that is a group. */
export function fallbackOf(schema: z.core.$ZodType): string | undefined {
    const { type, defaultValue } = schema._zod.def as { type: string; defaultValue?: unknown };
    return type === "default" && typeof defaultValue !== "object" ? `${defaultValue}` : undefined;
}

function textType(named: readonly string[]): string {
    return named.length === 0 ? "text" : `text such as ${named.map((value) => `\`${value}\``).join(", ")}`;
}

function plural(type: string): string {
    const many: Readonly<Record<string, string>> = { text: "texts", "whole number": "whole numbers", map: "maps" };
    return many[type] ?? type;
}
