import { describe, expect, test } from "vitest";

/** An example of a type in which nothing is left out: a new field is an error of the compiler until the example has it. */
export type Full<T> = T extends readonly (infer Item)[]
    ? Full<Item>[]
    : T extends object
      ? { [Key in keyof Required<T>]: Full<Exclude<T[Key], undefined>> }
      : T;

/** What a change of an input does to a digest. */
export type Effect = "changes" | "stays";

/** A digest, an example with everything that could go into it, and what each input does. */
export interface DigestInputs<T> {
    /** Every input has a value here. */
    readonly full: T;
    readonly digest: (input: T) => unknown;
    /** By path, such as `source.commit`; a path stands for all below it that has no longer one of its own. */
    readonly table: Readonly<Record<string, Effect>>;
    /** Other values of inputs that do not take any, by path. */
    readonly other?: Readonly<Record<string, unknown>>;
    /** Paths of `changes` that may be absent, where being there is an input too. */
    readonly optional?: readonly string[];
}

type Path = readonly string[];

/** Changes every input alone and looks at the digest; an input without a row in the table is a failure. */
export function digestDependsOn<T extends object>(
    what: string,
    { full, digest, table, other = {}, optional = [] }: DigestInputs<T>,
): void {
    // asked for inside of tests alone: what is computed while they are collected belongs to none of them
    const before = () => digest(full);
    const inputs = leaves(full).map((path) => ({ path, row: rowOf(path, table) }));

    describe(what, () => {
        test("has every input in its table, and no row for what is none", () => {
            expect(inputs.filter(({ row }) => row === undefined).map(({ path }) => path.join("."))).toEqual([]);
            expect(Object.keys(table).filter((row) => !inputs.some((input) => input.row === row))).toEqual([]);
        });

        test.each(Object.entries(table))("with another %s: %s", (row, effect) => {
            for (const { path } of inputs.filter((input) => input.row === row)) {
                const after = digest(changed(full, path, other[path.join(".")]));
                expect(after === before() ? "stays" : "changes", path.join(".")).toBe(effect);
            }
        });

        test.each(optional.map((path) => [path]))("without %s: changes", (path) => {
            expect(digest(without(full, path.split(".")))).not.toBe(before());
        });

        test("whatever the order of keys: stays", () => {
            expect(digest(reversed(full) as T)).toBe(before());
        });
    });
}

function rowOf(path: Path, table: Readonly<Record<string, Effect>>): string | undefined {
    const prefixes = path.map((_, index) => path.slice(0, path.length - index).join("."));
    return prefixes.find((prefix) => prefix in table);
}

function leaves(value: unknown, path: Path = []): Path[] {
    if (value === undefined || typeof value === "function") {
        return [];
    }
    const entries = value !== null && typeof value === "object" ? Object.entries(value) : [];
    return entries.length === 0 ? [path] : entries.flatMap(([key, item]) => leaves(item, [...path, key]));
}

function changed<T>(value: T, [key, ...rest]: Path, other: unknown): T {
    if (key === undefined) {
        return (other ?? otherThan(value)) as T;
    }
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = changed(copy[key], rest, other);
    return copy as T;
}

function otherThan(value: unknown): unknown {
    if (typeof value === "number") {
        return value + 1;
    }
    if (typeof value === "boolean") {
        return !value;
    }
    return typeof value === "string" ? `${value}9` : { key: "value" };
}

function without<T>(value: T, [key, ...rest]: Path): T {
    const { [key!]: item, ...others } = value as Record<string, unknown>;
    return (rest.length === 0 ? others : { ...others, [key!]: without(item, rest) }) as T;
}

function reversed(value: unknown): unknown {
    if (value === null || typeof value !== "object") {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map(reversed);
    }
    const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)] as const);
    return Object.fromEntries(entries.toReversed());
}
