import { isOpen } from "../open.ts";
import { expression, matches } from "./pattern.ts";

/** What a condition says; `undefined` where only the machine can tell. */
export type Truth = boolean | undefined;

const numeric: Readonly<Record<string, (a: number, b: number) => boolean>> = {
    "-eq": (a, b) => a === b,
    "-ne": (a, b) => a !== b,
    "-lt": (a, b) => a < b,
    "-le": (a, b) => a <= b,
    "-gt": (a, b) => a > b,
    "-ge": (a, b) => a >= b,
};

/** Answers the words of `[ … ]`, `test` or `[[ … ]]`. */
export function answer(words: readonly string[], isSet: (name: string) => Truth): Truth {
    const or = split(words, ["||", "-o"]);
    if (or.length > 1) {
        return some(or.map((part) => answer(part, isSet)));
    }
    const and = split(words, ["&&", "-a"]);
    if (and.length > 1) {
        return not(some(and.map((part) => not(answer(part, isSet)))));
    }
    if (words[0] === "!") {
        return not(answer(words.slice(1), isSet));
    }
    if (words[0] === "(" && words.at(-1) === ")") {
        return answer(words.slice(1, -1), isSet);
    }
    return simple(words, isSet);
}

function simple(words: readonly string[], isSet: (name: string) => Truth): Truth {
    const [one = "", two, three] = words;
    if (words.length <= 1) {
        return isOpen(one) ? undefined : one !== "";
    }
    if (words.length === 2) {
        switch (one) {
            case "-n":
                return isOpen(two!) ? undefined : two !== "";
            case "-z":
                return isOpen(two!) ? undefined : two === "";
            case "-v":
                return isSet(two!);
            default:
                return undefined;
        }
    }
    const sides = one + (three ?? "");
    if (words.length > 3 || isOpen(sides)) {
        return undefined;
    }
    if (two === "=" || two === "==") {
        return matches(one, three!);
    }
    if (two === "!=") {
        return !matches(one, three!);
    }
    if (two === "=~") {
        return expression(three!)?.test(one);
    }
    const compare = numeric[two!];
    return compare && /^-?\d+$/.test(one) && /^-?\d+$/.test(three!) ? compare(Number(one), Number(three)) : undefined;
}

function split(words: readonly string[], signs: readonly string[]): string[][] {
    const parts: string[][] = [[]];
    let depth = 0;
    for (const word of words) {
        depth += word === "(" ? 1 : word === ")" ? -1 : 0;
        if (depth === 0 && signs.includes(word) && parts.at(-1)!.length > 0) {
            parts.push([]);
        } else {
            parts.at(-1)!.push(word);
        }
    }
    return parts;
}

/** Turned round; not known stays that. */
export function not(truth: Truth): Truth {
    return truth === undefined ? undefined : !truth;
}

function some(truths: readonly Truth[]): Truth {
    return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
}
