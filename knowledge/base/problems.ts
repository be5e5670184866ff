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

/** The same problems with their paths below a root. */
export function below(root: string, problems: readonly Problem[]): Problem[] {
    return problems.map(({ path, message }) => ({ path: `${root}.${path}`, message }));
}

/** What `schema` found, with paths such as `services.qwen.gpus.0` below `root`. */
export function zodProblems(error: z.ZodError, schema: z.ZodType, root = ""): Problem[] {
    return withoutMisplaced(issuesToProblems(error.issues, schema, root === "" ? [] : [root]));
}

/** A group that is missing because one of its keys stands beside it is told once: where that key goes. */
function withoutMisplaced(problems: readonly Problem[]): Problem[] {
    const told = problems.flatMap(({ path, message }) => {
        const group = /; write `(\w+)\./.exec(message)?.[1];
        return group === undefined ? [] : [path.replace(/[^.]*$/, group)];
    });
    return problems.filter(({ path, message }) => !(message.startsWith("is missing") && told.includes(path)));
}

function issuesToProblems(
    issues: readonly z.core.$ZodIssue[],
    schema: z.ZodType,
    root: readonly PropertyKey[],
): Problem[] {
    return issues.flatMap((issue) => {
        const at = (...more: string[]) => [...root, ...issue.path, ...more].join(".");
        if (issue.code === "unrecognized_keys") {
            return issue.keys.map((key) => ({ path: at(key), message: unknownKey(key, schemaAt(schema, issue.path)) }));
        }
        if (issue.code === "invalid_union" && /^Invalid /.test(issue.message)) {
            return unionProblems(issue, schema, root);
        }
        return [{ path: at() || "(top)", message: inPlainWords(issue) }];
    });
}

/** Of several shapes that a value could have, the mistakes in the one that it is nearest to; the first keys where it is near to none. */
function unionProblems(
    union: z.core.$ZodIssueInvalidUnion,
    schema: z.ZodType,
    root: readonly PropertyKey[],
): Problem[] {
    const branches: readonly (readonly z.core.$ZodIssue[])[] = union.errors;
    const missing = branches.map((issues) => issues.find((one) => one.path.length === 1 && isMissing(one))?.path[0]);
    const near = branches.filter((_, index) => missing[index] === undefined);
    if (near.length === 0 && missing.every((key) => key !== undefined)) {
        const unknown = branches[0]!.flatMap((one) => (one.code === "unrecognized_keys" ? one.keys : []));
        const not = unknown.length > 0 ? `, not ${quoted(unknown).join(", ")}` : "";
        const message = `must have ${quoted(missing).join(" or ")}${not}`;
        return [{ path: [...root, ...union.path].join("."), message }];
    }
    const [best = branches[0]!] = near.toSorted((a, b) => a.length - b.length);
    const placed = best.map((issue) => ({ ...issue, path: [...union.path, ...issue.path] }));
    return issuesToProblems(placed, schema, root);
}

/** Other names that people give a field: the setting that it decides. Filled by whoever declares fields. */
export const otherNames = new WeakMap<z.core.$ZodType, readonly string[]>();

/** What to do about a key that a value cannot have; one of another shape is told as that. */
function unknownKey(key: string, schema: z.ZodType | undefined): string {
    const shapes = (schema?.def as Parts | undefined)?.options?.map(keysOf) ?? [];
    const owner = shapes.find((keys) => keys.includes(key));
    if (owner) {
        const own = (keys: readonly string[]) =>
            keys.find((one) => shapes.every((other) => other === keys || !other.includes(one)));
        const others = quoted(shapes.filter((keys) => keys !== owner).map(own)).join(" or ");
        return key === own(owner) ? `cannot stand beside ${others}` : `goes with \`${own(owner)}\`, not with ${others}`;
    }
    const known = schema ? keysOf(schema).toSorted() : [];
    const other = schema && underOtherName(key, schema);
    if (other) {
        return `is not a known key; write \`${other}\``;
    }
    const inside = known.find((one) => schema && keysBelow(schemaAt(schema, [one])).includes(key));
    const meant = inside
        ? `write \`${inside}.${key}\``
        : (didYouMean(key, known) || partOf(key, known)).replace(/^; /, "");
    return `is not a known key; ${meant || (known.length === 0 ? "remove it" : `known are ${known.join(", ")}`)}`;
}

/** A longer key that begins or ends with the word, such as `extraArgs` for `args`. */
function partOf(key: string, known: readonly string[]): string {
    const word = key.toLowerCase();
    const longer = known.filter((one) => one.toLowerCase().startsWith(word) || one.toLowerCase().endsWith(word));
    return key.length > 2 && longer.length === 1 ? `; did you mean ${JSON.stringify(longer[0])}?` : "";
}

/** The path of a field, at most two keys deep, that goes by another name: `parallelism.tensor` for `tp`, `tp_size` or `tpSize`. */
function underOtherName(key: string, schema: z.ZodType): string | undefined {
    const word = key
        .replaceAll(/([a-z])(?=[A-Z])/g, "$1-")
        .replaceAll("_", "-")
        .toLowerCase();
    const fields = keysOf(schema).flatMap((one) => [
        [one] as const,
        ...keysBelow(schemaAt(schema, [one])).map((below) => [one, below] as const),
    ]);
    const named = (test: (name: string) => boolean) =>
        fields.filter((path) => otherNames.get(schemaAt(schema, path) as z.ZodType)?.some(test));
    const exact = named((name) => name === word);
    const [found, ...more] = exact.length > 0 ? exact : named((name) => name.startsWith(`${word}-`));
    return more.length === 0 ? found?.join(".") : undefined;
}

function quoted(keys: readonly (PropertyKey | undefined)[]): string[] {
    return keys.map((key) => `\`${String(key)}\``);
}

function isMissing(issue: z.core.$ZodIssue): boolean {
    return issue.code === "invalid_type" && /received undefined$/.test(issue.message);
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
    readonly options?: readonly z.ZodType[];
}

/** The schema at a path of the value; nothing where there is none. */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
    const { shape, valueType, element, innerType, options } = schema.def as Parts;
    if (innerType) {
        return schemaAt(innerType, path);
    }
    const [first, ...rest] = path;
    if (first === undefined) {
        return schema;
    }
    if (options) {
        return options.map((option) => schemaAt(option, path)).find((found) => found !== undefined);
    }
    const inner = shape?.[String(first)] ?? valueType ?? element;
    return inner && schemaAt(inner, rest);
}

/** Keys of a map, or of any shape that a value can have. */
function keysBelow(schema: z.ZodType | undefined): string[] {
    const { options } = (schema?.def ?? {}) as Parts;
    return schema === undefined ? [] : (options?.flatMap(keysOf) ?? keysOf(schema));
}

/** Keys of a map, in the order of its schema; none for anything else. */
function keysOf(schema: z.ZodType): string[] {
    return Object.keys((schema.def as Parts).shape ?? {});
}
