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
    if (
        lead === undefined ||
        !/^GPU\d/.test(lead) ||
        (second !== undefined && !/^(?:GPU|NIC|CPU|NUMA)/.test(second) && !isDevice(second))
    ) {
        return undefined;
    }
    let text = first.text;
    let next = at + 1;
    let header = parseHeader(text, first);
    while (next < lines.length && lines[next]!.words.length > 0 && !isRowStart(lines[next]!)) {
        const rest = lines[next]!.text;
        const joined = [`${text}\t${rest.trimStart()}`, text + rest.trimStart()].map((t) => ({
            t,
            h: parseHeader(t, first),
        }));
        const whole = joined.find(({ h }) => typeof h !== "string");
        if (!whole) {
            break;
        }
        text = whole.t;
        header = whole.h;
        next++;
    }
    if (typeof header === "string") {
        throw new TopologyError({
            line: first.number,
            row: "header",
            column: header,
            expected: "GPU#, NIC# or an RDMA device name, each once, then CPU Affinity, NUMA Affinity, GPU NUMA ID",
            found: quoted(header),
        });
    }
    return { ...header, next, line: first };
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
function parseHeader(text: string, _line: Line): Pick<TableHeader, "devices" | "affinity" | "starts"> | string {
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
