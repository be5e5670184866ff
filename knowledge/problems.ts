import type { z } from "zod";
import type { Problem } from "./settings.ts";

/** A mistake of the user's: every problem at once, and no stack trace. */
export class ProblemsError extends Error {
    /** What is wrong, in the order of the input. */
    readonly problems: readonly Problem[];

    constructor(subject: string, problems: readonly Problem[]) {
        super(`${subject}\n${problems.map(({ path, message }) => `  ${path}: ${message}`).join("\n")}`);
        this.name = "ProblemsError";
        this.problems = problems;
    }
}

/** What a schema found, with paths such as `services.qwen.gpus.0` below `root`. */
export function zodProblems(error: z.ZodError, root = ""): Problem[] {
    return error.issues.flatMap((issue) => {
        const path = [root, ...issue.path].filter((part) => part !== "").join(".");
        if (issue.code === "unrecognized_keys") {
            return issue.keys.map((key) => ({
                path: [path, key].filter(Boolean).join("."),
                message: "is not a known key; remove it or correct its name",
            }));
        }
        return [{ path: path || "(top)", message: inPlainWords(issue.message) }];
    });
}

/** A YAML author's words for a type. */
const words: Readonly<Record<string, string>> = { array: "list", int: "whole number", object: "map", record: "map" };

function inPlainWords(message: string): string {
    const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
    if (expected === undefined || received === undefined) {
        return message;
    }
    const wanted = `must be a ${words[expected] ?? expected}`;
    return received === "undefined" ? `is missing; ${wanted}` : `${wanted}, not a ${words[received] ?? received}`;
}

/** Parses a value, or throws one {@link ProblemsError} that names every mistake. */
export function check<S extends z.ZodType>(subject: string, schema: S, value: unknown, root = ""): z.output<S> {
    const result = schema.safeParse(value);
    if (result.success) {
        return result.data;
    }
    throw new ProblemsError(subject, zodProblems(result.error, root));
}
