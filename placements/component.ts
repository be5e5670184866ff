import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { zodProblems } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { name as nameSchema } from "../knowledge/fields/values.ts";

/** What every component of this package shares: its type token, and the one error that a mistake in its arguments ends in. */

/** Type token of a component, `sglang:index:<name>`: part of every URN, so it never changes. */
export function typeToken(component: string): string {
    return `sglang:index:${component}`;
}

/** Whether a value comes later: an Output of another resource, or a Promise. */
export function isLater(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
    return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** A field that takes an Input: a value that is there is checked now, one that comes later when it does ({@link whenKnown}). */
export function input<T>(schema: z.ZodType<T>) {
    return z
        .unknown()
        .optional()
        .transform((value, context): T | pulumi.Output<T> => {
            if (isLater(value)) {
                return pulumi.output(value) as pulumi.Output<T>;
            }
            const result = schema.safeParse(value);
            if (result.success) {
                return result.data;
            }
            for (const issue of result.error.issues) {
                context.issues.push({ ...issue, input: value } as (typeof context.issues)[number]);
            }
            return z.NEVER;
        });
}

/** A value that a schema checks and leaves as it was given. */
export function asGiven<T>(schema: z.ZodType) {
    return z
        .unknown()
        .optional()
        .transform((value, context): T => {
            const result = schema.safeParse(value);
            for (const issue of result.error?.issues ?? []) {
                context.issues.push({ ...issue, input: value } as (typeof context.issues)[number]);
            }
            return result.success ? (value as T) : z.NEVER;
        });
}

/**
 * Parses the arguments of a component, or throws one error that names every bad field and a bad name. Call it before `super()`.
 */
export function checkArgs<S extends z.ZodType>(component: string, name: string, schema: S, args: unknown): z.output<S> {
    const named = nameSchema.safeParse(name);
    const result = schema.safeParse(args);
    const problems = [
        ...(named.success ? [] : zodProblems(named.error, nameSchema, "name")),
        ...(result.success ? [] : zodProblems(result.error, schema)),
    ];
    if (problems.length > 0 || !result.success) {
        throw invalid(component, name, problems);
    }
    return result.data;
}

/** An input as an Output, checked when it is known: a bad value that came later ends the program with the same error as one that was there. */
export function whenKnown<T>(
    where: readonly [component: string, name: string, path: string],
    schema: z.ZodType<T>,
    value: T | pulumi.Output<T>,
): pulumi.Output<T> {
    const checked = pulumi.Output.isInstance(value) ? value.apply((known) => checkValue(where, schema, known)) : value;
    return pulumi.output(checked) as pulumi.Output<T>;
}

/**
 * A value that is there once resources are, and depends on none of them: what is made of it waits for them, and stays where it
 * is when one of them is replaced. The engine deletes what depends on a property of a resource that it deletes before it
 * replaces it.
 */
export function once<T>(resources: readonly pulumi.Resource[], value: pulumi.Input<T>): pulumi.Output<T> {
    const made = resources.map(({ urn }) => new Promise<void>((resolve) => urn.apply(() => resolve())));
    return pulumi.output(value).apply(async (known) => {
        await Promise.all(made);
        return known;
    }) as pulumi.Output<T>;
}

/** A value that came later, or the error that one that was there would have led to. */
export function checkValue<T>(
    [component, name, path]: readonly [component: string, name: string, path: string],
    schema: z.ZodType<T>,
    value: unknown,
): T {
    const result = schema.safeParse(value);
    if (result.success) {
        return result.data;
    }
    throw invalid(component, name, zodProblems(result.error, schema, path));
}

/** The error that a user's mistake ends in: shown without a stack trace. */
export function invalid(component: string, name: string, problems: readonly Problem[]): pulumi.RunError {
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
    return userError(`${component} ${JSON.stringify(name)} is not valid:\n${lines.join("\n")}`);
}

/**
 * The error that a user's mistake ends in. It has no stack: the engine shows none, but lets Node colour it first, which with the
 * paths of a scoped package takes Node 22 a minute and gigabytes (`markNodeModules` in its `util.inspect`).
 */
export function userError(message: string): pulumi.RunError {
    const error = new pulumi.RunError(message);
    error.stack = undefined;
    return error;
}
