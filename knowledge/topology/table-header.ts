import type { Line } from "./terminal-text.ts";
import { quoted, TopologyError } from "./topology-error.ts";

/** A column behind the links. */
export type AffinityColumn = "CPU Affinity" | "NUMA Affinity" | "GPU NUMA ID";

/** The head of a matrix: which devices have a column, and what follows them. */
export interface TableHeader {
    /** Device columns in order. */
    readonly devices: readonly string[];
    /** Columns behind them, in order. */
    readonly affinity: readonly AffinityColumn[];
    /** Where each affinity column starts, counted in characters with tab stops of eight. */
    readonly starts: readonly number[];
    /** Index of the first line after the header. */
    readonly next: number;
    /** The header's line. */
    readonly line: Line;
}

const GPU = /^GPU\d+$/;
const AFFINITY: readonly [RegExp, AffinityColumn][] = [
    [/^CPU(?:\s*Affinity)?(?=\s|NUMA|GPU|$)/, "CPU Affinity"],
    [/^NUMA\s*Affinity(?=\s|GPU|$)|^NUMA(?=\s|$)/, "NUMA Affinity"],
    [/^GPU\s*NUMA\s*ID(?=\s|$)/, "GPU NUMA ID"],
];

/** Whether the word can name a device with a column of its own: a GPU, a `NIC#`, or an RDMA device as old drivers name it. */
export function isDevice(word: string): boolean {
    return GPU.test(word) || /^NIC\d+$/.test(word) || isRdmaName(word);
}

/** Whether the word looks like the name of an RDMA device, and not like two words glued together. */
function isRdmaName(word: string): boolean {
    return /^[a-z][a-z0-9]*(?:_[a-z]+)?_?\d+(?:[a-z]\d+)*$/.test(word) && !/\d(?:mlx|gpu|nic)/.test(word);
}

/** The text with tabs turned into spaces, stops every eight characters, as a terminal shows it. */
export function expandTabs(text: string): string {
    let out = "";
    for (const char of text) {
        out += char === "\t" ? " ".repeat(8 - (out.length % 8)) : char;
    }
    return out;
}

/** Reads the line, and those that a narrow terminal broke off it, as a header; `undefined` when it is none. */
export function readHeader(lines: readonly Line[], at: number): TableHeader | undefined {
    const first = lines[at]!;
    const [lead, second] = first.words;
    const starts = lead !== undefined && /^GPU\d/.test(lead);
    if (!starts || (second !== undefined && !/^(?:GPU|NIC|CPU|NUMA|[GNC]$)/.test(second) && !isDevice(second))) {
        return undefined;
    }
    const rest = lines.slice(at + 1, at + 1 + MOST_PIECES);
    const last = rest.findIndex((line) => line.words.length === 0 || isRowStart(line));
    for (let pieces = last < 0 ? rest.length : last; pieces >= 0; pieces--) {
        const columns = joinings(first.text, rest.slice(0, pieces))
            .map(parseColumns)
            .find((each) => typeof each !== "string");
        if (typeof columns === "object") {
            return { ...columns, next: at + 1 + pieces, line: first };
        }
    }
    const word = parseColumns(first.text) as string;
    throw new TopologyError({
        line: first.number,
        row: "header",
        column: word,
        expected: "GPU#, NIC# or an RDMA device name, each once, then CPU Affinity, NUMA Affinity, GPU NUMA ID",
        found: quoted(word),
    });
}

/** Most lines that a narrow terminal may have broken off one. */
export const MOST_PIECES = 6;

/** The line with those that were broken off it: each break was between two words or inside one. */
export function joinings(first: string, rest: readonly Line[]): string[] {
    let texts = [first];
    for (const { text } of rest) {
        texts = texts.flatMap((start) => [`${start} ${text.trimStart()}`, start + text.trimStart()]);
    }
    return texts;
}

/** Whether the line is a row of a matrix: a device, then something that is neither a device nor the name of a column. */
function isRowStart(line: Line): boolean {
    const [lead, second] = line.words;
    return (
        lead !== undefined &&
        isDevice(lead) &&
        second !== undefined &&
        !isDevice(second) &&
        !/^(?:CPU|NUMA)/.test(second)
    );
}

/** Columns that the text names, or the word that names none. */
function parseColumns(text: string): Pick<TableHeader, "devices" | "affinity" | "starts"> | string {
    const flat = expandTabs(text);
    const devices: string[] = [];
    const affinity: AffinityColumn[] = [];
    const starts: number[] = [];
    let position = 0;
    while (true) {
        position += /^\s*/.exec(flat.slice(position))![0].length;
        const rest = flat.slice(position);
        if (rest === "") {
            return devices.length === 0 ? "header" : { devices, affinity, starts };
        }
        const column = AFFINITY.map(([pattern, name]) => ({ match: pattern.exec(rest), name })).find(
            ({ match }) => match,
        );
        if (column) {
            if (affinity.includes(column.name)) {
                return column.name;
            }
            affinity.push(column.name);
            starts.push(position);
            position += column.match![0].length;
            continue;
        }
        const word = /^\S+/.exec(rest)![0];
        if (!isDevice(word) || devices.includes(word) || affinity.length > 0) {
            return word;
        }
        devices.push(word);
        position += word.length;
    }
}
