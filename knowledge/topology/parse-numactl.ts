import { formatNumberList, parseNumberList } from "./cpu-list.ts";
import { type Line, terminalLines } from "./terminal-text.ts";
import { quoted, TopologyError } from "./topology-error.ts";

/** One NUMA node of a host. */
export interface NumaNode {
    /** Its number. */
    readonly node: number;
    /** Its CPUs in order; none on a node that is memory only. */
    readonly cpus: readonly number[];
    /** Its memory in MiB (`numactl` prints it as MB); absent when the text does not say. */
    readonly memoryMiB?: number;
    /** Distance to every node, itself included, by node number; 10 is local. Absent when the text has none. */
    readonly distances?: Readonly<Record<string, number>>;
}

/**
 * Reads the text of `numactl -H` (`numactl --hardware`): the NUMA nodes in order. Throws a TopologyError with row and column when a
 * node that the text announces is missing, when a CPU is on two nodes, or when a line cannot be read.
 */
export function parseNumactl(text: string): NumaNode[] {
    const lines = terminalLines(text);
    const announced = readAvailable(lines);
    const cpus = readCpus(lines);
    const distances = readDistances(lines, announced);
    const line = lines.length;
    for (const node of announced) {
        if (!cpus.has(node)) {
            throw new TopologyError({
                line,
                row: `node ${node}`,
                column: "cpus",
                expected: `a line "node ${node} cpus:"`,
                found: "none",
            });
        }
    }
    return announced.map((node) => {
        const size = lines
            .map((each) => new RegExp(`^\\s*node ${node} size:\\s*(\\d+)\\s*MB`).exec(each.text)?.[1])
            .find(Boolean);
        return {
            node,
            cpus: cpus.get(node)!,
            ...(size === undefined ? {} : { memoryMiB: Number(size) }),
            ...(distances.has(node) ? { distances: distances.get(node)! } : {}),
        };
    });
}

/** Nodes that the first line announces. */
function readAvailable(lines: readonly Line[]): number[] {
    const line = lines.find(({ text }) => /^\s*available:/.test(text));
    const match = /available:\s*(\d+)\s+nodes?\s+\(([\d,-]+)\)/.exec(line?.text ?? "");
    const nodes = parseNumberList(match?.[2] ?? "");
    if (!match || !nodes || nodes.length !== Number(match[1])) {
        throw new TopologyError({
            line: line?.number ?? 1,
            row: "available",
            column: "nodes",
            expected: 'the text of `numactl -H`, with a line such as "available: 2 nodes (0-1)"',
            found: quoted((line ?? lines.find(({ words }) => words.length > 0))?.text.trim() ?? ""),
        });
    }
    return nodes;
}

/** CPUs by node. */
function readCpus(lines: readonly Line[]): Map<number, number[]> {
    const cpus = new Map<number, number[]>();
    const owner = new Map<number, number>();
    for (const [i, line] of lines.entries()) {
        const match = /^\s*node (\d+) cpus:(.*)$/.exec(line.text);
        if (!match) {
            continue;
        }
        const node = Number(match[1]);
        const fault = (column: string, expected: string, found: string) =>
            new TopologyError({ line: line.number, row: `node ${node}`, column, expected, found });
        if (cpus.has(node)) {
            throw fault("cpus", "one line per node", `a second "node ${node} cpus:"`);
        }
        const rest = lines.slice(i + 1);
        const broken = rest.slice(
            0,
            Math.max(
                0,
                rest.findIndex(({ text }) => !/^\s*\d[\d\s]*$/.test(text)),
            ),
        );
        const list = readList([match[2]!, ...broken.map(({ text }) => text.trim())]);
        if (!list) {
            throw fault("cpus", "CPU numbers in ascending order", quoted(match[2]!.trim()));
        }
        for (const cpu of list) {
            if (owner.has(cpu)) {
                throw fault(`cpu ${cpu}`, "every CPU on one node", `CPU ${cpu} on node ${owner.get(cpu)} too`);
            }
            owner.set(cpu, node);
        }
        cpus.set(node, list);
    }
    return cpus;
}

/** Numbers of a list that a terminal may have broken into pieces, between two numbers or inside one. */
function readList(pieces: readonly string[]): number[] | undefined {
    let lists = [pieces[0]!.trim()];
    for (const piece of pieces.slice(1)) {
        const joined = lists.flatMap((list) => [`${list} ${piece}`, list + piece]);
        lists = joined.filter((list) => ascending(list.replace(/\S+$/, ""))).slice(0, 8);
    }
    const whole = lists.map(ascending).filter((list) => list !== undefined);
    return whole.length === 1 ? whole[0] : undefined;
}

function ascending(list: string): number[] | undefined {
    const words = list.split(/\s+/).filter((word) => word !== "");
    return words.length === 0 ? [] : parseNumberList(words.join(","));
}

/** Distances by node; empty when the text has no such table. */
function readDistances(lines: readonly Line[], nodes: readonly number[]): Map<number, Record<string, number>> {
    const distances = new Map<number, Record<string, number>>();
    const start = lines.findIndex(({ text }) => /^\s*node distances:/.test(text));
    const head = lines[start + 1];
    if (start < 0 || head === undefined || head.words[0] !== "node") {
        return distances;
    }
    const columns = head.words.slice(1).map(Number);
    if (formatNumberList(columns) !== formatNumberList(nodes) || columns.length !== nodes.length) {
        throw new TopologyError({
            line: head.number,
            row: "node distances",
            column: "nodes",
            expected: `columns ${nodes.join(" ")}`,
            found: quoted(head.words.slice(1).join(" ")),
        });
    }
    for (const line of lines.slice(start + 2)) {
        const match = /^\s*(\d+):((?:\s+\d+)*)\s*$/.exec(line.text);
        if (!match) {
            break;
        }
        const cells = match[2]!.trim().split(/\s+/).map(Number);
        if (cells.length !== columns.length || !nodes.includes(Number(match[1]))) {
            throw new TopologyError({
                line: line.number,
                row: `node ${match[1]}`,
                column: "distances",
                expected: `${columns.length} distances of a node of ${nodes.join(" ")}`,
                found: quoted(line.text.trim()),
            });
        }
        distances.set(Number(match[1]), Object.fromEntries(columns.map((column, i) => [column, cells[i]!])));
    }
    return distances;
}
