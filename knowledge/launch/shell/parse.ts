import { bracketEnd, continued, wordEnd } from "./scan.ts";
import { type CaseArm, type Command, nothing } from "./syntax.ts";

/** A shell text as commands, and what could not be read. */
export interface Parsed {
    readonly command: Command;
    readonly problems: readonly string[];
}

/** Reads shell text. Never throws: what is not understood is passed over and said. */
export function parseShell(text: string): Parsed {
    const parser = new Parser(text.replaceAll("\r\n", "\n"));
    return { command: parser.list([]), problems: [...new Set(parser.problems)] };
}

/** The words of a text that holds words alone, such as the inside of an array. */
export function wordsIn(text: string): string[] {
    return new Parser(text).words();
}

/** How deep commands may stand in each other. */
const deepest = 60;

const endings = ["then", "elif", "else", "fi", "do", "done", "esac", "}", ")", ";;"];

/** A here-document that is announced and begins at the next line. */
interface Announced {
    readonly end: string;
    readonly tabs: boolean;
    readonly give: (text: string) => void;
}

function computed(text: string): Command {
    return text.trim() === "" ? nothing : { kind: "arithmetic", text };
}

class Parser {
    readonly #source: string;
    readonly #announced: Announced[] = [];
    readonly problems: string[] = [];
    #at = 0;
    #depth = 0;

    constructor(source: string) {
        this.#source = source;
    }

    /** Commands up to one of the words, which is not read. */
    list(until: readonly string[]): Command {
        const commands: Command[] = [];
        this.#depth++;
        for (;;) {
            this.#separators();
            const next = this.#peek();
            if (next === "" || until.includes(next) || this.#depth > deepest) {
                break;
            }
            const before = this.#at;
            if (endings.includes(next)) {
                this.#say(`${JSON.stringify(next)} in line ${this.#line()} closes nothing`);
                this.#at += next.length;
            } else {
                commands.push(this.#andOr());
            }
            this.#at = Math.max(this.#at, before + (this.#at === before ? 1 : 0));
        }
        this.#depth--;
        return commands.length === 1 ? commands[0]! : { kind: "sequence", commands };
    }

    /** The words up to the end. */
    words(): string[] {
        const found: string[] = [];
        for (;;) {
            this.#blanks();
            if (this.#at >= this.#source.length) {
                return found;
            }
            const word = this.#word();
            if (word === "") {
                this.#at++;
            } else {
                found.push(word);
            }
        }
    }

    #say(message: string): void {
        this.problems.push(message);
    }

    #line(at = this.#at): number {
        return this.#source.slice(0, at).split("\n").length;
    }

    /** Blanks, continued lines and comments. */
    #blanks(): void {
        for (;;) {
            const rest = this.#source[this.#at];
            const joined = continued(this.#source, this.#at);
            if (rest === " " || rest === "\t") {
                this.#at++;
            } else if (joined > 0) {
                this.#at += joined;
            } else if (rest === "#" && /^$|[\s;&|()]/.test(this.#source[this.#at - 1] ?? "")) {
                const end = this.#source.indexOf("\n", this.#at);
                this.#at = end === -1 ? this.#source.length : end;
            } else {
                return;
            }
        }
    }

    /** Line ends, `;` and `&` between commands. */
    #separators(): void {
        for (;;) {
            this.#blanks();
            if (this.#source[this.#at] === "\n") {
                this.#at++;
                this.#hereDocuments();
            } else if (/^(;(?!;)|&(?!&))/.test(this.#source.slice(this.#at, this.#at + 2))) {
                this.#at++;
            } else {
                return;
            }
        }
    }

    #hereDocuments(): void {
        for (const { end, tabs, give } of this.#announced.splice(0)) {
            const lines: string[] = [];
            while (this.#at < this.#source.length) {
                const stop = this.#source.indexOf("\n", this.#at);
                const line = this.#source.slice(this.#at, stop === -1 ? undefined : stop);
                this.#at = stop === -1 ? this.#source.length : stop + 1;
                const own = tabs ? line.replace(/^\t+/, "") : line;
                if (own === end) {
                    break;
                }
                lines.push(own);
            }
            give(lines.map((line) => `${line}\n`).join(""));
        }
    }

    /** The next word or sign, not read. */
    #peek(): string {
        this.#blanks();
        const at = this.#at;
        const sign = /^(;;&?|;&|&&|\|\||\(\(|[;&|()\n<>])/.exec(this.#source.slice(at, at + 3))?.[0];
        return (
            sign ??
            this.#source.slice(
                at,
                wordEnd(this.#source, at, () => {}),
            )
        );
    }

    #word(): string {
        const from = this.#at;
        this.#at = wordEnd(this.#source, from, (at) => {
            this.#say(`the ${this.#source[at]} in line ${this.#line(at)} is opened and not closed`);
        });
        return this.#source.slice(from, this.#at);
    }

    /** Reads a word if it is the next. */
    #take(word: string): boolean {
        if (this.#peek() !== word) {
            return false;
        }
        this.#at += word.length;
        return true;
    }

    #expect(word: string): void {
        this.#separators();
        if (!this.#take(word)) {
            this.#say(`${JSON.stringify(word)} is missing before line ${this.#line() + 1}`);
        }
    }

    #andOr(): Command {
        let left = this.#pipe();
        for (;;) {
            const kind = this.#take("&&") ? "and" : this.#take("||") ? "or" : undefined;
            if (kind === undefined) {
                return left;
            }
            this.#separators();
            left = { kind, left, right: this.#pipe() };
        }
    }

    #pipe(): Command {
        if (this.#take("!")) {
            return { kind: "not", body: this.#pipe() };
        }
        this.#take("time");
        const commands = [this.#command()];
        while (this.#peek() === "|") {
            this.#at++;
            this.#take("&");
            this.#separators();
            commands.push(this.#command());
        }
        return commands.length === 1 ? commands[0]! : { kind: "pipe", commands };
    }

    #command(): Command {
        const word = this.#peek();
        const compound = this.#compound(word);
        if (compound === undefined) {
            return this.#simple();
        }
        this.#redirections();
        return compound;
    }

    #compound(word: string): Command | undefined {
        switch (word) {
            case "if":
                this.#at += 2;
                return this.#if();
            case "while":
            case "until":
                this.#at += 5;
                return this.#loop(word === "until");
            case "for":
            case "select":
                this.#at += word.length;
                return this.#for();
            case "case":
                this.#at += 4;
                return this.#case();
            case "function":
                this.#at += 8;
                this.#blanks();
                return this.#function(this.#word());
            case "{":
                this.#at++;
                return this.#closed("}");
            case "((":
                return this.#arithmetic();
            case "(":
                this.#at++;
                return { kind: "subshell", body: this.#closed(")") };
            case "[[":
                this.#at += 2;
                return { kind: "test", words: this.#testWords() };
            default:
                return undefined;
        }
    }

    #closed(end: string): Command {
        const body = this.list([end]);
        this.#expect(end);
        return body;
    }

    #if(): Command {
        const condition = this.list(["then"]);
        this.#expect("then");
        const then = this.list(["elif", "else", "fi"]);
        let otherwise = nothing;
        if (this.#take("elif")) {
            return { kind: "if", condition, then, otherwise: this.#if() };
        }
        if (this.#take("else")) {
            otherwise = this.list(["fi"]);
        }
        this.#expect("fi");
        return { kind: "if", condition, then, otherwise };
    }

    #loop(until: boolean): Command {
        const condition = this.list(["do"]);
        this.#expect("do");
        return { kind: "loop", until, condition, body: this.#closed("done") };
    }

    #for(): Command {
        if (this.#peek() === "((") {
            const [first = "", condition = "", step = ""] = this.#arithmetic().text.split(";");
            this.#expect("do");
            const each = [this.#closed("done"), computed(step)];
            const body: Command = { kind: "sequence", commands: each };
            const loop: Command = { kind: "loop", until: false, condition: computed(condition || "1"), body };
            return { kind: "sequence", commands: [computed(first), loop] };
        }
        this.#blanks();
        const name = this.#word();
        this.#separators();
        let words: string[] | undefined;
        if (this.#take("in")) {
            words = [];
            while (!/^$|^[;\n&|)]/.test(this.#peek())) {
                words.push(this.#word());
            }
        }
        this.#expect("do");
        return { kind: "for", name, ...(words && { words }), body: this.#closed("done") };
    }

    #case(): Command {
        this.#blanks();
        const word = this.#word();
        this.#expect("in");
        const arms: CaseArm[] = [];
        for (;;) {
            this.#separators();
            if (this.#take("esac") || this.#peek() === "") {
                return { kind: "case", word, arms };
            }
            this.#take("(");
            const patterns: string[] = [];
            do {
                this.#blanks();
                patterns.push(this.#word());
            } while (this.#take("|"));
            this.#expect(")");
            arms.push({ patterns, body: this.list([";;", ";&", ";;&", "esac"]) });
            const end = [";;&", ";&", ";;"].find((sign) => this.#take(sign));
            if (end === undefined && this.#peek() !== "esac") {
                this.#expect("esac");
                return { kind: "case", word, arms };
            }
        }
    }

    #function(name: string): Command {
        if (this.#take("(")) {
            this.#take(")");
        }
        this.#separators();
        return { kind: "function", name, body: this.#command() };
    }

    #arithmetic(): Extract<Command, { kind: "arithmetic" }> {
        const from = this.#at;
        this.#at = bracketEnd(this.#source, from);
        return { kind: "arithmetic", text: this.#source.slice(from + 2, Math.max(from + 2, this.#at - 2)) };
    }

    #testWords(): string[] {
        const words: string[] = [];
        for (;;) {
            const next = this.#peek();
            if (next === "" || this.#take("]]")) {
                return words;
            }
            if (/^([;&|()<>\n]|&&|\|\||\(\()$/.test(next)) {
                this.#at += next.length;
                words.push(...(next === "\n" ? [] : [next]));
            } else {
                words.push(this.#word());
            }
        }
    }

    #simple(): Command {
        const line = this.#line();
        const words: string[] = [];
        const redirected = { input: undefined as string | undefined, output: undefined as string | undefined };
        for (;;) {
            this.#redirections(redirected);
            const next = this.#peek();
            if (/^$|^[;\n&|)]/.test(next)) {
                break;
            }
            if (next === "(" || next === "((") {
                const [name] = words;
                if (words.length === 1 && /^\(\s*\)/.test(this.#source.slice(this.#at))) {
                    return this.#function(name!);
                }
                this.#say(`"(" in line ${this.#line()} is not understood`);
                this.#at = bracketEnd(this.#source, this.#at);
                continue;
            }
            words.push(this.#word());
        }
        // a here-document is filled in when its line has ended
        return Object.assign(redirected, { kind: "simple" as const, words, line }) as Command;
    }

    #redirections(into: { input?: string | undefined; output?: string | undefined } = {}): void {
        for (;;) {
            this.#blanks();
            const rest = this.#source.slice(this.#at, this.#at + 40);
            const sign = /^(\{\w+\}|\d+)?(<<<|<<-?|<>|<&|<(?!\()|>>|>&|>\||>(?!\()|&>>?)/.exec(rest);
            if (!sign) {
                return;
            }
            this.#at += sign[0].length;
            this.#blanks();
            const target = this.#word();
            const kind = sign[2]!;
            if (kind === "<<" || kind === "<<-") {
                const end = target.replaceAll(/['"\\]/g, "");
                const literal = end !== target;
                this.#announced.push({
                    end,
                    tabs: kind === "<<-",
                    give: (text) => {
                        into.input = literal
                            ? `'${text.replaceAll("'", `'\\''`)}'`
                            : `"${text.replaceAll('"', '\\"')}"`;
                    },
                });
            } else if (kind === "<<<") {
                into.input = target;
            } else if (/>/.test(kind) && !/^2$/.test(sign[1] ?? "") && !kind.endsWith("&")) {
                into.output = target;
            }
        }
    }
}
