import type { z } from "zod";
import { zodProblems } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { type Deployment, deploymentSchema } from "./schema.ts";

/** Names that each part of a stack file declares, those of wrong entries included. */
export type Declared = Readonly<Record<keyof Deployment, readonly string[]>>;

/** A stack file as far as its entries are well formed. */
export interface CheckedShape {
    /** Every entry that is well formed. */
    readonly deployment: Deployment;
    readonly declared: Declared;
    /** What is wrong with the others. */
    readonly problems: Problem[];
}

/** Checks the shape of a stack file. A wrong entry hides none of the mistakes elsewhere: the others are kept and can be followed. */
export function checkedShape(value: unknown): CheckedShape {
    const parsed = deploymentSchema.safeParse(value);
    const parts = Object.keys(deploymentSchema.shape) as (keyof Deployment)[];
    const given = (part: string) =>
        ((value as Record<string, unknown> | null)?.[part] ?? {}) as Record<string, unknown>;
    const named = (part: string) => (typeof given(part) === "object" ? Object.keys(given(part)) : []);
    const declared = Object.fromEntries(parts.map((part) => [part, named(part)])) as unknown as Declared;
    if (parsed.success) {
        return { deployment: parsed.data, declared, problems: [] };
    }
    const entries = parts.map((part) => {
        const each = deploymentSchema.shape[part] as unknown as z.ZodType<Record<string, unknown>>;
        const right = named(part).flatMap((name) => {
            const one = each.safeParse({ [name]: given(part)[name] });
            return one.success ? Object.entries(one.data) : [];
        });
        return [part, Object.fromEntries(right)];
    });
    const deployment = Object.fromEntries(entries) as unknown as Deployment;
    return { deployment, declared, problems: zodProblems(parsed.error, deploymentSchema) };
}
