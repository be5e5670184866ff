import type { Companion, Found, Launch, Started } from "../found.ts";
import { isOpen, open, shown, withoutMarks } from "../open.ts";
import { jobGpus, opened } from "../program.ts";
import { arithmetic } from "./arithmetic.ts";
import { printed, settingBuiltins } from "./builtins.ts";
import { expandText, expandWord, type Surroundings } from "./expand.ts";
import { parseShell, wordsIn } from "./parse.ts";
import { matches } from "./pattern.ts";
import { type Held, Scope } from "./scope.ts";
import { type Command, written } from "./syntax.ts";
import { answer, not, type Truth } from "./test-command.ts";

/**
 * Works a shell text out as its shell would, without running anything: variables, lists, functions, conditions, loops. Programs are taken
 * to succeed, and what only they can tell is open. Where a condition is open, both ways are gone, and what they leave differently is open.
 */

const mostSteps = 20_000;
const deepest = 25;

const assigned = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?)=([\s\S]*)$/;
/** Programs whose answer a script asks for. */
const questions =
    /^(e?grep|command|which|type|hash|diff|cmp|nc|ping|curl|wget|pgrep|pidof|systemctl|id|getent|lsof|ss|nvidia-smi|jq|mountpoint|lspci|lsmod|docker|podman|read|getopts)$/;

/** What a text is run with. */
export interface Runs {
    /** How the text is called in messages. */
    readonly origin: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly positional?: readonly string[] | undefined;
    readonly read: Companion;
    /** Container, cards and notes of whatever runs it. */
    readonly inside?: Omit<Started, "words" | "environment">;
}

/** The servers that a shell text starts. Never throws. */
export function runShell(text: string, runs: Runs): Found {
    const found: Gathered = { launches: [], problems: [], assumed: [], hints: [], files: new Map() };
    new Shell(runs, found, 0).run(text);
    return found;
}

interface Gathered {
    readonly launches: Launch[];
    readonly problems: string[];
    readonly assumed: { note: string; value?: string | undefined }[];
    readonly hints: string[];
    readonly files: Map<string, string>;
}

type Ending = "exit" | "return" | "break" | undefined;

class Shell {
    readonly #runs: Runs;
    readonly #found: Gathered;
    readonly #depth: number;
    readonly #functions = new Map<string, Command>();
    #scope: Scope;
    #conditions: readonly string[] = [];
    #ending: Ending;
    #steps = 0;
    #calls = 0;
    /** What is printed where an output is wanted. */
    #output: string[] | undefined;
    /** Where the outermost text stands, for a text inside a text. */
    readonly #place: string | undefined;

    constructor(runs: Runs, found: Gathered, depth: number, place?: string) {
        this.#runs = runs;
        this.#found = found;
        this.#depth = depth;
        this.#place = place;
        this.#scope = new Scope(runs.origin, runs.environment);
        this.#scope.positional = runs.positional;
    }

    run(text: string): void {
        const { command, problems } = parseShell(text);
        this.#found.problems.push(...problems);
        this.#do(command);
    }

    #around(): Surroundings {
        return {
            scope: this.#scope,
            output: (text) => this.#outputOf(text),
            assume: (note, value) => {
                if (!this.#found.assumed.some((one) => one.note === note)) {
                    this.#found.assumed.push({ note, value });
                }
            },
        };
    }

    #text(word: string): string {
        return expandText(word, this.#around());
    }

    #words(words: readonly string[]): string[] {
        const around = this.#around();
        return words.flatMap((word) => expandWord(word, around));
    }

    #do(command: Command): Truth {
        this.#steps++;
        if (this.#ending !== undefined || this.#steps > mostSteps) {
            return true;
        }
        switch (command.kind) {
            case "simple":
                return this.#simple(command);
            case "sequence":
                return command.commands.reduce<Truth>((_, each) => this.#do(each), true);
            case "pipe":
                return this.#pipe(command.commands);
            case "and":
            case "or": {
                const left = this.#do(command.left);
                const goesOn = command.kind === "and" ? left : not(left);
                return this.#branch(
                    goesOn,
                    command.left,
                    () => this.#do(command.right),
                    () => left,
                );
            }
            case "not":
                return not(this.#do(command.body));
            case "subshell": {
                const before = this.#scope.copy();
                const truth = this.#do(command.body);
                this.#scope = before;
                this.#ending = undefined;
                return truth;
            }
            case "if":
                return this.#branch(
                    this.#do(command.condition),
                    command.condition,
                    () => this.#do(command.then),
                    () => this.#do(command.otherwise),
                );
            case "for":
                return this.#for(command);
            case "loop":
                return this.#loop(command);
            case "case":
                return this.#case(command);
            case "function":
                this.#functions.set(command.name, command.body);
                return true;
            case "test":
                return this.#test(
                    command.words.map((word) => (/^([<>()]|&&|\|\||=~)$/.test(word) ? word : this.#text(word))),
                );
            case "arithmetic":
                return this.#compute(command.text);
        }
    }

    #branch(truth: Truth, condition: Command, yes: () => Truth, no: () => Truth): Truth {
        if (truth !== undefined) {
            return truth ? yes() : no();
        }
        const text = shown(written(condition));
        return this.#either(text, yes, no, unsetName(condition, this.#scope));
    }

    /** Goes both ways. A way that ends the script leaves nothing; `kept` is a variable whose value of the first way counts. */
    #either(text: string, yes: () => Truth, no: () => Truth, kept?: string): Truth {
        const start = this.#scope;
        const before = this.#conditions;
        const ends: Ending[] = [];
        const scopes = [yes, no].map((way, index) => {
            this.#scope = start.copy();
            this.#conditions = [...before, index === 0 ? text : `not ${text}`];
            way();
            ends.push(this.#ending);
            this.#ending = undefined;
            return this.#scope;
        });
        this.#conditions = before;
        const [one, other] = scopes as [Scope, Scope];
        if (ends[0] !== undefined && ends[1] !== undefined) {
            this.#ending = ends[0];
        } else if (ends[0] !== undefined || ends[1] !== undefined) {
            this.#scope = ends[0] === undefined ? one : other;
        } else {
            start.either(one, other, text);
            const held = kept === undefined ? undefined : one.get(kept);
            if (kept !== undefined && held !== undefined) {
                start.set(kept, held);
                if (typeof held === "string") {
                    this.#around().assume(`$${kept} is not set in ${start.origin}: ${shown(held)} is taken`, held);
                }
            }
            this.#scope = start;
        }
        return undefined;
    }

    #pipe(commands: readonly Command[]): Truth {
        const printing = this.#output;
        let truth: Truth = true;
        for (const command of commands) {
            truth = this.#do(command);
        }
        printing?.push(open("$(…)", "it is the output of a pipe"));
        return truth;
    }

    #for({ name, words, body }: Extract<Command, { kind: "for" }>): Truth {
        const list = words ? this.#words(words).flatMap(range) : [...(this.#scope.positional ?? [])];
        for (const each of list.slice(0, 64)) {
            this.#scope.set(name, each);
            this.#do(body);
            if (this.#ending === "break") {
                this.#ending = undefined;
                break;
            }
        }
        return true;
    }

    /** A loop over the script's own arguments has none to go over; any other is gone through once, a computed one to its end. */
    #loop({ until, condition, body }: Extract<Command, { kind: "loop" }>): Truth {
        const text = written(condition);
        const isEndless = /^(true|:|\[ 1 \])$/.test(text);
        if (/\$[#1@*]|\$\{[#1]|getopts/.test(text) && this.#scope.positional === undefined) {
            this.#around().assume("the arguments that the script would be called with are taken as none");
            return true;
        }
        for (let round = 0; round < 64; round++) {
            const truth = this.#do(condition);
            const goesOn = until ? not(truth) : truth;
            if (goesOn === false || this.#ending) {
                break;
            }
            if (goesOn === undefined) {
                this.#either(
                    text,
                    () => this.#do(body),
                    () => true,
                );
                break;
            }
            const launches = this.#found.launches.length;
            this.#do(body);
            if (this.#ending === "break" || (isEndless && this.#found.launches.length > launches)) {
                this.#ending = this.#ending === "break" ? undefined : this.#ending;
                break;
            }
        }
        this.#ending = this.#ending === "break" ? undefined : this.#ending;
        return true;
    }

    #case({ word, arms }: Extract<Command, { kind: "case" }>): Truth {
        const value = this.#text(word);
        const from = (index: number): Truth => {
            const arm = arms[index];
            if (arm === undefined) {
                return true;
            }
            const patterns = arm.patterns.map((pattern) => this.#text(pattern));
            if (isOpen(value) || patterns.some(isOpen)) {
                const text = `${shown(word)} is ${arm.patterns.join(" or ")}`;
                return arm.patterns.includes("*")
                    ? this.#do(arm.body)
                    : this.#either(
                          text,
                          () => this.#do(arm.body),
                          () => from(index + 1),
                      );
            }
            return patterns.some((pattern) => matches(value, pattern)) ? this.#do(arm.body) : from(index + 1);
        };
        return from(0);
    }

    #test(words: readonly string[]): Truth {
        return answer(words, (name) => (this.#scope.has(name) ? true : undefined));
    }

    #compute(text: string): Truth {
        const value = this.#number(text);
        return value === undefined ? undefined : value !== 0;
    }

    /** The value of arithmetic; a step such as `i++` or `x = 2` is done. */
    #number(text: string): number | undefined {
        const filled = text.includes("$") ? this.#text(text) : text;
        const step = /^\s*([A-Za-z_]\w*)\s*(\+\+|--|[-+*]?=(?!=))\s*([\s\S]*)$/.exec(filled);
        const known = (name: string) => {
            const held = this.#scope.get(name);
            return typeof held === "string" && !isOpen(held) ? held : undefined;
        };
        if (!step) {
            return isOpen(filled) ? undefined : arithmetic(filled, known);
        }
        const [, name, sign, rest] = step;
        const operand =
            sign === "++" || sign === "--"
                ? `${name} ${sign[0]} 1`
                : sign === "="
                  ? rest!
                  : `${name} ${sign![0]} (${rest})`;
        const value = arithmetic(operand, known);
        this.#scope.set(
            name!,
            value === undefined ? open(`$${name}`, `$${name} is computed from what is not known`) : String(value),
        );
        return value;
    }

    #simple(command: Extract<Command, { kind: "simple" }>): Truth {
        const count = command.words.findIndex((word) => !assigned.test(word));
        const before = command.words.slice(0, count === -1 ? undefined : count);
        const rest = command.words.slice(before.length);
        if (rest.length === 0) {
            for (const word of before) {
                this.#assign(word);
            }
            return true;
        }
        const declares = /^(export|declare|typeset|local|readonly)$/.test(rest[0]!);
        const words = declares ? [rest[0]!] : this.#words(rest);
        if (declares) {
            this.#declare(rest);
            return true;
        }
        if (words.length === 0) {
            return true;
        }
        const own = this.#scope.copy();
        const outer = this.#scope;
        this.#scope = own;
        for (const word of before) {
            this.#assign(word, true);
        }
        const environment = own.environment();
        this.#scope = outer;
        return this.#call(words, command, environment);
    }

    #assign(word: string, exported?: boolean): void {
        const [, name, index, adds, value = ""] = assigned.exec(word)!;
        const held = this.#scope.get(name!);
        const list = /^\(([\s\S]*)\)$/.exec(value);
        if (list) {
            this.#scope.set(name!, this.#list(list[1]!, adds ? held : undefined), exported);
            return;
        }
        const text = this.#text(value);
        if (index !== undefined) {
            this.#scope.set(name!, withEntry(held, this.#text(index), text), exported);
        } else if (adds && typeof held === "object") {
            this.#scope.set(name!, withEntry(held, "0", text), exported);
        } else {
            const kept = adds ? (held ?? (this.#scope.has(name!) ? "" : this.#text(`$${name}`))) : "";
            this.#scope.set(name!, `${kept}${text}`, exported);
        }
    }

    #list(inside: string, before: Held | undefined): Held {
        const words = wordsIn(inside);
        const keyed = words.map((word) => /^\[([^\]]+)\]=([\s\S]*)$/.exec(word));
        if (words.length > 0 && keyed.every(Boolean)) {
            const entries = keyed.map((match) => [this.#text(match![1]!), this.#text(match![2]!)] as const);
            return new Map([...(before instanceof Map ? before : []), ...entries]);
        }
        const first = typeof before === "string" ? [before] : before instanceof Map ? [] : ((before ?? []) as string[]);
        return [...first, ...this.#words(words)];
    }

    #declare(words: readonly string[]): void {
        const [name, ...rest] = words;
        const options = rest.filter((word) => /^[-+]/.test(word)).join("");
        const exported = name === "export" ? !options.includes("-n") : options.includes("x") ? true : undefined;
        for (const word of rest.filter((each) => !/^[-+]/.test(each))) {
            if (assigned.test(word)) {
                this.#assign(word, exported);
            } else {
                for (const each of this.#words([word])) {
                    if (each.includes("=")) {
                        const at = each.indexOf("=");
                        this.#scope.set(each.slice(0, at), each.slice(at + 1), exported);
                    } else if (exported !== undefined) {
                        this.#scope.export(each, exported);
                    } else if (name === "local" || options.includes("A")) {
                        this.#scope.set(each, options.includes("A") ? new Map() : "");
                    }
                }
            }
        }
    }

    #call(
        words: readonly string[],
        command: Extract<Command, { kind: "simple" }>,
        environment: Readonly<Record<string, string>>,
    ): Truth {
        const [name = "", ...rest] = words;
        const input = command.input === undefined ? undefined : this.#text(command.input);
        if (/^(exec|command|builtin)$/.test(name) && rest.length > 0 && !rest[0]!.startsWith("-")) {
            const truth = this.#call(rest, command, environment);
            this.#ending = name === "exec" ? "exit" : this.#ending;
            return truth;
        }
        const body = this.#functions.get(name);
        if (body) {
            return this.#function(body, rest, environment);
        }
        if (Object.hasOwn(settingBuiltins, name)) {
            settingBuiltins[name]!(this.#scope, words);
            return questions.test(name) ? undefined : true;
        }
        switch (name) {
            case "true":
            case ":":
                return true;
            case "false":
                return false;
            case "[":
                return this.#test(rest.slice(0, -1));
            case "test":
                return this.#test(rest);
            case "exit":
            case "return":
            case "break":
                this.#ending = name;
                return true;
            case "continue":
                return true;
            case "let":
                return rest.reduce<Truth>((_, each) => this.#compute(each), true);
            case "source":
            case ".":
                return this.#source(rest[0] ?? "");
            case "eval":
                this.run(rest.join(" "));
                return true;
        }
        this.#print(words, command, input);
        return (
            this.#start(words, command, environment, input) ??
            (questions.test(name.replace(/^.*\//, "")) ? undefined : true)
        );
    }

    #function(body: Command, positional: readonly string[], environment: Readonly<Record<string, string>>): Truth {
        if (this.#calls >= deepest) {
            return true;
        }
        this.#calls++;
        const before = this.#scope.positional;
        this.#scope.positional = positional;
        for (const [name, value] of Object.entries(environment)) {
            this.#scope.set(name, value);
        }
        const truth = this.#do(body);
        this.#scope.positional = before;
        this.#ending = this.#ending === "return" ? undefined : this.#ending;
        this.#calls--;
        return truth;
    }

    #source(path: string): Truth {
        const text = isOpen(path) ? undefined : this.#file(path);
        if (text === undefined) {
            if (!/activate$|\.(bash|z)rc$|profile/.test(path)) {
                this.#around().assume(`${shown(path)} is read by the script and not here: what it sets is not known`);
            }
            return true;
        }
        if (this.#calls < deepest) {
            this.#calls++;
            this.run(withoutMarks(text));
            this.#calls--;
        }
        return true;
    }

    #file(path: string): string | undefined {
        return this.#found.files.get(path) ?? this.#runs.read(path);
    }

    /** What a program prints, where that is wanted or goes to a file. */
    #print(
        words: readonly string[],
        { output }: Extract<Command, { kind: "simple" }>,
        input: string | undefined,
    ): void {
        const file = words[0] === "cat" && words.length === 2 ? this.#file(words[1]!) : undefined;
        const text = words[0] === "cat" && words.length === 1 ? input : (file ?? printed(words));
        if (output !== undefined) {
            if (text !== undefined && !output.startsWith("/dev/")) {
                this.#found.files.set(this.#text(output), text);
            }
            return;
        }
        if (words[0] === "tee" && input !== undefined) {
            this.#found.files.set(words.at(-1)!, input);
        }
        this.#output?.push(text ?? open(`$(${words.join(" ")})`, `$(${words.join(" ")}) is known only where it runs`));
    }

    #outputOf(text: string): string {
        if (this.#depth + this.#calls > deepest) {
            return open(`$(${text})`, `$(${text}) is too deep`);
        }
        const [output, scope, ending] = [this.#output, this.#scope, this.#ending];
        this.#output = [];
        this.#scope = scope.copy();
        this.#calls++;
        const file = /^\s*<\s*(\S+)\s*$/.exec(text)?.[1];
        if (file === undefined) {
            this.run(text);
        } else {
            this.#output.push(this.#file(file) ?? open(`$(${text})`, `${file} is not here`));
        }
        this.#calls--;
        const printedText = this.#output.join("\n");
        [this.#output, this.#scope, this.#ending] = [output, scope, ending];
        return isOpen(printedText)
            ? open(`$(${text})`, `$(${text}) is known only where it runs`)
            : printedText.replace(/\n+$/, "");
    }

    /** Looks for a server in what is started. */
    #start(
        words: readonly string[],
        { line }: Extract<Command, { kind: "simple" }>,
        environment: Readonly<Record<string, string>>,
        input: string | undefined,
    ): Truth | undefined {
        const inside = this.#runs.inside ?? { notes: [] };
        const place = this.#place ?? `line ${line}`;
        if (input !== undefined && /(^|\/)(ba|da|z)?sh$|^(ssh|sbatch|docker|podman)$/.test(words[0]!)) {
            const isRemote = /^(ssh|docker|podman)$/.test(words[0]!);
            this.#nested(input, { ...inside, words, environment: isRemote ? {} : environment }, [], "the text", place);
            return true;
        }
        if (words[0]!.startsWith("--") && this.#found.launches.length > 0) {
            this.#found.problems.push(
                `${shown(words[0]!)} begins a command of its own: the line before it ends without a backslash, or has a comment`,
            );
            return true;
        }
        const wrapped = /(^|\/)(ssh|tmux|screen)$/.exec(words[0]!)?.[2];
        const text = wrapped && words.slice(1).findLast((word) => /\s/.test(word) && /sglang/.test(word));
        if (text) {
            this.#nested(
                text,
                { ...inside, words, environment: wrapped === "ssh" ? {} : environment },
                [],
                "the text",
                place,
            );
            return true;
        }
        const found = opened({ ...inside, words, environment }, (path) => this.#file(path));
        if (found.hint) {
            this.#found.hints.push(found.hint);
        }
        if (found.script) {
            const { text: script, positional, where, ...start } = found.script;
            this.#nested(script, start, positional, where, place);
        }
        if (found.launch) {
            const notExported = this.#scope
                .private()
                .filter((name) => /^(NCCL|SGLANG|SGL|CUDA_VISIBLE|FLASHINFER|PYTORCH)_/.test(name));
            const said = new Set([...found.launch.words, ...found.launch.options]);
            const used = (name: string) =>
                String(this.#scope.get(name))
                    .split(/[\s,]+/)
                    .every((word) => said.has(word));
            const notes = notExported
                .filter((name) => !used(name))
                .map((name) => `${name} is set in the script and not exported, so that the server does not see it`);
            const launch = { ...found.launch, notes: [...found.launch.notes, ...notes] };
            this.#found.launches.push({ ...launch, place, when: this.#conditions });
        }
        return found.launch || found.script ? true : undefined;
    }

    #nested(text: string, start: Started, positional: readonly string[], where: string, place: string): void {
        if (this.#depth > 8) {
            return;
        }
        const { environment, image, gpus, notes } = start;
        const runs = {
            origin: this.#runs.origin,
            environment,
            positional,
            read: (path: string) => this.#file(path),
            inside: { image, gpus, notes },
        };
        const shell = new Shell(runs, this.#found, this.#depth + 1, where.includes("/") ? `${where}` : place);
        shell.#conditions = this.#conditions;
        shell.run(text);
    }
}

/** The variable of `[ -z "$X" ]` that the text has not set before. */
function unsetName(condition: Command, scope: Scope): string | undefined {
    const name = /(?:\[|test) -z "?\$\{?([A-Za-z_]\w*)(?::?-)?\}?"?/.exec(written(condition))?.[1];
    return name !== undefined && scope.get(name) === undefined ? name : undefined;
}

function withEntry(held: Held | undefined, key: string, text: string): Held {
    if (held instanceof Map) {
        return new Map([...held, [key, text]]);
    }
    const list = typeof held === "string" ? [held] : [...((held ?? []) as string[])];
    if (!/^\d{1,4}$/.test(key)) {
        return new Map([[key, text]]);
    }
    list[Number(key)] = text;
    return Array.from(list, (word) => word ?? "");
}

/** `{0..3}` as its numbers. */
function range(word: string): string[] {
    const [, from, to] = /^\{(\d+)\.\.(\d+)\}$/.exec(word) ?? [];
    if (from === undefined || Math.abs(Number(to) - Number(from)) > 64) {
        return [word];
    }
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => String(Number(from) + step));
}

/** Cards and variables that the lines of a Slurm script ask for. */
export function jobOptions(text: string): Pick<Started, "gpus" | "notes"> {
    const words = [...text.matchAll(/^#SBATCH[ \t]+(.*)$/gm)].flatMap((match) => match[1]!.trim().split(/\s+/));
    return { gpus: words.map(jobGpus).find(Boolean), notes: [] };
}
