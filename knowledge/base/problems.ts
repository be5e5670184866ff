import type { z } from "zod";
import { didYouMean } from "./nearest.ts";
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

/** What `schema` found, with paths such as `services.qwen.gpus.0` below `root`. */
export function zodProblems(error: z.ZodError, schema: z.ZodType, root = ""): Problem[] {
    return error.issues.flatMap((issue) => {
        const at = (key?: string) => [root, ...issue.path, key].filter((part) => part !== "" && part !== undefined);
        if (issue.code === "unrecognized_keys") {
            const known = knownKeys(schema, issue.path);
            return issue.keys.map((key) => ({
                path: at(key).join("."),
                message: `is not a known key; ${unknownKeyAdvice(key, known)}`,
            }));
        }
        return [{ path: at().join(".") || "(top)", message: inPlainWords(issue) }];
    });
}

function unknownKeyAdvice(key: string, known: readonly string[]): string {
    const meant = didYouMean(key, known).replace(/^; /, "");
    return meant || (known.length === 0 ? "remove it" : `known are ${known.join(", ")}`);
}

/** A YAML author's words for a type. */
const words: Readonly<Record<string, string>> = {
    array: "a list",
    boolean: "true or false",
    int: "a whole number",
    map: "a map",
    null: "empty",
    number: "a number",
    object: "a map",
    record: "a map",
    string: "a string",
};

function inPlainWords(issue: z.core.$ZodIssue): string {
    if (!/^(Too |Invalid )/.test(issue.message)) {
        return issue.message;
    }
    switch (issue.code) {
        case "invalid_key":
            return issue.issues
                .map(({ code, message }) => (code === "custom" ? message : `its name ${message}`))
                .join("; ");
        case "invalid_value":
            return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
        case "too_big":
            return outOfRange(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum);
        case "too_small":
            return outOfRange(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum);
        case "invalid_type":
            return wrongType(issue);
        default:
            return issue.message;
    }
}

function outOfRange(origin: string, side: string, limit: number | bigint): string {
    switch (origin) {
        case "array":
            return `must have ${side} ${limit} ${limit === 1 ? "entry" : "entries"}`;
        case "string":
            return `must have ${side} ${limit} ${limit === 1 ? "character" : "characters"}`;
        default:
            return `must be ${side} ${limit}`;
    }
}

function wrongType(issue: z.core.$ZodIssueInvalidType): string {
    const received = /received (\w+)$/.exec(issue.message)?.[1] ?? "";
    const wanted = `must be ${words[issue.expected] ?? issue.expected}`;
    if (received === "undefined") {
        return `is missing; ${wanted}`;
    }
    if (issue.expected === "int" && received === "number") {
        return wanted;
    }
    const quote = issue.expected === "string" && ["number", "boolean"].includes(received) ? "; put it in quotes" : "";
    const got = received === "boolean" ? "a truth value" : (words[received] ?? received);
    return `${wanted}, ${received === "null" ? "but is" : "not"} ${got}${quote}`;
}

/** What a YAML parser said, in one line and without advice for programmers. */
export function yamlMistake(message: string): string {
    const line = message.split("\n")[0]!.replace(/:$/, "");
    return line.replace(/^Source contains multiple documents; .* at/, "holds several documents, the second begins at");
}

/** Parses a value, or throws one {@link ProblemsError} that names every mistake. */
export function check<S extends z.ZodType>(subject: string, schema: S, value: unknown, root = ""): z.output<S> {
    const result = schema.safeParse(value);
    if (result.success) {
        return result.data;
    }
    throw new ProblemsError(subject, zodProblems(result.error, schema, root));
}

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
