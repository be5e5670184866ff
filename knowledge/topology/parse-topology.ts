import { formatNumberList, parseNumberList } from "./cpu-list.ts";
import { gpusOf, type Matrix, readMatrix } from "./read-matrix.ts";
import { type Legend, readLegend } from "./table-legend.ts";
import type { CellKind, TableRow } from "./table-rows.ts";
import { type Line, terminalLines } from "./terminal-text.ts";
import {
    isNvlink,
    type Link,
    type LinkType,
    linkType,
    type Topology,
    type TopologyGpu,
    type TopologyNic,
} from "./topology.ts";
import { TopologyError } from "./topology-error.ts";
import { affinityNotes, tableNotes } from "./topology-notes.ts";

const LINKS: CellKind = {
    matches: (cell) => linkType(cell) !== undefined,
    expected: "one of NV#, PIX, PXB, PHB, NODE, SYS",
    agree: (a, b) => linkType(a) === linkType(b),
};

/**
 * Reads the text of `nvidia-smi topo -m`. It may have lost its tabs, its affinity columns, its legend and its adapter rows, may
 * have gained escapes, a prompt, fences and trailing words, and its rows may be broken by a narrow terminal. What it says of
 * links must be whole: a row with another number of cells than the header, an unknown link, glued cells, a missing or doubled
 * row, an asymmetric pair, or the text of `topo -mp`, which hides NVLink, throws a TopologyError with row and column.
 */
export function parseTopology(text: string): Topology {
    const lines = terminalLines(text);
    refuseOtherMatrix(lines);
    const matrix = readMatrix(lines, LINKS, "nvidia-smi topo -m");
    const legend = readLegend(lines.slice(matrix.end));
    refuseSecondTable(lines, matrix);
    refusePciOnly(lines, matrix, legend);
    refuseLostAdapters(matrix, legend);
    const gpus = gpusOf(matrix.header).map((name) => gpuOf(matrix.rows.get(name)!));
    const numa: Record<string, number[]> = {};
    for (const gpu of gpus) {
        if (gpu.numaNode !== undefined) {
            numa[gpu.numaNode] = [...(numa[gpu.numaNode] ?? []), gpu.index];
        }
    }
    return {
        gpus,
        links: linksOf(matrix),
        nics: nicsOf(matrix, legend),
        numa,
        notes: [...tableNotes(matrix, legend), ...cutNotes(matrix, legend), ...affinityNotes(gpus)],
    };
}

/** Cell of a row as a link. */
function linkAt(matrix: Matrix, row: string, column: string): LinkType | undefined {
    const cell = matrix.rows.get(row)?.links[matrix.header.devices.indexOf(column)];
    return cell === undefined ? undefined : linkType(cell);
}

function linksOf(matrix: Matrix): Link[] {
    const names = gpusOf(matrix.header);
    return names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ a, b, type: linkAt(matrix, a, b)! })));
}

function nicsOf(matrix: Matrix, legend: Legend): TopologyNic[] {
    const names = matrix.header.devices.filter((name) => !name.startsWith("GPU"));
    return names.map((name) => {
        const links: Record<string, LinkType> = {};
        for (const other of matrix.header.devices) {
            const type = other === name ? undefined : (linkAt(matrix, other, name) ?? linkAt(matrix, name, other));
            if (type !== undefined) {
                links[other] = type;
            }
        }
        const device = /^NIC\d+$/.test(name) ? legend.nics.get(name) : name;
        return device === undefined ? { name, links } : { name, device, links };
    });
}

function gpuOf(row: TableRow): TopologyGpu {
    const numa = parseNumberList(row.cells["NUMA Affinity"] ?? suffixNode(row) ?? "");
    const own = row.cells["GPU NUMA ID"];
    const cpus = row.cells["CPU Affinity"];
    // On Grace the nodes of GPU memory stand in the same list; they start at the GPU's own node, above all CPU nodes.
    const host = numa?.filter((node) => own === undefined || node < Number(own));
    return {
        name: row.device,
        index: Number(row.device.slice(3)),
        ...(host?.length === 1 ? { numaNode: host[0]! } : {}),
        ...(numa ? { numaAffinity: numa } : {}),
        ...(cpus === undefined ? {} : { cpuAffinity: formatNumberList(parseNumberList(cpus)!) }),
        ...(own === undefined ? {} : { gpuNumaNode: Number(own) }),
    };
}

/** Node of a hand-written `NUMA 1` behind the row. */
function suffixNode(row: TableRow): string | undefined {
    return /^NUMA(?:\s*node)?[\s:=]*(\d+)$/i.exec(row.trailing.join(" "))?.[1];
}

/** `topo -p2p` prints a matrix too; a text that has only that one is named as what it is. */
function refuseOtherMatrix(lines: readonly Line[]): void {
    const isRowOf = (line: Line, cells: RegExp) =>
        /^GPU\d+$/.test(line.words[0] ?? "") && line.words.slice(1).some((word) => cells.test(word));
    const first = lines.find((line) => isRowOf(line, /^(?:X|OK|CNS|GNS|TNS|NS|DR|U|NV\d+|PIX|PXB|PHB|NODE|SYS|SOC)$/));
    const status =
        first && lines.find((line) => line.number >= first.number && isRowOf(line, /^(?:OK|CNS|GNS|TNS|NS|DR|U)$/));
    const link = lines.find((line) => isRowOf(line, /^(?:NV\d+|PIX|PXB|PHB|NODE|SYS|SOC)$/));
    if (status && (!link || link.number > status.number)) {
        throw new TopologyError({
            line: status.number,
            row: status.words[0]!,
            column: "cells",
            expected: "the text of `nvidia-smi topo -m`",
            found: "the text of `nvidia-smi topo -p2p`, which says whether peer access works but not how GPUs are connected",
        });
    }
}

/** A text with the tables of two hosts does not say which one is meant. */
function refuseSecondTable(lines: readonly Line[], matrix: Matrix): void {
    const second = lines.slice(matrix.end).find(({ words }) => {
        const [device, ...cells] = words;
        return device === "GPU0" && cells.includes("X") && cells.some((cell) => LINKS.matches(cell));
    });
    if (second) {
        throw new TopologyError({
            line: second.number,
            row: "GPU0",
            column: "start of row",
            expected: "the table of one host",
            found: "a second table",
        });
    }
}

/** `topo -mp` shows PCIe paths only, so a pair with NVLink looks like one without. Its legend ends before `NV#`. */
function refusePciOnly(lines: readonly Line[], matrix: Matrix, legend: Legend): void {
    const shown = [...matrix.rows.values()].some((row) =>
        row.links.some((cell) => cell !== "X" && isNvlink(linkType(cell)!)),
    );
    const command = lines
        .slice(0, lines.indexOf(matrix.header.line))
        .findLast(({ text }) => /nvidia-smi\S*\s+topo\b/.test(text));
    const asked = command !== undefined && /\stopo\s+(?:-mp|--matrix_pci)\b/.test(command.text);
    if (!shown && (asked || (endsBeforeNvlink(legend) && isAsPrinted(matrix)))) {
        throw new TopologyError({
            line: asked ? command.number : legend.line,
            row: asked ? "command" : "legend",
            column: asked ? "topo" : "NV#",
            expected: "the text of `nvidia-smi topo -m`",
            found: asked
                ? "`topo -mp`, which hides NVLink"
                : "a legend without NV#, as `topo -mp` prints it, which hides NVLink",
        });
    }
}

/** A NIC legend that names more adapters than the table has columns belongs to a table that was cut. */
/** Whether the legend has all codes but NVLink's: `topo -mp` prints it so, and so does whoever cuts its last line off. */
function endsBeforeNvlink({ codes }: Legend): boolean {
    return ["X", "PHB", "PXB", "PIX", "SYS"].every((code) => codes.has(code)) && !codes.has("NV#");
}

/** Whether the header still has the blank in front that the tool prints: a text that lost it was edited, and its legend may be cut too. */
function isAsPrinted({ header }: Matrix): boolean {
    return /^\s/.test(header.line.text);
}

function cutNotes(matrix: Matrix, legend: Legend): string[] {
    return endsBeforeNvlink(legend) && !isAsPrinted(matrix)
        ? ["The legend has no NV#: it is taken as cut, since the table was edited. `topo -mp` would hide NVLink."]
        : [];
}

function refuseLostAdapters(matrix: Matrix, legend: Legend): void {
    const columns = matrix.header.devices.filter((name) => !name.startsWith("GPU"));
    const lost = [...legend.nics.keys()].find((name) => !columns.includes(name));
    if (lost !== undefined && columns.length > 0) {
        throw new TopologyError({
            line: matrix.header.line.number,
            row: "header",
            column: lost,
            expected: `a column for every adapter of the NIC legend (${[...legend.nics.keys()].join(" ")})`,
            found: `columns ${columns.join(" ")}`,
        });
    }
}
