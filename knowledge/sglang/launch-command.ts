/** Reads a command that starts SGLang, as people write it down: in a shell, a script, a unit file, or as flags alone. */

import { holdsSecret, isSecretVariable, secretAdvice } from "../base/secrets.ts";
import type { Problem } from "../base/settings.ts";
import { excerpt, shellWords, type Words } from "./shell-words.ts";

/** One option of a launch command, as it is written. */
export interface LaunchArgument {
    /** Name with dashes, as written: `--tp`. */
    readonly name: string;
    /** Words that follow it, or the one after `=`. Empty for a flag. */
    readonly values: readonly string[];
}

/** What a launch command says. */
export interface LaunchCommand {
    /** Environment of the server: `VAR=value` in front, `export`, `env`, and `-e` of a container. */
    readonly environment: Readonly<Record<string, string>>;
    /** What is started. Absent: the text has flags alone. */
    readonly program?: "sglang.launch_server" | "sglang serve";
    /** Options in the order of the text. */
    readonly arguments: readonly LaunchArgument[];
    /** What could not be read; the path is `launch`. */
    readonly problems: readonly Problem[];
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;

/** Reads the launch command in a text; other commands in it only give environment. Rubbish gives problems, never an exception. */
export function parseLaunchCommand(text: string): LaunchCommand {
    const { commands, problems: unreadable } = shellWords(text);
    const problems = unreadable.map((message) => problem(`${message}.`));
    const environment: Record<string, string> = {};
    let launch: { program?: LaunchCommand["program"]; arguments: LaunchArgument[] } | undefined;
    const isUnit = commands.some(([first]) => first?.startsWith("ExecStart="));
    for (const words of expanded(commands.flatMap(withInnerCommand))) {
        const start = programAt(words);
        const before = words.slice(0, start?.from ?? words.length);
        const exported = isUnit
            ? before[0]?.startsWith("Environment=")
            : before.every((word) => word === "export" || assignment.test(word));
        if (start || exported) {
            Object.assign(environment, environmentOf(before));
        }
        if (start && launch) {
            problems.push(
                problem(
                    start.program
                        ? "there is more than one launch; the first counts."
                        : `${words[0]} begins a command of its own: the line before it ends without a backslash, or has a comment.`,
                ),
            );
        } else if (start) {
            launch = { program: start.program, arguments: argumentsOf(words.slice(start.to), problems) };
        }
    }
    if (!launch) {
        const vllm = commands.flat().some((word) => /(^|\/)vllm$|^vllm\./.test(word)) ? " This one starts vLLM." : "";
        problems.push(
            problem(
                `no launch of SGLang found: expected \`python -m sglang.launch_server …\`, \`sglang serve …\`, or flags.${vllm}`,
            ),
        );
    }
    const secret = Object.keys(environment).filter((name) => isSecretVariable(name) || holdsSecret(environment[name]!));
    for (const name of secret) {
        delete environment[name];
        problems.push({ path: `launch.${name}`, message: `${name} ${secretAdvice}.` });
    }
    return {
        environment,
        ...(launch?.program && { program: launch.program }),
        arguments: launch?.arguments ?? [],
        problems,
    };
}

/** The command that a shell is given as one word, after the words in front of that shell: `docker run -e A=1 image bash -c "…"`. */
function withInnerCommand(words: Words): Words[] {
    const shell = words.findIndex(
        (word, at) => /(^|\/)(ba|da|z)?sh$/.test(word) && /^-[a-z]*c$/.test(words[at + 1] ?? ""),
    );
    const inner = shell === -1 ? undefined : words[shell + 2];
    if (inner === undefined) {
        return [words];
    }
    return shellWords(inner).commands.map((each) => (programAt(each) ? [...words.slice(0, shell), ...each] : each));
}

/** Puts in the variables whose value the text gives. Those are the shell's then, and not for the server. */
function expanded(commands: readonly Words[]): Words[] {
    const given: Record<string, string> = {};
    const used = new Set<string>();
    const put = (word: string) =>
        word.replace(/\$(?:\{(\w+)\}|(\w+))/g, (written, braced?: string, bare?: string) => {
            const name = (braced ?? bare)!;
            used.add(name);
            return given[name] ?? written;
        });
    const filled = commands.map((words) => {
        const done = words.map(put);
        for (const [, name, value] of done.map((word) => assignment.exec(word) ?? [])) {
            given[name!] ??= value!;
        }
        return done;
    });
    const ofShell = (word: string) => used.has(assignment.exec(word)?.[1] ?? "");
    return filled.map((words) =>
        words.every((word) => assignment.test(word)) ? words.filter((word) => !ofShell(word)) : words,
    );
}

function problem(message: string): Problem {
    return { path: "launch", message };
}

/** Where the program stands among the words: its name is from `from` up to `to`. */
function programAt(words: Words): { from: number; to: number; program?: LaunchCommand["program"] } | undefined {
    const module = words.findIndex((word) => /(^|[/.])sglang[./]launch_server(\.py)?$/.test(word));
    if (module !== -1) {
        return { from: module, to: module + 1, program: "sglang.launch_server" };
    }
    const serve = words.findIndex((word, at) => /(^|\/)sglang$/.test(word) && words[at + 1] === "serve");
    if (serve !== -1) {
        return { from: serve, to: serve + 2, program: "sglang serve" };
    }
    return words[0]?.startsWith("--") ? { from: 0, to: 0 } : undefined;
}

/** Variables set by the words in front of a program, container options included. */
function environmentOf(words: Words): Record<string, string> {
    const found: Record<string, string> = {};
    words.forEach((word, at) => {
        const inline = /^(?:-e|--env=|Environment=)(?=[A-Za-z_])/.exec(word)?.[0] ?? "";
        const isOption = inline === "" && word.startsWith("-");
        const match = isOption ? null : assignment.exec(word.slice(inline.length));
        const ofContainer = words[at - 1]?.startsWith("--") && words[at - 1] !== "--env";
        if (match && match[1] !== "ExecStart" && !ofContainer) {
            found[match[1]!] = match[2]!;
        }
    });
    return found;
}

function argumentsOf(words: Words, problems: Problem[]): LaunchArgument[] {
    const found: { name: string; values: string[] }[] = [];
    for (const each of words) {
        const word = each.replace(/^[–—]+(?=[a-z])/, "--");
        if (word !== each) {
            problems.push(problem(`${word.split("=")[0]} is written with a typographic dash: write two hyphens.`));
        }
        if (/^-(?!\d*\.?\d+$)./.test(word) && !word.includes(" ")) {
            const equals = word.indexOf("=");
            const name = equals === -1 ? word : word.slice(0, equals);
            found.push({ name, values: equals === -1 ? [] : [word.slice(equals + 1)] });
        } else if (found.length > 0) {
            found.at(-1)!.values.push(word);
        } else {
            problems.push(problem(`${excerpt(word)} stands before any option: the server takes options only.`));
        }
    }
    return found;
}
