import { open } from "../open.ts";
import type { Scope } from "./scope.ts";

/** Commands of the shell itself that set variables; each gets its words expanded, the name first. */
export const settingBuiltins: Readonly<Record<string, (scope: Scope, words: readonly string[]) => void>> = {
    unset: (scope, words) => {
        for (const name of words.slice(1).filter((word) => !word.startsWith("-"))) {
            scope.unset(name);
        }
    },
    set: (scope, words) => {
        if (words.includes("-a") || words.includes("allexport")) {
            scope.exportsAll = words[1] !== "+o";
        } else if (words.includes("+a")) {
            scope.exportsAll = false;
        }
        const at = words.indexOf("--");
        scope.positional = at === -1 ? scope.positional : words.slice(at + 1);
    },
    shift: (scope, words) => {
        scope.positional = scope.positional?.slice(Number(words[1] ?? 1) || 1);
    },
    read: (scope, words) => unknownNames(scope, words, "is read from the terminal or a file"),
    mapfile: (scope, words) => unknownNames(scope, words, "is read from a file"),
    readarray: (scope, words) => unknownNames(scope, words, "is read from a file"),
    getopts: (scope, words) => unknownNames(scope, words.slice(2), "is an argument of the script"),
};

function unknownNames(scope: Scope, words: readonly string[], reason: string): void {
    for (const name of words.slice(1).filter((word) => /^[A-Za-z_]\w*$/.test(word))) {
        scope.set(name, open(`$${name}`, `$${name} ${reason}`));
    }
}

/** Text of a program that only rearranges its words; `undefined` for any other. */
export function printed(words: readonly string[]): string | undefined {
    const [name, ...rest] = words;
    switch (name) {
        case "echo": {
            const said = rest[0] === "-n" || rest[0] === "-e" ? rest.slice(1) : rest;
            return said.join(" ");
        }
        case "printf": {
            const [format = "", ...values] = rest[0] === "--" ? rest.slice(1) : rest;
            const kinds = format.match(/%[a-zA-Z%]/g) ?? [];
            if (kinds.some((kind) => !/[sdq%]/.test(kind[1]!)) || /%[^sdq%]/.test(format)) {
                return undefined;
            }
            const lines = kinds.length === 0 ? [[]] : values.length === 0 ? [[]] : chunks(values, kinds.length);
            const plain = format.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
            return lines.map((each) => filled(plain, each)).join("");
        }
        case "basename":
            return rest[0]
                ?.replace(/\/+$/, "")
                .replace(/^.*\//, "")
                .replace(new RegExp(`${literal(rest[1] ?? "")}$`), "");
        case "dirname":
            return rest[0]?.replace(/\/+$/, "").replace(/\/?[^/]*$/, "") || ".";
        case "seq": {
            const [from, to] = rest.length === 1 ? [1, Number(rest[0])] : [Number(rest[0]), Number(rest[1])];
            const known = rest.length <= 2 && Number.isInteger(from) && Number.isInteger(to) && to - from < 64;
            return known
                ? Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step).join("\n")
                : undefined;
        }
        default:
            return undefined;
    }
}

function filled(format: string, values: readonly string[]): string {
    let next = 0;
    return format.replaceAll(/%[sdq%]/g, (kind) => (kind === "%%" ? "%" : (values[next++] ?? "")));
}

function chunks(values: readonly string[], size: number): string[][] {
    return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
}

function literal(text: string): string {
    return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
