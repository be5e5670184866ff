import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { zodProblems } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";

/** What every component of this package shares: its type token, and the one error that a mistake in its arguments ends in. */

/** Type token of a component, `sglang:index:<name>`: part of every URN, so it never changes. */
export function typeToken(component: string): string {
    return `sglang:index:${component}`;
}

/** Parses the plain arguments of a component, or throws one error that names every bad field. Call it before `super()`. */
export function checkArgs<S extends z.ZodType>(component: string, name: string, schema: S, args: unknown): z.output<S> {
    const result = schema.safeParse(args);
    if (result.success) {
        return result.data;
    }
    throw invalid(component, name, zodProblems(result.error, schema));
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
