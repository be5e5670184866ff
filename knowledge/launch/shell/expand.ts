import { isOpen, open, shown } from "../open.ts";
import { arithmetic } from "./arithmetic.ts";
import { expression, patternSource } from "./pattern.ts";
import { inner, quoteEnd } from "./scan.ts";
import type { Held, Scope } from "./scope.ts";

/** What words are put together from. */
export interface Surroundings {
    readonly scope: Scope;
    /** Output of a substituted command. */
    readonly output: (command: string) => string;
    /** Something that is taken for granted, to be said. */
    readonly assume: (note: string, value?: string) => void;
}

/** Beginning of a word that is split where its text has blanks. */
interface Piece {
    readonly text: string;
    readonly splits: boolean;
    /** Each is a word of its own, such as those of `"${LIST[@]}"`. */
    readonly list?: readonly string[];
    /** Written between quotes: an empty one is a word. */
    readonly quoted: boolean;
}

/** The words that a written word becomes. */
export function expandWord(word: string, around: Surroundings): string[] {
    const words: string[] = [];
    let current: string | undefined;
    const end = () => {
        if (current !== undefined) {
            words.push(current);
        }
        current = undefined;
    };
    for (const { text, splits, list, quoted } of pieces(word, around, false)) {
        if (list) {
            list.forEach((each, index) => {
                if (index > 0) {
                    end();
                }
                current = (current ?? "") + each;
            });
        } else if (splits) {
            text.split(/([ \t\n]+)/).forEach((each, index) => {
                if (index % 2 === 1) {
                    end();
                } else if (each !== "") {
                    current = (current ?? "") + each;
                }
            });
        } else if (text !== "" || quoted) {
            current = (current ?? "") + text;
        }
    }
    end();
    return words;
}

/** A written word as one text, as in an assignment. */
export function expandText(word: string, around: Surroundings): string {
    return pieces(word, around, false)
        .map(({ text, list }) => list?.join(" ") ?? text)
        .join("");
}

function pieces(word: string, around: Surroundings, quoted: boolean): Piece[] {
    const found: Piece[] = [];
    let plain = "";
    const put = (piece: Piece) => {
        if (plain !== "") {
            found.push({ text: plain, splits: false, quoted });
        }
        plain = "";
        found.push(piece);
    };
    for (let at = 0; at < word.length; ) {
        const char = word[at]!;
        if (char === "'" && !quoted) {
            const end = quoteEnd(word, at) ?? word.length + 1;
            put({ text: word.slice(at + 1, end - 1), splits: false, quoted: true });
            at = end;
        } else if (char === '"' && !quoted) {
            const end = quoteEnd(word, at) ?? word.length + 1;
            const inside = pieces(word.slice(at + 1, end - 1), around, true);
            put({ text: "", splits: false, quoted: inside.every(({ list }) => list === undefined) });
            for (const piece of inside) {
                put({ ...piece, splits: false });
            }
            at = end;
        } else if (char === "\\") {
            const next = word[at + 1] ?? "";
            const kept = quoted && !/["\\$`\n]/.test(next);
            plain += next === "\n" ? "" : kept ? char + next : next;
            at += 2;
        } else if (char === "$" || char === "`") {
            const [piece, end] = substituted(word, at, around, quoted);
            put(piece);
            at = end;
        } else {
            plain += char;
            at++;
        }
    }
    if (plain !== "") {
        found.push({ text: plain, splits: false, quoted });
    }
    return found;
}

function substituted(word: string, at: number, around: Surroundings, quoted: boolean): [Piece, number] {
    const piece = (text: string): Piece => ({ text, splits: !quoted, quoted });
    const end = inner(word, at);
    if (word.startsWith("$((", at)) {
        return [piece(arithmeticText(word.slice(at + 3, end - 2), around)), end];
    }
    if (word.startsWith("$(", at) || word[at] === "`") {
        return [piece(around.output(word.slice(at + (word[at] === "`" ? 1 : 2), end - 1))), end];
    }
    const bare = /^\$([A-Za-z_]\w*|[0-9@*#?$!-])/.exec(word.slice(at));
    const expressed = bare ? bare[1]! : word.startsWith("${", at) ? word.slice(at + 2, end - 1) : undefined;
    if (expressed === undefined) {
        return [{ text: "$", splits: false, quoted }, at + 1];
    }
    const held = parameter(expressed, around);
    const after = bare ? at + bare[0].length : end;
    return [typeof held === "string" ? piece(held) : { ...piece(""), list: listOf(held, quoted) }, after];
}

function listOf(held: readonly string[] | ReadonlyMap<string, string>, quoted: boolean): readonly string[] {
    const list = held instanceof Map ? [...held.values()] : (held as readonly string[]);
    return quoted ? list : list.flatMap((word) => word.split(/[ \t\n]+/).filter(Boolean));
}

function arithmeticText(text: string, around: Surroundings): string {
    const filled = text.includes("$") ? expandText(text, around) : text;
    const known = (name: string) => {
        const held = around.scope.get(name);
        return typeof held === "string" && !isOpen(held) ? held : undefined;
    };
    const value = isOpen(filled) ? undefined : arithmetic(filled, known);
    return value === undefined ? open(`$((${text}))`, `$((${text})) cannot be computed from this text`) : String(value);
}

const operator = /^(:?[-=+?]|##?|%%?|\/\/?|\^\^?|,,?|:)([\s\S]*)$/;

/** The value of `${…}`: of a name, of an entry, of a length, and what an operator makes of it. */
function parameter(text: string, around: Surroundings): Held {
    const { scope } = around;
    const length = /^#([A-Za-z_]\w*)(\[[@*]\])?$/.exec(text);
    if (length) {
        const held = scope.get(length[1]!);
        return held === undefined
            ? unset(length[1]!, around)
            : String(held instanceof Map ? held.size : (held as string | readonly string[]).length);
    }
    const named = /^(!?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[([^\]]*)\])?([\s\S]*)$/.exec(text);
    if (!named) {
        return open(`\${${text}}`, `\${${text}} is not understood`);
    }
    const [, indirect, first, index, rest] = named;
    const pointed = indirect ? scope.get(first!) : first!;
    const name = typeof pointed === "string" ? pointed : first!;
    const held = entryOf(name, index, around);
    const by = rest === "" ? undefined : operator.exec(rest!);
    if (!by) {
        return held ?? unset(name, around);
    }
    return operated(name, held, by[1]!, by[2]!, around);
}

/** What a name holds, or one entry of it; `undefined` where the text does not set it. */
function entryOf(name: string, index: string | undefined, around: Surroundings): Held | undefined {
    const { scope } = around;
    if (/^[0-9@*#]/.test(name)) {
        return positional(name, around);
    }
    const held = scope.get(name);
    if (held === undefined || index === "@" || index === "*") {
        return index !== undefined && typeof held === "string" ? (held === "" ? [] : [held]) : held;
    }
    if (typeof held === "string") {
        return held;
    }
    const key = expandText(index ?? "0", around);
    if (held instanceof Map) {
        return held.get(key) ?? "";
    }
    const list = held as readonly string[];
    const place = arithmetic(key, (one) => String(scope.get(one) ?? "")) ?? 0;
    return list[place < 0 ? list.length + place : place] ?? "";
}

function positional(name: string, { scope, assume }: Surroundings): Held | undefined {
    const given = scope.positional;
    if (name === "@" || name === "*") {
        if (given === undefined) {
            assume(`what the script is called with ($${name}) is taken as nothing`);
        }
        return given ?? [];
    }
    if (name === "#") {
        return given && String(given.length);
    }
    return name === "0" ? undefined : given && (given[Number(name) - 1] ?? "");
}

function unset(name: string, { scope }: Surroundings): string {
    const written = /^\w+$/.test(name) && name.length > 1 ? `$${name}` : `$${name}`;
    const why = /^[0-9#]/.test(name) ? "is an argument of the script" : `is not set in ${scope.origin}`;
    return open(written, `${written} ${why}`);
}

function operated(name: string, held: Held | undefined, by: string, word: string, around: Surroundings): Held {
    const empty = held === undefined || (typeof held === "string" ? held === "" : listOf(held, true).length === 0);
    const absent = by.startsWith(":") ? empty : held === undefined;
    const other = () => expandText(word, around);
    switch (by) {
        case ":-":
        case "-":
        case ":=":
        case "=": {
            if (!absent) {
                return held!;
            }
            const value = other();
            if (held === undefined && value !== "") {
                around.assume(
                    `$${name} is not set in ${around.scope.origin}: its default ${shown(value)} is taken`,
                    value,
                );
            }
            if (by.endsWith("=")) {
                around.scope.set(name, value);
            }
            return value;
        }
        case ":+":
        case "+":
            return absent ? "" : other();
        case ":?":
        case "?":
            return absent ? unset(name, around) : held!;
        default:
            return edited(name, held ?? unset(name, around), by, word, around);
    }
}

/** Parts of the text: without a beginning or an end, with another part, in other letters. */
function edited(name: string, held: Held, by: string, word: string, around: Surroundings): Held {
    if (typeof held !== "string") {
        if (by !== ":" || held instanceof Map) {
            return held;
        }
        const [from = 0, count] = word.split(":").map((part) => Number(expandText(part, around)));
        // the arguments of a function are counted from one
        const first = /^[@*]$/.test(name) ? Math.max(0, from - 1) : from;
        return (held as readonly string[]).slice(first, count === undefined ? undefined : first + count);
    }
    const pattern = expandText(by.startsWith("/") ? splitAt(word, "/")[0] : word, around);
    if (isOpen(held) || isOpen(pattern)) {
        return isOpen(held) ? held : pattern;
    }
    switch (by) {
        case "#":
        case "##":
            return held.replace(expression(`^${patternSource(pattern, by === "#")}`) ?? "", "");
        case "%":
        case "%%": {
            const ending = expression(`^${patternSource(pattern)}$`);
            const cuts = [...held, ""].map((_, index) => index);
            const cut = (by === "%" ? cuts.toReversed() : cuts).find((index) => ending?.test(held.slice(index)));
            return cut === undefined ? held : held.slice(0, cut);
        }
        case "/":
        case "//": {
            const found = expression(patternSource(pattern), by === "//" ? "g" : "");
            return found && pattern !== ""
                ? held.replace(found, () => expandText(splitAt(word, "/")[1], around))
                : held;
        }
        case "^":
        case "^^":
            return by === "^^" ? held.toUpperCase() : held.slice(0, 1).toUpperCase() + held.slice(1);
        case ",":
        case ",,":
            return by === ",," ? held.toLowerCase() : held.slice(0, 1).toLowerCase() + held.slice(1);
        default: {
            const [from = 0, count] = word
                .split(":")
                .map((part) => arithmetic(expandText(part, around), () => undefined));
            return from === undefined
                ? open(`$${name}`, `$${name} is cut in a way that is not understood`)
                : held.slice(from, count === undefined ? undefined : count < 0 ? count : from + count);
        }
    }
}

function splitAt(text: string, sign: string): [string, string] {
    const at = text.indexOf(sign);
    return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
