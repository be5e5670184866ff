import { isOpen, open } from "../open.ts";

/** What a variable holds: a text, a list, or texts by key. */
export type Held = string | readonly string[] | ReadonlyMap<string, string>;

interface Variable {
    readonly value: Held;
    readonly exported: boolean;
}

/** Variables as they stand at one moment of a script. */
export class Scope {
    readonly #variables: Map<string, Variable | undefined>;
    /** Arguments of a function or of `bash -c`; absent where nobody knows them. */
    positional: readonly string[] | undefined;
    /** Whether every assignment is exported (`set -a`). */
    exportsAll = false;
    /** What a variable that is not set here would come from. */
    readonly origin: string;

    constructor(origin: string, environment: Readonly<Record<string, string>> = {}) {
        this.origin = origin;
        this.#variables = new Map(
            Object.entries(environment).map(([name, value]) => [name, { value, exported: true }]),
        );
    }

    /** The same variables, to be changed on their own. */
    copy(): Scope {
        const scope = new Scope(this.origin);
        for (const [name, variable] of this.#variables) {
            scope.#variables.set(name, variable);
        }
        scope.positional = this.positional;
        scope.exportsAll = this.exportsAll;
        return scope;
    }

    /** What a variable holds; `undefined` for one that the text does not set. One that it unsets is empty. */
    get(name: string): Held | undefined {
        return this.#variables.has(name) ? (this.#variables.get(name)?.value ?? "") : undefined;
    }

    /** Whether the text sets it, and to something. */
    has(name: string): boolean {
        return this.#variables.get(name) !== undefined;
    }

    set(name: string, value: Held, exported?: boolean): void {
        const before = this.#variables.get(name)?.exported ?? false;
        this.#variables.set(name, { value, exported: exported ?? (before || this.exportsAll) });
    }

    unset(name: string): void {
        this.#variables.set(name, undefined);
    }

    /** Marks a variable as exported; one that the text does not set stays what it is. */
    export(name: string, exported = true): void {
        const variable = this.#variables.get(name);
        if (variable) {
            this.#variables.set(name, { ...variable, exported });
        }
    }

    /** What a program that is started gets. */
    environment(): Record<string, string> {
        return Object.fromEntries(
            [...this.#variables].flatMap(([name, variable]) =>
                variable?.exported && typeof variable.value === "string" ? [[name, variable.value] as const] : [],
            ),
        );
    }

    /** Variables that are set and not exported. */
    private(): string[] {
        return [...this.#variables].flatMap(([name, variable]) => (variable && !variable.exported ? [name] : []));
    }

    /** Takes over what either of two ways through the script leaves. What they leave differently depends on `condition`. */
    either(one: Scope, other: Scope, condition: string): void {
        for (const name of new Set([...one.#variables.keys(), ...other.#variables.keys()])) {
            const [a, b] = [one.#variables.get(name), other.#variables.get(name)];
            const same = one.#variables.has(name) === other.#variables.has(name) && sameHeld(a?.value, b?.value);
            const value = same ? a?.value : differing(name, a?.value, b?.value, condition);
            this.#variables.set(
                name,
                value === undefined ? undefined : { value, exported: (a?.exported || b?.exported) ?? false },
            );
        }
        this.positional = one.positional;
    }
}

function sameHeld(one: Held | undefined, other: Held | undefined): boolean {
    const plain = (held: Held | undefined) => (held instanceof Map ? [...held] : held);
    return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

/** Of lists the part that both have stays known. */
function differing(name: string, one: Held | undefined, other: Held | undefined, condition: string): Held {
    if (Array.isArray(one) && Array.isArray(other)) {
        const [long, short] = one.length >= other.length ? [one, other] : [other, one];
        const same = short.every((word, index) => word === long[index]) ? short : [];
        const rest = long.slice(same.length).join(" ");
        return [
            ...same,
            open(rest || `$${name}`, `whether ${rest || `$${name}`} is there depends on \`${condition}\``),
        ];
    }
    const words = [one, other].map((held) =>
        typeof held === "string" && held !== "" && !isOpen(held) ? held : "nothing",
    );
    return open(`$${name}`, `$${name} is ${words.join(" or ")}, depending on \`${condition}\``);
}
