/** One line of a pasted terminal text, cleaned, with its number in the text as given. */
export interface Line {
    /** Number in the text as given, from 1. */
    readonly number: number;
    /** The line without escapes, decoration and trailing spaces. Tabs are kept. */
    readonly text: string;
    /** Its words. */
    readonly words: readonly string[];
}

const ESC = "\u001b";
const NUL = "\u0000";
const BEL = "\u0007";
/** Escape sequences as bytes, and as the ways in which logs and chats spell the escape byte. */
const ESCAPES = [
    new RegExp(`${ESC}\\][^${BEL}${ESC}\\n]*(?:${BEL}|${ESC}\\\\)`, "g"),
    new RegExp(`${ESC}\\[[0-9;:?]*[ -/]*[@-~]`, "g"),
    new RegExp(`${ESC}[()][0-9A-Za-z]|${ESC}.`, "g"),
    /(?:\\u001b|\\x1b|\\033|\\e|\^\[|\u241b)\[[0-9;?]*[A-Za-z]/gi,
    /\[[0-9;]{1,8}m/g,
];

/**
 * Lines of a text that went through terminals, logs, chats and Markdown on its way here: escape sequences, CRLF, no-break and
 * zero-width spaces, code fences, quote and comment marks, and table bars are taken away. No other character is changed.
 */
export function terminalLines(text: string): Line[] {
    let plain = text;
    for (const sequence of ESCAPES) {
        plain = plain.replace(sequence, "");
    }
    plain = plain
        .replace(/\r+\n/g, "\n")
        .replace(/\r/g, "\n")
        .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ")
        .replace(/[\u200b-\u200d\u2060\ufeff]/g, "")
        .replaceAll(NUL, "");
    return plain.split("\n").map((raw, index) => {
        const undecorated = raw
            .replace(/^\s*(?:`{3,}|~{3,}).*$/, "")
            .replace(/^(\s*)(?:(?:[>#]+|\/\/|\*)(?=\s|$)\s*)+/, "$1")
            .replace(/^\s*\|(.*)\|\s*$/, "$1")
            .replace(/\|/g, "\t")
            .trimEnd();
        return { number: index + 1, text: undecorated, words: undecorated.split(/\s+/).filter((word) => word !== "") };
    });
}
