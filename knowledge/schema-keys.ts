import type { z } from "zod";

/** The parts of a schema that lead further in. */
interface Parts {
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly valueType?: z.ZodType;
    readonly element?: z.ZodType;
    readonly innerType?: z.ZodType;
}

/** Keys that a schema knows at a path of the value, sorted; none where it is no object, or one of several. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
    const { shape, valueType, element, innerType } = schema.def as Parts;
    if (innerType) {
        return knownKeys(innerType, path);
    }
    const [first, ...rest] = path;
    if (first === undefined) {
        return Object.keys(shape ?? {}).toSorted();
    }
    const inner = shape?.[String(first)] ?? valueType ?? element;
    return inner ? knownKeys(inner, rest) : [];
}
