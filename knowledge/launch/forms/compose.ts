import { fileVariables, gpusOf } from "../container.ts";
import type { Companion, Found, GpusUsed, Started } from "../found.ts";
import { open } from "../open.ts";
import { imageServer } from "../program.ts";
import { expandWord } from "../shell/expand.ts";
import { parseShell, wordsIn } from "../shell/parse.ts";
import { Scope } from "../shell/scope.ts";
import { foundIn, together } from "./argv.ts";

type Tree = Readonly<Record<string, unknown>>;

/** Whether a document is a compose file. */
export function isCompose(document: unknown): document is Tree {
    return isTree(document) && isTree(document.services) && Object.values(document.services).some(isTree);
}

/** The servers of a compose file, each under the name of its service. */
export function readCompose(document: Tree, read: Companion): Found {
    const assumed: { note: string; value?: string | undefined }[] = [];
    const scope = new Scope("this file");
    const around = {
        scope,
        output: (text: string) => open(`$(${text})`, `$(${text}) is known only where it runs`),
        assume: (note: string, value?: string) => {
            assumed.push({ note, value });
        },
    };
    for (const [name, value] of Object.entries(fileVariables(".env", read, []))) {
        scope.set(name, value);
    }
    const put = (text: string) => interpolated(text, around);
    const found = Object.entries(document.services as Tree).flatMap(([name, service]) =>
        isTree(service) ? [readService(name, service, put, read)] : [],
    );
    const all = together(found);
    return { ...all, assumed: [...assumed, ...all.assumed] };
}

function readService(name: string, service: Tree, put: (text: string) => string, read: Companion): Found {
    const notes: string[] = [];
    const files = list(service.env_file).map((file) => (isTree(file) ? String(file.path) : String(file)));
    const ofFiles = Object.assign({}, ...files.map((file) => fileVariables(put(file), read, notes))) as Record<
        string,
        string
    >;
    const environment = { ...ofFiles, ...variables(service.environment, put, notes) };
    const image = typeof service.image === "string" ? put(service.image) : undefined;
    const words = [...commandWords(service.entrypoint, put), ...commandWords(service.command, put)];
    const start: Started = { words, environment, image, gpus: cards(service, environment), notes };
    const place = `service ${name}`;
    const server = imageServer(start)?.launch;
    return server
        ? { launches: [{ ...server, place, when: [] }], problems: [], assumed: [], hints: [] }
        : foundIn(start, place, "this file", read);
}

/** `A=1` in a list, or `A: 1` in a map. A name alone comes from the shell. */
function variables(given: unknown, put: (text: string) => string, notes: string[]): Record<string, string> {
    const pairs = isTree(given)
        ? Object.entries(given).map(([name, value]) => [name, value] as const)
        : list(given).map((entry) => {
              const text = String(entry);
              const at = text.indexOf("=");
              return [at === -1 ? text : text.slice(0, at), at === -1 ? null : text.slice(at + 1)] as const;
          });
    return Object.fromEntries(
        pairs.flatMap(([name, value]) => {
            if (value === null || value === undefined) {
                notes.push(`${name} comes from the shell that starts the container: it is left out`);
                return [];
            }
            return [[name, put(String(value))] as const];
        }),
    );
}

/** A command as compose splits it; a list is taken as it is. */
export function commandWords(given: unknown, put: (text: string) => string): string[] {
    if (Array.isArray(given)) {
        return given.map((word) => put(String(word)));
    }
    if (typeof given !== "string") {
        return [];
    }
    const { problems } = parseShell(given);
    const scope = new Scope("this file");
    const around = { scope, output: (text: string) => `$(${text})`, assume: () => {} };
    // what is filled in by now is text: a dollar sign that is left belongs to a shell in the container
    const dollar = "\uE004";
    return problems.length > 0
        ? [open(given, "its command has a quote that is not closed")]
        : wordsIn(put(given).replaceAll("$", dollar)).flatMap((word) =>
              expandWord(word, around).map((each) => each.replaceAll(dollar, "$")),
          );
}

/** `${X:-default}` and `$X` as compose fills them in; `$$` is a dollar sign. */
function interpolated(text: string, around: Parameters<typeof expandWord>[1]): string {
    return text.replaceAll(/\$\$|\$\{([^}]*)\}|\$([A-Za-z_]\w*)/g, (sign) =>
        sign === "$$" ? "$" : expandWord(`"${sign}"`, around).join(""),
    );
}

/** Cards from `gpus`, from a reservation of devices, or from NVIDIA's own variable. */
function cards(service: Tree, environment: Readonly<Record<string, string>>): GpusUsed | undefined {
    const devices = list(at(service, "deploy", "resources", "reservations", "devices")).find(isTree);
    const ids = list(devices?.device_ids).map(String);
    if (ids.length > 0) {
        return gpusOf(`device=${ids.join(",")}`);
    }
    const given = devices?.count ?? service.gpus ?? environment.NVIDIA_VISIBLE_DEVICES;
    return given === undefined || isTree(given) || Array.isArray(given)
        ? undefined
        : given === environment.NVIDIA_VISIBLE_DEVICES
          ? gpusOf(`device=${given}`)
          : gpusOf(String(given));
}

/** A value inside maps; nothing where one is missing. */
export function at(tree: unknown, ...keys: readonly string[]): unknown {
    return keys.reduce<unknown>((value, key) => (isTree(value) ? value[key] : undefined), tree);
}

/** A list as it is; one value as a list of one. */
export function list(value: unknown): readonly unknown[] {
    return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

/** Whether a value is a map. */
export function isTree(value: unknown): value is Tree {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
