import { safeParse, type z } from "zod";
import { deploymentSchema } from "../../../deployment/schema.ts";
import { rowOf } from "../../../knowledge/fields/field.ts";
import { type PlacedField, partsOf } from "../../../knowledge/fields/walk.ts";
import type { StackFile } from "./example-stacks.ts";

/** A stack file with every group above a field, and with the field where a value is given. */
export function withField(stack: StackFile, { path }: PlacedField, given?: { value: unknown }): StackFile {
    const copy = structuredClone(stack);
    return place(deploymentSchema, copy, path, given) ? copy : undefined;
}

/** Goes down to the field, through names that are there, and makes groups that are not. False where nothing has a name. */
function place(
    schema: z.core.$ZodType,
    at: StackFile,
    [key, ...rest]: readonly string[],
    given: { value: unknown } | undefined,
): boolean {
    const parts = partsOf(schema);
    if (parts.type === "union") {
        const option = parts.options!.find((one) => partsOf(one).shape?.[key!])!;
        return place(option, at, [key!, ...rest], given);
    }
    const inner = parts.shape?.[key!] ?? parts.valueType ?? parts.element!;
    const name = key === "*" ? Object.keys(at)[0] : key === "[]" ? 0 : key!;
    if (name === undefined) {
        return false;
    }
    if (rest.length > 0) {
        at[name] = fitting(inner, at[name], rest[0]!);
        return place(inner, at[name], rest, given);
    }
    if (given) {
        at[name] = given.value;
    }
    return true;
}

/** The group as it is, where it may have the key; else the smallest one that may. */
function fitting(schema: z.core.$ZodType, present: unknown, key: string): unknown {
    const { type, options } = partsOf(schema);
    if (type === "array") {
        return present ?? [fitting(partsOf(schema).element!, undefined, key)];
    }
    if (type === "record") {
        return present ?? {};
    }
    const shape = partsOf(options?.find((one) => partsOf(one).shape?.[key]) ?? schema).shape ?? {};
    if (key === "[]" || (typeof present === "object" && Object.keys(present!).every((own) => own in shape))) {
        return present;
    }
    const required = Object.entries(shape).filter(([, own]) => !safeParse(own as z.ZodType, undefined).success);
    return Object.fromEntries(required.map(([own, inner]) => [own, rowOf(inner)!.examples![0]]));
}
