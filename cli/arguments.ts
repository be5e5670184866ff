import { ProblemsError } from "../knowledge/base/problems.ts";

/** Throws a {@link ProblemsError} when more words are given than a verb takes. */
export function atMost(count: number, positionals: readonly string[]): void {
    const extra = positionals.slice(count).map((path) => ({ path, message: "is one word too many" }));
    if (extra.length > 0) {
        throw new ProblemsError("There is more than the verb takes:", extra);
    }
}

/** Throws a {@link ProblemsError} when several options are given of which only one can count, or one that needs another. */
export function together(
    given: Readonly<Record<string, unknown>>,
    rules: { oneOf: string[]; need: string; for: string[] },
): void {
    const has = (name: string) => given[name] !== undefined;
    const written = (names: readonly string[]) => names.map((name) => `--${name}`).join(", ");
    const rivals = rules.oneOf.filter(has);
    const orphans = has(rules.need) ? [] : rules.for.filter(has);
    const problems = [
        ...(rivals.length > 1 ? [{ path: written(rivals), message: "only one of them can be given" }] : []),
        ...(orphans.length > 0 ? [{ path: written(orphans), message: `goes with --${rules.need} only` }] : []),
    ];
    if (problems.length > 0) {
        throw new ProblemsError("The options do not go together:", problems);
    }
}
