import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { zodProblems } from "../knowledge/problems.ts";
import type { Problem } from "../knowledge/settings.ts";
import { userError } from "./user-error.ts";

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
