import { existsSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { ProblemsError } from "../../knowledge/base/problems.ts";

/** A stack whose files are named from the present folder. */
interface Stack {
    readonly hosts: Readonly<Record<string, { readonly facts: string }>>;
    readonly models: Readonly<Record<string, { readonly config?: string }>>;
}

/** Writes a stack as a stack file, the files that it names relative to it. Throws a {@link ProblemsError} when there is such a file. */
export function writeStack(file: string, stack: Stack, notes: readonly string[]): void {
    if (existsSync(file)) {
        const message = "is there already: give another name, or move it away";
        throw new ProblemsError("The stack file is not written:", [{ path: file, message }]);
    }
    const named = (path: string) => relative(dirname(resolve(file)), resolve(path));
    const hosts = mapped(stack.hosts, (host) => ({ ...host, facts: named(host.facts) }));
    const models = mapped(stack.models, (model) => (model.config ? { ...model, config: named(model.config) } : model));
    const deployment = { ...stack, hosts, models };
    const says = [
        "Made from a launch. Replace address and host key with your own, facts with what `pulumi-sglang facts HOST` records.",
        ...notes,
    ];
    const text = stringify({ config: { "pulumi-sglang:deployment": deployment } }, { lineWidth: 0 });
    writeFileSync(file, `${says.map((line) => `# ${line}\n`).join("")}${text}`);
}

function mapped<T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
    return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
