import { containerAt, containerStart } from "./container.ts";
import type { Companion, GpusUsed, Launch, Started } from "./found.ts";
import { isOpen, shown } from "./open.ts";

/** Finds the server in the words of a command, whatever is put around it: containers, shells, `numactl`, `srun`, `sudo`, `env`. */

/** What comes of a command. */
export interface Opened {
    readonly launch?: Omit<Launch, "place" | "when">;
    /** A shell text that is run, with the environment that it sees. */
    readonly script?: Started & {
        readonly text: string;
        readonly positional: readonly string[];
        readonly where: string;
    };
    /** Why nothing is found where a server could be. */
    readonly hint?: string;
}

const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/;
/** Programs that name a server and start none. */
const talkers =
    /^(echo|printf|logger|e?grep|fgrep|rg|pgrep|pkill|killall|kill|ps|sed|awk|cat|tee|which|type|pip3?|curl|wget|test|\[|rm|ls|cp|mv|chmod|mkdir|touch|man|help|systemctl|journalctl|tail|head|less|watch|alias|apt|apt-get|git|history)$/;

/** Opens a command, layer by layer. */
export function opened(start: Started, read: Companion): Opened {
    const { words } = start;
    const first = base(words[0] ?? "");
    if (talkers.test(first)) {
        return {};
    }
    if (words.length === 0) {
        return start.image === undefined
            ? {}
            : { hint: `it starts what the image ${shown(start.image)} does: give its command` };
    }
    const container = containerAt(words);
    const shell = shellAt(words);
    const program = programAt(words);
    const at = [container, shell, program?.from ?? -1].filter((index) => index >= 0).sort((a, b) => a - b)[0];
    if (at === undefined) {
        return nothingFound(start, read);
    }
    const around = surrounded(start, words.slice(0, at));
    if (at === program?.from) {
        const { from: _, to, ...named } = program;
        return { launch: { ...around, ...named, words: words.slice(0, to), options: words.slice(to) } };
    }
    if (at === container) {
        const inside = containerStart(words.slice(at), around.environment, read);
        return inside ? inContainer(inside, around, read) : {};
    }
    return shellStart(words.slice(at), around, read);
}

/** Where the program stands: its name is from `from` up to `to`. */
function programAt(words: readonly string[]): { from: number; to: number; program?: Launch["program"] } | undefined {
    const module = words.findIndex((word) => /(^|[/.])sglang[./]launch_server(\.py)?$/.test(word));
    if (module !== -1) {
        return { from: module, to: module + 1, program: "sglang.launch_server" };
    }
    const serve = words.findIndex((word, at) => /(^|\/)sglang(\.cli\.main)?$/.test(word) && words[at + 1] === "serve");
    return serve === -1 ? undefined : { from: serve, to: serve + 2, program: "sglang serve" };
}

/** Environment and cards that the words in front of something set: `env A=1`, `srun --export=A=1`, `sudo`. */
function surrounded(start: Started, before: readonly string[]): Started {
    const notes = [...start.notes];
    const environment = { ...start.environment };
    const sudo = before.findIndex((word) => base(word) === "sudo");
    if (sudo !== -1 && !before.some((word) => /^(-\w*E\w*|--preserve-env.*)$/.test(word))) {
        for (const name of Object.keys(environment)) {
            delete environment[name];
        }
        if (Object.keys(start.environment).length > 0) {
            const names = Object.keys(start.environment).map(shown).join(", ");
            notes.push(`sudo without -E keeps back ${names}`);
        }
    }
    let gpus = start.gpus;
    before.forEach((word, at) => {
        const isList = before[at - 1] === "--env" && before.some((one) => /^(apptainer|singularity)$/.test(base(one)));
        const list = isList ? word : /^--(?:export|env)=(.*=.*)$/.exec(word)?.[1];
        const inline = /^(?:--setenv=|-E(?==)|-E(?=[A-Za-z_]+=))/.exec(word)?.[0] ?? "";
        const ofOption = /^--?[A-Za-z]/.test(before[at - 1] ?? "") && !/^--?(env|E|setenv|i)$|=/.test(before[at - 1]!);
        for (const each of list?.split(",") ?? [word.slice(inline.length)]) {
            const match = assignment.exec(each);
            if (match && !ofOption) {
                environment[match[1]!] = match[2]!;
            }
        }
        gpus = jobGpus(word) ?? gpus;
    });
    return { ...start, environment, gpus, notes };
}

/** Cards of a Slurm job. */
export function jobGpus(option: string): GpusUsed | undefined {
    const count = /^--(?:gres=gpu|gpus|gpus-per-node|gpus-per-task)(?:[:=][A-Za-z_][\w.-]*)?[:=](\d+)$/.exec(
        option,
    )?.[1];
    return count === undefined ? undefined : { count: Number(count) };
}

/** Where a shell begins that is given a text or a file. */
function shellAt(words: readonly string[]): number {
    return words.findIndex((word, at) => {
        const next = words[at + 1];
        return (isShell(word) && next !== undefined) || (/(^|\/)[^\s]+\.(sh|bash)$/.test(word) && at === 0);
    });
}

function isShell(word: string): boolean {
    return /^(ba|da|z|k)?sh$/.test(base(word));
}

function shellStart(words: readonly string[], around: Started, read: Companion): Opened {
    let at = isShell(words[0]!) ? 1 : 0;
    let isText = false;
    while (at > 0 && at < words.length && /^[-+]/.test(words[at]!)) {
        isText ||= /^-[a-z]*c$/.test(words[at]!);
        at += /^[-+][a-z]*o$/.test(words[at]!) ? 2 : 1;
    }
    const [given, ...rest] = words.slice(at);
    if (given === undefined) {
        return {};
    }
    if (isText) {
        return { script: { ...around, text: given, positional: rest.slice(1), where: "the shell's text" } };
    }
    const text = isOpen(given) ? undefined : read(given);
    return text === undefined
        ? { hint: `it starts ${shown(given)}: give that file` }
        : { script: { ...around, text, positional: rest, where: given } };
}

function inContainer(inside: Started, around: Started, read: Companion): Opened {
    const start = { ...inside, gpus: inside.gpus ?? around.gpus, notes: [...around.notes, ...inside.notes] };
    return imageServer(start) ?? opened(start, read);
}

/** An image that is given options starts the server itself. */
export function imageServer(start: Started): Opened | undefined {
    const { words, image } = start;
    const [first = ""] = words;
    const isServer = first.startsWith("--") && words.some((word) => /^--(model|model-path|config)(=|$)/.test(word));
    const serves = first === "serve" && /sglang/i.test(image ?? "");
    if (!isServer && !serves) {
        return undefined;
    }
    if (/vllm/i.test(image ?? "")) {
        return { hint: `the image ${shown(image!)} starts vLLM` };
    }
    const note = `the image ${shown(image ?? "")} is taken to start SGLang itself, since it is given options alone`;
    return serves
        ? { launch: { ...start, program: "sglang serve", options: words.slice(1) } }
        : { launch: { ...start, options: words, notes: [...start.notes, note] } };
}

function nothingFound({ words, image }: Started, read: Companion): Opened {
    const other = words.find((word) =>
        /(^|\/)vllm$|^vllm\.|^sglang_router|(^|\/)(tritonserver|llama-server)$/.test(word),
    );
    if (other) {
        return { hint: /vllm/.test(other) ? "This one starts vLLM" : `it starts ${other}` };
    }
    const [first = ""] = words;
    const text = /^[./~]/.test(first) && words.length <= 40 && !isOpen(first) ? read(first) : undefined;
    if (text !== undefined) {
        return { script: { words, environment: {}, notes: [], image, text, positional: words.slice(1), where: first } };
    }
    return image !== undefined || /^\.?\//.test(first) || isOpen(first)
        ? { hint: `it starts ${shown(words.join(" ")).slice(0, 60)}: give that file` }
        : {};
}

function base(word: string): string {
    return word.replace(/^.*\//, "");
}
