import { fileVariables, gpusOf } from "../container.ts";
import type { Companion, Found, GpusUsed } from "../found.ts";
import { open } from "../open.ts";
import { imageServer } from "../program.ts";
import { foundIn, together } from "./argv.ts";

/** A systemd unit, or the part of one that says what is started. */
export function isUnit(text: string): boolean {
    return /^\s*\[(Service|Container)\]\s*$/m.test(text) || /^\s*ExecStart=/m.test(text);
}

/** The server of a unit: `ExecStart` with `Environment` and `EnvironmentFile`, as systemd reads them (systemd.service(5), systemd.exec(5)). */
export function readUnit(text: string, read: Companion): Found {
    const notes: string[] = [];
    // podman-systemd.unit(5)
    const isContainer = /^\s*\[Container\]\s*$/m.test(text);
    let environment: Record<string, string> = {};
    let starts: string[] = [];
    let image: string | undefined;
    let gpus: GpusUsed | undefined;
    for (const [key, value] of entries(text)) {
        if (key === "Environment") {
            const given = Object.fromEntries(unitWords(value).flatMap((word) => pair(word)));
            environment = value === "" ? {} : { ...environment, ...given };
        } else if (key === "EnvironmentFile" && value !== "") {
            environment = { ...environment, ...fileVariables(value.replace(/^-/, ""), read, notes) };
        } else if (key === "ExecStart") {
            starts = value === "" ? [] : [...starts, value];
        } else if (isContainer && key === "Image") {
            image = value;
        } else if (isContainer && key === "Exec") {
            starts = [value];
        } else if (isContainer && key === "AddDevice" && value.startsWith("nvidia.com/gpu=")) {
            gpus = gpusOf(`device=${value.split("=")[1]}`, gpus);
        }
    }
    const origin = "this unit";
    return together(
        starts.map((line) => {
            const words = unitWords(line.replace(/^[-@:+!|]+/, "")).flatMap((word) => filled(word, environment));
            const start = { words, environment, image, gpus, notes };
            const server = image === undefined ? undefined : imageServer(start)?.launch;
            return server
                ? { launches: [{ ...server, place: "Exec", when: [] }], problems: [], assumed: [], hints: [] }
                : foundIn(start, isContainer ? "Exec" : "ExecStart", origin, read);
        }),
    );
}

/** `Key=value` lines, continued ones joined. */
function entries(text: string): [string, string][] {
    const joined = text
        .replaceAll("\r\n", "\n")
        .replaceAll(/^[ \t]*[#;].*$/gm, "")
        .replaceAll(/\\[ \t]*\n(?:[ \t]*\n)*/g, " ");
    return [...joined.matchAll(/^[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(.*?)[ \t]*$/gm)].map((match) => [match[1]!, match[2]!]);
}

/** Words of a line, with systemd's quotes. */
function unitWords(line: string): string[] {
    return [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+/g)].map(([word]) =>
        word.replaceAll(
            /"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|\\(.)/g,
            (_, double?: string, single?: string, one?: string) =>
                one !== undefined ? one : (double ?? single ?? "").replaceAll(/\\(["'\\])/g, "$1"),
        ),
    );
}

function pair(word: string): [string, string][] {
    const at = word.indexOf("=");
    return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
}

/** `$NAME` alone becomes words, `${NAME}` one; `%i` and its like are known to systemd only. */
function filled(word: string, environment: Readonly<Record<string, string>>): string[] {
    const value = (name: string) => environment[name] ?? open(`$${name}`, `$${name} is not set in this unit`);
    const alone = /^\$([A-Za-z_]\w*)$/.exec(word)?.[1];
    if (alone !== undefined) {
        return value(alone).split(/\s+/).filter(Boolean);
    }
    return [
        word
            .replaceAll(/\$\$|\$\{(\w+)\}/g, (_sign, name?: string) => (name === undefined ? "$" : value(name)))
            .replaceAll(/%([%a-zA-Z])/g, (sign, letter: string) =>
                letter === "%" ? "%" : open(sign, `${sign} is filled in by systemd`),
            ),
    ];
}
