import { type AffinityCells, readAffinity } from "./affinity-cells.ts";
import { joinings, MOST_PIECES, type TableHeader } from "./table-header.ts";
import type { Line } from "./terminal-text.ts";
import { quoted, type TopologyFault } from "./topology-error.ts";

/** One row of a matrix. */
export interface TableRow extends AffinityCells {
    /** Device that the row is about. */
    readonly device: string;
    /** Number of its line. */
    readonly line: number;
    /** One cell per device column, as printed. */
    readonly links: readonly string[];
    /** Lines below its own that belong to it. */
    readonly pieces: number;
}

/** A row, or why the text is none. */
export type RowOrFault = TableRow | TopologyFault;

/** Whether the outcome is a fault. */
export function isFault(outcome: RowOrFault): outcome is TopologyFault {
    return "expected" in outcome;
}

/** What the cells of a matrix may be, and how to say so. */
export interface CellKind {
    readonly matches: (cell: string) => boolean;
    readonly expected: string;
    /** Whether two mirrored cells may stand together. */
    readonly agree: (a: string, b: string) => boolean;
}

/** Reads a text as a row: the device, exactly one cell per device column, then the affinity cells. */
export function readRow(header: TableHeader, kind: CellKind, text: string, line: number): RowOrFault {
    const device = /\S+/.exec(text)![0];
    const fault = (column: string, expected: string, found: string): TopologyFault => ({
        line,
        row: device,
        column,
        expected,
        found,
    });
    const links: string[] = [];
    let offset = text.indexOf(device) + device.length;
    for (const column of header.devices) {
        const match = /^\s*(\S+)/.exec(text.slice(offset));
        const cell = match?.[1];
        if (cell === undefined || !(cell === "X" || kind.matches(cell))) {
            const count = `${header.devices.length} cells as in the header, each X or ${kind.expected}`;
            return fault(column, count, cell === undefined ? `only ${links.length}` : describe(cell, kind));
        }
        if ((cell === "X") !== (column === device)) {
            const cells = countCells(text, kind);
            const here = column === device ? "X (the device itself)" : kind.expected;
            return cells === header.devices.length
                ? fault(column, here, quoted(cell))
                : fault(
                      column,
                      `${header.devices.length} cells as in the header, here ${here}`,
                      `${cells}: here ${quoted(cell)}`,
                  );
        }
        links.push(cell);
        offset += match![0].length;
    }
    const extra = /^\s*(\S+)/.exec(text.slice(offset))?.[1];
    if (extra !== undefined && (extra === "X" || kind.matches(extra) || isGlued(extra, kind))) {
        return fault("end of row", `${header.devices.length} cells as in the header`, `one more: ${quoted(extra)}`);
    }
    const affinity = readAffinity(header, text, offset);
    if ("expected" in affinity) {
        return fault(affinity.column, affinity.expected, affinity.found);
    }
    return { device, line, links, pieces: 0, ...affinity };
}

/** Cells of the row, whatever their number should be. */
function countCells(text: string, kind: CellKind): number {
    const words = text.trim().split(/\s+/).slice(1);
    const end = words.findIndex((word) => word !== "X" && !kind.matches(word));
    return end < 0 ? words.length : end;
}

/** The two cells that the cell is glued from, if it is. */
function isGlued(cell: string, kind: CellKind): [string, string] | undefined {
    for (let i = 1; i < cell.length; i++) {
        const parts: [string, string] = [cell.slice(0, i), cell.slice(i)];
        if (parts.every((part) => part === "X" || kind.matches(part))) {
            return parts;
        }
    }
    return undefined;
}

/** The cell in quotes, and what it is glued from. */
function describe(cell: string, kind: CellKind): string {
    const parts = isGlued(cell, kind);
    return parts ? `${quoted(cell)} (two cells glued: ${parts.join(" and ")})` : quoted(cell);
}

/**
 * Reads the row that starts at a line, together with the lines that a narrow terminal may have broken off it. A break falls
 * between two cells or inside one; of the readings that make a whole row, the one that fills most columns counts, and when two
 * such differ, the row cannot be read.
 */
export function readWrappedRow(header: TableHeader, kind: CellKind, first: Line, rest: readonly Line[]): RowOrFault {
    const alone = readRow(header, kind, first.text, first.number);
    const readings = new Map<string, TableRow>();
    for (let pieces = Math.min(rest.length, MOST_PIECES); pieces > 0; pieces--) {
        for (const joined of joinings(first.text, rest.slice(0, pieces))) {
            const row = readRow(header, kind, joined, first.number);
            if (!isFault(row) && row.trailing.length === 0) {
                readings.set(JSON.stringify([row.links, row.cells]), { ...row, pieces });
            }
        }
    }
    if (!isFault(alone)) {
        readings.set(JSON.stringify([alone.links, alone.cells]), alone);
    }
    const filled = Math.max(...[...readings.values()].map((row) => Object.keys(row.cells).length));
    const best = [...readings.values()].filter((row) => Object.keys(row.cells).length === filled);
    if (best.length > 1) {
        return {
            line: first.number,
            row: best[0]!.device,
            column: "end of row",
            expected: "a row on one line",
            found: "a broken row that can be read in two ways",
        };
    }
    return best[0] ?? alone;
}
