import { parse as parseYaml } from "yaml";
import { holdsSecret, isSecretVariable, secretAdvice, withoutSecrets } from "../base/secrets.ts";
import type { Problem } from "../base/settings.ts";
import type { Companion, GpusUsed, Launch } from "./found.ts";
import { isOpen, reasons, shown } from "./open.ts";
import { readLaunches } from "./read.ts";

/** One option of a launch command, as it is written. */
export interface LaunchArgument {
    /** Name with dashes, as written: `--tp`. */
    readonly name: string;
    /** Words that follow it, or the one after `=`. Empty for a flag. */
    readonly values: readonly string[];
}

/** What a launch command says. */
export interface LaunchCommand {
    /** Environment of the server: what is exported, in front of the command, or given to its container. */
    readonly environment: Readonly<Record<string, string>>;
    /** What is started. Absent: the text has flags alone. */
    readonly program?: Launch["program"];
    /** The model where it stands without an option, as in `sglang serve MODEL`. */
    readonly model?: string;
    /** Options in the order of the text. */
    readonly arguments: readonly LaunchArgument[];
    /** GPUs that it is given, by a variable, a container or a job. */
    readonly gpus?: GpusUsed;
    /** Container image. */
    readonly image?: string;
    /** A version of SGLang that the image, the path of the program or an installation names. */
    readonly release?: string;
    /** What is taken for granted and what is left out, in clauses. */
    readonly notes: readonly string[];
    /** What could not be read or is not known; the path begins with `launch`. */
    readonly problems: readonly Problem[];
}

/** How a text is read. */
export interface Reading {
    /** Files that it names. Defaults to none. */
    readonly read?: Companion;
    /** Of several launches the one that counts: its number from 1, or its place. */
    readonly choice?: string;
}

/** Reads the launch command in a text, in any form that {@link readLaunches} knows. Rubbish gives problems, never an exception. */
export function parseLaunchCommand(text: string, { read = () => undefined, choice }: Reading = {}): LaunchCommand {
    const found = readLaunches(text, read);
    const launches = distinct(found.launches);
    // of a text that is no launch nobody needs to know where a bracket is wrong, but a quote may hide the launch
    const told = found.problems.filter((message) => launches.length > 0 || /not closed/.test(message));
    const problems = told.map((message) => problem(`${message}.`));
    const chosen = choose(launches, choice);
    if (!chosen) {
        problems.push(problem(launches.length === 0 ? nothingFound(found.hints) : severalFound(launches, choice)));
    }
    if (!chosen) {
        return { environment: {}, arguments: [], notes: [], problems };
    }
    const notes = [...chosen.notes];
    const said = [...chosen.words, ...chosen.options, ...Object.values(chosen.environment)].map(shown);
    for (const { note, value } of found.assumed) {
        if (value === undefined || said.some((word) => word.includes(shown(value)))) {
            notes.push(note);
        }
    }
    if (chosen.when.length > 0 && launches.length === 1) {
        notes.push(`the script gets there if ${chosen.when.map(shown).join(" and ")}`);
    }
    const options = withConfig(chosen.options, (path) => found.files?.get(path) ?? read(path), problems);
    const positional = chosen.program === "sglang serve" && options[0] !== undefined && !/^[-–—]/.test(options[0]);
    const model = positional ? positionalModel(options[0]!, problems) : undefined;
    const environment = knownEnvironment(chosen.environment, notes, problems);
    const gpus = cardsOf(environment) ?? chosen.gpus;
    const release = releaseIn(chosen, text);
    return {
        environment,
        ...(chosen.program && { program: chosen.program }),
        ...(model !== undefined && { model }),
        arguments: argumentsOf(positional ? options.slice(1) : options, problems),
        ...(gpus && { gpus }),
        ...(chosen.image !== undefined && !isOpen(chosen.image) && { image: chosen.image }),
        ...(release !== undefined && { release }),
        notes: [...new Set(notes)].map(shown).map(withoutSecrets),
        problems,
    };
}

function problem(message: string, path = "launch"): Problem {
    return { path, message };
}

/** Options that only say which machine of several it is. */
const ofRank = /^--(node-rank|dist-init-addr|nccl-init-addr)(=|$)/;

/** Launches that differ; the ranks of one service over several machines are one. */
function distinct(launches: readonly Launch[]): Launch[] {
    const key = ({ program, options, environment }: Launch) => {
        const named = (word = "") => /^--(node-rank|dist-init-addr|nccl-init-addr)$/.test(word);
        const kept = options.filter((word, at) => !ofRank.test(word) && !named(options[at - 1]));
        // what only the machine fills in tells no two launches apart
        const variables = Object.entries(environment).filter(([, value]) => !isOpen(value));
        return JSON.stringify([program, kept, variables]);
    };
    const keys = launches.map(key);
    return launches.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

function choose(launches: readonly Launch[], choice: string | undefined): Launch | undefined {
    if (choice === undefined) {
        return launches.length === 1 ? launches[0] : undefined;
    }
    const named = launches.filter(({ place }) => place === choice || place.endsWith(` ${choice}`));
    return /^\d+$/.test(choice) ? launches[Number(choice) - 1] : named.length === 1 ? named[0] : undefined;
}

function severalFound(launches: readonly Launch[], choice: string | undefined): string {
    const list = launches.map((launch, index) => `${index + 1}: ${summary(launch)}`).join("; ");
    const wrong = choice === undefined ? "" : `none of them is ${JSON.stringify(choice)}, and `;
    return `${wrong}there is more than one launch: ${list}. Say which one counts with \`--launch NUMBER\`, or keep that one alone.`;
}

function summary({ place, program, options, when }: Launch): string {
    const condition = when.length === 0 ? "" : `, if ${when.map(shown).join(" and ")}`;
    const words = options.filter(
        (word, at) =>
            /^--(model|model-path|port|tp|tp-size|disaggregation-mode)(=|$)/.test(word) ||
            /^--(model|model-path|port|tp|tp-size|disaggregation-mode)$/.test(options[at - 1] ?? ""),
    );
    return withoutSecrets(
        shown(
            `${place} (${[program === "sglang serve" ? program : "", ...words].filter(Boolean).join(" ") || "sglang"}${condition})`,
        ),
    );
}

function nothingFound(hints: readonly string[]): string {
    const why =
        hints.length === 0
            ? ""
            : ` ${[...new Set(hints)]
                  .slice(0, 3)
                  .map((hint) => withoutSecrets(hint[0]!.toUpperCase() + hint.slice(1)))
                  .join(". ")}.`;
    return `no launch of SGLang found: expected \`python -m sglang.launch_server …\`, \`sglang serve …\`, or flags.${why}`;
}

/** A text that is wholly known; a problem and nothing else. */
function known(text: string, what: string, problems: Problem[], path = "launch"): string | undefined {
    if (!isOpen(text)) {
        return text;
    }
    problems.push(
        problem(
            `${what} is not known here: ${reasons(text).map(withoutSecrets).join("; ")}. Write its value out.`,
            path,
        ),
    );
    return undefined;
}

function positionalModel(word: string, problems: Problem[]): string | undefined {
    if (holdsSecret(shown(word))) {
        problems.push(problem(`the word after \`sglang serve\` ${secretAdvice}.`));
        return undefined;
    }
    return known(word, "the model", problems);
}

/** Variables that decide what the server computes or which cards it uses. */
const decisive = /^(NCCL|SGLANG|SGL|CUDA_VISIBLE_DEVICES|CUDA_DEVICE|FLASHINFER|PYTORCH|TORCH|TRITON|DG)(_|$)/;

function knownEnvironment(
    environment: Readonly<Record<string, string>>,
    notes: string[],
    problems: Problem[],
): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(environment)) {
        const isSecret = isSecretVariable(name) || holdsSecret(shown(value));
        if (isSecret && (isOpen(value) || value === "")) {
            notes.push(
                `${name} is left out: a hub token is the model's \`token\`, the key of the API the service's \`apiKey\``,
            );
        } else if (isSecret) {
            problems.push(problem(`${name} ${secretAdvice}.`, `launch.${name}`));
        } else if (isOpen(value) && decisive.test(name)) {
            known(value, name, problems, `launch.${name}`);
        } else if (isOpen(value)) {
            notes.push(`${name} is left out: ${reasons(value).join("; ")}`);
        } else {
            kept[name] = value;
        }
    }
    return kept;
}

/** Cards by CUDA's variable, or by NVIDIA's for containers. */
function cardsOf(environment: Readonly<Record<string, string>>): GpusUsed | undefined {
    const text = environment.CUDA_VISIBLE_DEVICES ?? environment.NVIDIA_VISIBLE_DEVICES ?? "";
    const entries = text
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean);
    if (entries.length === 0 || /^(all|none|void|NoDevFiles)$/.test(text)) {
        return undefined;
    }
    return entries.every((each) => /^\d+$/.test(each)) ? { indices: entries.map(Number) } : { ids: entries };
}

/** A version in an image's tag, in the path of the program, or in an installation beside it. */
function releaseIn({ image, words }: Launch, text: string): string | undefined {
    const version = String.raw`(\d+\.\d+\.\d+(?:\.?(?:post|rc)\d+)?)`;
    const tag = new RegExp(`(?:^|/)[^/]*sglang[^/]*:v?${version}(?![\\d.])`).exec(shown(image ?? ""))?.[1];
    const path = words
        .map((word) => new RegExp(`sglang[-_]v?${version}(?:/|\\.sif|$)`).exec(shown(word))?.[1])
        .find(Boolean);
    const installed = new RegExp(String.raw`\bsglang(?:\[[\w,-]*\])?==${version}`).exec(text)?.[1];
    const activated = new RegExp(
        String.raw`\bactivate\s.*sglang[-_]v?${version}|sglang[-_]v?${version}/bin/activate`,
    ).exec(text);
    return tag ?? path ?? installed ?? activated?.slice(1).find(Boolean);
}

/** The options with those of `--config FILE` in front, so that the others win (`server_args_config_parser.py` of every release). */
function withConfig(options: readonly string[], read: Companion, problems: Problem[]): readonly string[] {
    const at = options.findIndex((word) => word === "--config" || word.startsWith("--config="));
    if (at === -1) {
        return options;
    }
    const inline = options[at]!.startsWith("--config=");
    const file = inline ? options[at]!.slice("--config=".length) : (options[at + 1] ?? "");
    const rest = [...options.slice(0, at), ...options.slice(at + (inline ? 1 : 2))];
    const path = "launch.--config";
    const text = isOpen(file) ? undefined : read(file);
    if (text === undefined) {
        problems.push(
            problem(
                `${shown(file)} is not here, and its options are not known: put the file beside this one, or write its options out.`,
                path,
            ),
        );
        return rest;
    }
    let content: unknown;
    try {
        content = parseYaml(text);
    } catch {
        content = undefined;
    }
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
        problems.push(problem(`${file} is no map of options.`, path));
        return rest;
    }
    const [positional, flags] =
        rest[0] !== undefined && !rest[0].startsWith("-") ? [rest.slice(0, 1), rest.slice(1)] : [[], rest];
    return [...positional, ...Object.entries(content).flatMap(([name, value]) => optionWords(name, value)), ...flags];
}

function optionWords(name: string, value: unknown): string[] {
    if (value === false || (Array.isArray(value) && value.length === 0)) {
        return [];
    }
    if (value === true) {
        return [`--${name}`];
    }
    const texts = Array.isArray(value)
        ? value.map(String)
        : [typeof value === "object" ? JSON.stringify(value) : String(value)];
    return [`--${name}`, ...texts];
}

function argumentsOf(words: readonly string[], problems: Problem[]): LaunchArgument[] {
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
        } else if (isOpen(word)) {
            known(word, `${shown(word)} in front of the options`, problems);
        } else {
            problems.push(problem(`${excerpt(word)} stands before any option: the server takes options only.`));
        }
    }
    return found.filter(({ name, values }) => {
        // which machine of several it is, the placement decides
        const decided = ofRank.test(name) && values.some(isOpen);
        return !decided && values.every((value) => known(value, name, problems, `launch.${name}`) !== undefined);
    });
}

/** Beginning of a text, for a message. */
function excerpt(text: string): string {
    const line = withoutSecrets(text.split("\n")[0]!);
    return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line);
}
