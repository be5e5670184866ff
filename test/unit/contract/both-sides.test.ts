/** The program and its agent take the same documents and refuse the same ones, at the same place. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { documents, type Kind } from "../../../knowledge/contract/index.ts";
import { agentContract, type JsonSchema } from "../../../knowledge/contract/json-schema.ts";
import { exampleDocuments, kindOf } from "./example-documents.ts";
import { python } from "./python.ts";

interface Case {
    readonly title: string;
    readonly kind: string;
    readonly document: unknown;
    /** Path of what is wrong; nothing when it is right. */
    readonly at?: string;
}

/** A field of a document. */
interface Field {
    readonly path: string[];
    readonly required: boolean;
    readonly schema: JsonSchema;
}

const examples = [...(await exampleDocuments())];
const cases: readonly Case[] = [
    ...examples.map(([place, document]) => ({ title: place, kind: kindOf(place), document })),
    ...examples.flatMap(([place, document]) => broken(place, document)),
];
const found = python(
    [join(packageRoot, "test/unit/contract/check.py")],
    cases.map(({ kind, document }) => [kind, document]),
) as (string | null)[];

/** The document with one thing changed, in each place where there is one: a field left out, retyped, renamed, or of another value. */
function broken(place: string, document: object): Case[] {
    const kind = kindOf(place);
    return paths(agentContract().documents[kind]!, document).flatMap(({ path, required, schema }) => {
        const at = path.join(".");
        const change = (
            title: string,
            edit: (holder: Record<string, unknown>, key: string) => void,
            wrong = at,
        ): Case => {
            const copy = structuredClone(document);
            const holder = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as never)[key], copy);
            edit(holder as Record<string, unknown>, path.at(-1)!);
            return { title: `${place} with ${at} ${title}`, kind, document: copy, at: wrong };
        };
        return [
            change("retyped", (holder, key) => {
                holder[key] = typeof holder[key] === "object" ? 7 : { not: "that" };
            }),
            change(
                "renamed",
                (holder, key) => {
                    holder[`${key}X`] = holder[key];
                    delete holder[key];
                },
                `${at}X`,
            ),
            ...(required ? [change("left out", (holder, key) => delete holder[key])] : []),
            ...valuesFor(schema).map((value) => {
                const one = change(`set to ${JSON.stringify(value)}`, (holder, key) => {
                    holder[key] = value;
                });
                return taken(schema, value) ? { ...one, at: undefined } : one;
            }),
        ];
    });
}

/** Values of the right type, at the edge of what a schema takes. */
function valuesFor({ type, pattern, enum: choices }: JsonSchema): unknown[] {
    if (choices) {
        return ["neither", ...choices];
    }
    if (pattern) {
        return [
            "",
            "\n",
            "a",
            "A b",
            "a\n",
            "/a\n",
            "/a/../b",
            "/..",
            "a/b",
            "a/b/c/d",
            "3.11\n",
            "3",
            "a".repeat(200),
            "é",
        ];
    }
    return type === "integer" || type === "number" ? [-1, 0, 0.5, 1, true] : [];
}

/** Whether a schema takes a value that {@link valuesFor} gives; by JavaScript's own means. */
function taken(
    { type, pattern, enum: choices, minimum = Number.NEGATIVE_INFINITY }: JsonSchema,
    value: unknown,
): boolean {
    if (typeof value === "string") {
        return choices ? choices.includes(value) : new RegExp(pattern!).test(value);
    }
    return typeof value === "number" && value >= minimum && (type === "number" || Number.isInteger(value));
}

/** Paths of all fields of a document but its version, which a test of its own is about. */
function paths(schema: JsonSchema, value: unknown, above: string[] = []): Field[] {
    const { properties, required = [], items, oneOf } = schema;
    if (Array.isArray(value)) {
        return value.slice(0, 1).flatMap((item) => paths(items!, item, [...above, "0"]));
    }
    if (oneOf) {
        const { kind } = value as { kind: string };
        const chosen = oneOf.find((one) => one.properties!.kind!.const === kind)!;
        return paths(chosen, value, above).filter(({ path }) => path.at(-1) !== "kind");
    }
    return Object.entries(properties ?? {})
        .filter(([key]) => key !== "contract" && (value as Record<string, unknown>)[key] !== undefined)
        .flatMap(([key, inner]) => [
            { path: [...above, key], required: required.includes(key), schema: inner },
            ...paths(inner, (value as Record<string, unknown>)[key], [...above, key]),
        ]);
}

/** The paths of an error, as both sides write them: `patches.0.name`. */
function pathsOf({ kind, document }: Case): string[] {
    const { error } = documents[kind as Kind].safeParse(document);
    return (error?.issues ?? []).flatMap((issue) => {
        const at = issue.path.join(".");
        return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key].join(".")) : [at];
    });
}

test("there is something to compare", () => {
    expect(cases.length).toBeGreaterThan(250);
});

test("the program takes the examples and refuses each of the others where it is wrong", () => {
    for (const one of cases) {
        expect(one.at === undefined ? pathsOf(one) : [pathsOf(one).includes(one.at)], one.title).toEqual(
            one.at === undefined ? [] : [true],
        );
    }
});

test("so does the agent", () => {
    for (const [index, { title, at }] of cases.entries()) {
        const message = found[index]?.replaceAll(/\[(\d+)\]/g, ".$1");
        if (at === undefined) {
            expect(message, title).toBeUndefined();
        } else {
            expect(message, title).toContain(`\n  ${at}: `);
        }
    }
});
