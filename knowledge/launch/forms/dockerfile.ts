import type { Companion, Found } from "../found.ts";
import { open } from "../open.ts";
import { expandText } from "../shell/expand.ts";
import { wordsIn } from "../shell/parse.ts";
import { Scope } from "../shell/scope.ts";
import { foundIn } from "./argv.ts";

/** Whether a text is a Dockerfile. */
export function isDockerfile(text: string): boolean {
    return /^\s*FROM[ \t]+\S+/im.test(text) && /^\s*(CMD|ENTRYPOINT|RUN|ENV|COPY)[ \t]/im.test(text);
}

/** What a stage has come to; one that begins with another goes on from there. */
interface Stage {
    readonly environment: Record<string, string>;
    readonly image: string | undefined;
    entrypoint: string[];
    command: string[];
}

/** The server that an image starts: `ENTRYPOINT` and `CMD` of its last stage, with `ENV` and `ARG`. */
export function readDockerfile(text: string, read: Companion): Found {
    const build = new Scope("this file");
    const stages = new Map<string, Stage>();
    let stage: Stage = { environment: {}, entrypoint: [], command: [], image: undefined };
    const around = {
        scope: build,
        output: (inside: string) => open(`$(${inside})`, `$(${inside}) is known only where it runs`),
        assume: () => {},
    };
    for (const [word, rest] of instructions(text)) {
        switch (word) {
            case "FROM": {
                const [name = "", , alias] = rest.replace(/^(--\S+\s+)+/, "").split(/\s+/);
                const from = expandText(name, around);
                const before = stages.get(from) ?? { environment: {}, entrypoint: [], command: [], image: from };
                stage = { ...before, environment: { ...before.environment } };
                if (alias !== undefined) {
                    stages.set(alias, stage);
                }
                break;
            }
            case "ARG":
                for (const each of wordsIn(rest)) {
                    const at = each.indexOf("=");
                    if (at !== -1) {
                        build.set(each.slice(0, at), expandText(each.slice(at + 1), around));
                    }
                }
                break;
            case "ENV":
                for (const [name, value] of pairs(rest)) {
                    stage.environment[name] = expandText(value, around);
                    build.set(name, stage.environment[name]!);
                }
                break;
            case "ENTRYPOINT":
                stage.entrypoint = startWords(rest);
                stage.command = [];
                break;
            case "CMD":
                stage.command = startWords(rest);
                break;
        }
    }
    const { environment, image, entrypoint, command } = stage;
    return foundIn({ words: [...entrypoint, ...command], environment, image, notes: [] }, "CMD", "this file", read);
}

function instructions(text: string): [string, string][] {
    const joined = text
        .replaceAll("\r\n", "\n")
        .replaceAll(/^[ \t]*#.*\n/gm, "")
        .replaceAll(/\\[ \t]*\n/g, " ");
    return [...joined.matchAll(/^[ \t]*([A-Za-z]+)[ \t]+(.*)$/gm)].map((match) => [
        match[1]!.toUpperCase(),
        match[2]!.trim(),
    ]);
}

/** `A=1 B=2`, or the old `A 1`. */
function pairs(text: string): [string, string][] {
    const words = wordsIn(text);
    if (words[0]?.includes("=")) {
        return words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]);
    }
    const [name = "", ...rest] = text.split(/\s+/);
    return [[name, rest.join(" ")]];
}

/** A list of words, or a text for the shell. */
function startWords(text: string): string[] {
    if (text.startsWith("[")) {
        try {
            return (JSON.parse(text) as unknown[]).map(String);
        } catch {
            // a list that is not JSON goes to the shell, as Docker does it
        }
    }
    return ["/bin/sh", "-c", text];
}
