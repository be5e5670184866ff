import { withoutSecrets } from "../base/secrets.ts";

/**
 * Splits shell text into commands and words, as far as launch commands need it. Never throws.
 *
 * Own code: `parse` of shell-quote knows no line ends, cuts a word at `#`, splits `$(…)`, and drops a quote
 * that is not closed without a word.
 */

/** Words of one simple command: up to a line end, `;`, `&`, `&&`, `|` or `||`. */
export type Words = readonly string[];

/** Commands of a text, and what could not be read. */
export interface ShellText {
    readonly commands: readonly Words[];
    readonly problems: readonly string[];
}

/**
 * Reads quotes, backslashes, continued lines, comments and separators. Redirections are dropped. Variables and
 * substituted commands are left as they stand: their value is known only where the command runs.
 */
export function shellWords(text: string): ShellText {
    const commands: string[][] = [];
    const problems: string[] = [];
    let words: string[] = [];
    let word: string | undefined;
    let redirected = false;
    const endWord = () => {
        if (word !== undefined && !redirected) {
            words.push(word);
        }
        redirected &&= word === undefined;
        word = undefined;
    };
    const endCommand = () => {
        endWord();
        if (words.length > 0) {
            commands.push(words);
        }
        words = [];
        redirected = false;
    };
    const source = text.replaceAll("\r\n", "\n").replace(/^[ \t]*```.*$/gm, "");
    for (let at = 0; at < source.length; at++) {
        const char = source[at]!;
        if (char === "'" || char === '"') {
            const { content, end } = quoted(source, at);
            if (end === undefined) {
                problems.push(`the ${char} in line ${source.slice(0, at).split("\n").length} is opened and not closed`);
            }
            word = (word ?? "") + content;
            at = end ?? source.length;
        } else if (char === "\\") {
            const continued = /^\\[ \t]*\n/.exec(source.slice(at));
            if (continued) {
                endWord();
                at += continued[0].length - 1;
            } else {
                word = (word ?? "") + (source[at + 1] ?? "");
                at++;
            }
        } else if (char === "`" || source.startsWith("$(", at)) {
            const end = substitutionEnd(source, at);
            word = (word ?? "") + source.slice(at, end + 1);
            at = end;
        } else if (char === "#" && word === undefined) {
            const end = source.indexOf("\n", at);
            at = (end === -1 ? source.length : end) - 1;
        } else if (/[ \t]/.test(char)) {
            endWord();
        } else if (/[<>]/.test(char) && /^\d*$/.test(word ?? "")) {
            word = undefined;
            redirected = true;
            at += /^[<>&]*/.exec(source.slice(at + 1))![0].length;
        } else if (/[\n;&|]/.test(char)) {
            endCommand();
        } else {
            word = (word ?? "") + char;
        }
    }
    endCommand();
    return { commands, problems };
}

/** Where a substituted command that begins at `start`, `$(…)` or in backquotes, ends; the end of the text when it is not closed. */
function substitutionEnd(source: string, start: number): number {
    if (source[start] === "`") {
        const end = source.indexOf("`", start + 1);
        return end === -1 ? source.length : end;
    }
    let depth = 0;
    for (let at = start + 1; at < source.length; at++) {
        depth += source[at] === "(" ? 1 : source[at] === ")" ? -1 : 0;
        if (depth === 0) {
            return at;
        }
    }
    return source.length;
}

/** Text between quotes that open at `start`. In double quotes a backslash keeps its sense before `"`, `\`, `$`, a backquote and a line end. */
function quoted(source: string, start: number): { content: string; end: number | undefined } {
    const quote = source[start]!;
    let content = "";
    for (let at = start + 1; at < source.length; at++) {
        if (source[at] === quote) {
            return { content, end: at };
        }
        if (quote === '"' && source[at] === "\\" && /["\\$`\n]/.test(source[at + 1] ?? "")) {
            content += source[at + 1] === "\n" ? "" : source[at + 1];
            at++;
        } else {
            content += source[at];
        }
    }
    return { content, end: undefined };
}

/** Beginning of a text, for a message. */
export function excerpt(text: string): string {
    const line = withoutSecrets(text.split("\n")[0]!);
    return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line);
}
