import type { Companion, GpusUsed, Started } from "./found.ts";
import { isOpen, open, shown } from "./open.ts";

/** `docker run`, `podman run` and their like. */

const runtimes = /^(docker|podman|nerdctl|nvidia-docker)$/;
const switches =
    /^(--(detach|interactive|tty|rm|privileged|init|read-only|no-healthcheck|oom-kill-disable|publish-all|replace|quiet|no-hosts|disable-content-trust|sig-proxy|tls-verify|rmi|env-host|http-proxy|nvidia)|-[ditPq]+)$/;

/** Where the words of a container's start begin; -1 where there is none. */
export function containerAt(words: readonly string[]): number {
    return words.findIndex((word, at) => {
        const rest = words.slice(at + 1);
        const verb = rest.find((each) => !each.startsWith("-"));
        return runtimes.test(word.replace(/^.*\//, "")) && /^(run|exec|create|container)$/.test(verb ?? "");
    });
}

/** What `docker run …` starts: what is in the container, with its environment. `outside` is the shell's. */
export function containerStart(
    words: readonly string[],
    outside: Readonly<Record<string, string>>,
    read: Companion,
): Started | undefined {
    const notes: string[] = [];
    const environment: Record<string, string> = {};
    const verb = words.findIndex((word, at) => at > 0 && /^(run|exec|create)$/.test(word));
    if (verb === -1) {
        return undefined;
    }
    let entrypoint: string[] = [];
    let gpus: GpusUsed | undefined;
    let at = verb + 1;
    while (at < words.length && words[at]!.startsWith("-") && words[at] !== "--") {
        const [, name, inline] = /^(--[^=]+|-[a-zA-Z])(?:=?([\s\S]*))$/.exec(words[at]!) ?? [undefined, words[at]!, ""];
        const joined = words[at]!.includes("=") || (!words[at]!.startsWith("--") && inline !== "");
        if (switches.test(words[at]!)) {
            at++;
            continue;
        }
        const value = joined ? inline! : (words[at + 1] ?? "");
        at += joined ? 1 : 2;
        switch (name) {
            case "-e":
            case "--env":
                Object.assign(environment, variable(value, outside, notes));
                break;
            case "--env-file":
                Object.assign(environment, fileVariables(value, read, notes));
                break;
            case "--entrypoint":
                entrypoint = value.startsWith("[") ? jsonWords(value) : value === "" ? [] : [value];
                break;
            case "--gpus":
                gpus = gpusOf(value);
                break;
            case "--device":
                gpus = value.startsWith("nvidia.com/gpu=") ? gpusOf(`device=${value.split("=")[1]}`, gpus) : gpus;
                break;
        }
    }
    const [image, ...rest] = words[at] === "--" ? words.slice(at + 1) : words.slice(at);
    const isRun = words[verb] !== "exec";
    return { words: [...entrypoint, ...rest], environment, image: isRun ? image : undefined, gpus, notes };
}

/** `NAME=value`, or `NAME` alone, which comes from outside. */
function variable(text: string, outside: Readonly<Record<string, string>>, notes: string[]): Record<string, string> {
    const at = text.indexOf("=");
    if (at !== -1) {
        return { [text.slice(0, at)]: text.slice(at + 1) };
    }
    const value = outside[text];
    if (value === undefined) {
        notes.push(`${shown(text)} comes from the shell that starts the container: it is left out`);
    }
    return value === undefined ? {} : { [text]: value };
}

/** The variables of a file of `NAME=value` lines; said when nobody has the file. */
export function fileVariables(path: string, read: Companion, notes: string[]): Record<string, string> {
    const text = isOpen(path) ? undefined : read(path);
    if (text === undefined) {
        notes.push(`the variables of ${shown(path)} are not known: that file is not here, so they are left out`);
        return {};
    }
    return variablesIn(text);
}

/** Lines `NAME=value`, with or without `export` and quotes. */
export function variablesIn(text: string): Record<string, string> {
    const found: Record<string, string> = {};
    for (const line of text.split(/\r?\n/)) {
        const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*?)\s*$/.exec(line);
        if (match) {
            found[match[1]!] = match[2]!.replace(/^(['"])(.*)\1$/, "$2");
        }
    }
    return found;
}

/** `all`, a number, or `device=0,1`, quoted as shells need it; what was there before is added to. */
export function gpusOf(text: string, before?: GpusUsed): GpusUsed | undefined {
    const bare = text.replaceAll(/["']/g, "");
    const list = /device=([^ ]+)/.exec(bare)?.[1] ?? (/^[\d,]+,[\d,]*$/.test(bare) ? bare : undefined);
    if (list !== undefined && list !== "all") {
        const entries = list.split(",").filter((each) => each !== "" && !each.includes("="));
        const seen = before && "indices" in before ? before.indices : [];
        return entries.every((each) => /^\d+$/.test(each))
            ? { indices: [...seen, ...entries.map(Number)] }
            : { ids: entries };
    }
    const count = /^(?:count=)?(\d+)$/.exec(bare);
    return count ? { count: Number(count[1]) } : before;
}

function jsonWords(text: string): string[] {
    try {
        return (JSON.parse(text) as unknown[]).map(String);
    } catch {
        return [open(text, `${text} is no list of words`)];
    }
}
