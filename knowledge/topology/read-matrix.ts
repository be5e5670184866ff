import { isDevice, readHeader, type TableHeader } from "./table-header.ts";
import { type CellKind, isFault, readWrappedRow, type TableRow } from "./table-rows.ts";
import type { Line } from "./terminal-text.ts";
import { quoted, TopologyError } from "./topology-error.ts";

/** A matrix of devices, read whole. */
export interface Matrix {
    readonly header: TableHeader;
    /** Rows by device. Every GPU of the header has one; the other devices have one all together or not at all. */
    readonly rows: ReadonlyMap<string, TableRow>;
    /** Index of the first line after the table. */
    readonly end: number;
}

/** Index of the first line at or after `from` that is a header, with the header. */
function findHeader(lines: readonly Line[], from: number): TableHeader | undefined {
    for (let at = from; at < lines.length; at++) {
        const header = readHeader(lines, at);
        if (header) {
            return header;
        }
    }
    return undefined;
}

/** Whether nothing of the table follows: a legend, or the next table. */
function isEnd(lines: readonly Line[], at: number): boolean {
    return /^\s*(?:NIC\s+)?Legend\b/i.test(lines[at]!.text) || readHeader(lines, at) !== undefined;
}

/**
 * Reads the first matrix at or after the line with that index, from its header to its legend or to the end of the text, and checks that every device of
 * the header has its row once and that both halves say the same. Throws a TopologyError with row and column.
 */
export function readMatrix(lines: readonly Line[], kind: CellKind, title: string, from = 0): Matrix {
    const header = findHeader(lines, from);
    if (!header) {
        const line = lines.find(({ words }) => words.length > 0);
        throw new TopologyError({
            line: line?.number ?? 1,
            row: "text",
            column: "header",
            expected: `the table that \`${title}\` prints, with a header of GPU columns`,
            found: line ? quoted(line.text.trim()) : "an empty text",
        });
    }
    const rows = new Map<string, TableRow>();
    let at = header.next;
    while (at < lines.length && !isEnd(lines, at)) {
        const line = lines[at]!;
        const [device, cell] = line.words;
        if (device === undefined || !isRow(header, device, cell, rows, kind)) {
            refuseScrap(line, header, rows, kind);
            at++;
            continue;
        }
        refuseStranger(header, rows, device, line.number);
        const start = at + 1;
        let next = start;
        while (next < lines.length && isBrokenOff(lines, next, header)) {
            next++;
        }
        const row = readWrappedRow(header, kind, line, lines.slice(start, next));
        if (isFault(row)) {
            throw new TopologyError(row);
        }
        rows.set(device, row);
        at = start + row.pieces;
        if (at < next) {
            refuseScrap(lines[at]!, header, new Map(), kind);
        }
    }
    complete(header, rows, lines[Math.min(at, lines.length) - 1]!.number);
    symmetric(header, rows, kind);
    return { header, rows, end: at };
}

/** Whether the line is meant as a row: after a whole table, prose that begins with a device is none. */
function isRow(
    header: TableHeader,
    device: string,
    cell: string | undefined,
    rows: ReadonlyMap<string, TableRow>,
    kind: CellKind,
): boolean {
    const isCell = cell === "X" || (cell !== undefined && kind.matches(cell));
    return isCell
        ? isDevice(device) || header.devices.includes(device)
        : header.devices.includes(device) && !rows.has(device);
}

/** Whether the line can be the rest of the row above it. */
function isBrokenOff(lines: readonly Line[], at: number, header: TableHeader): boolean {
    const [lead, second] = lines[at]!.words;
    return (
        lead !== undefined &&
        !(header.devices.includes(lead) && second !== undefined) &&
        !isEnd(lines, at) &&
        !isNewRow(lead, second)
    );
}

/** Whether a line with those first words starts a row of its own, of a device that the header may lack. */
function isNewRow(lead: string, second: string | undefined): boolean {
    return isDevice(lead) && second !== undefined && /^[A-Z]/.test(second);
}

/** A line inside the table that holds cells but belongs to no row: whatever it is, the table was not read whole. */
function refuseScrap(line: Line, header: TableHeader, rows: ReadonlyMap<string, TableRow>, kind: CellKind): void {
    const open = needed(header, rows).some((device) => !rows.has(device));
    const scrap = line.words.find((word) => kind.matches(word) || /^(?:X|GPU\d+|NIC\d+|\d[\d,-]*|N\/A)$/.test(word));
    if (open && scrap !== undefined) {
        throw new TopologyError({
            line: line.number,
            row: line.words[0]!,
            column: "start of row",
            expected: "a row that starts with a device of the header, or the end of the table",
            found: quoted(line.text.trim()),
        });
    }
}

/** A row belongs to a device of the header, and each has one. */
function refuseStranger(header: TableHeader, rows: ReadonlyMap<string, TableRow>, device: string, line: number): void {
    const known = header.devices.includes(device);
    if (!known || rows.has(device)) {
        throw new TopologyError({
            line,
            row: device,
            column: "start of row",
            expected: known ? "one row per device" : `a device of the header (${header.devices.join(" ")})`,
            found: known ? `a second row of ${device}` : quoted(device),
        });
    }
}

/** Devices that must have a row: every GPU, and the adapters all together or not at all, since some tools cut them off. */
function needed(header: TableHeader, rows: ReadonlyMap<string, TableRow>): readonly string[] {
    const withAdapters = header.devices.some((device) => !device.startsWith("GPU") && rows.has(device));
    return withAdapters ? header.devices : gpusOf(header);
}

/** Every device that must have a row has one. */
function complete(header: TableHeader, rows: ReadonlyMap<string, TableRow>, line: number): void {
    const missing = needed(header, rows).find((device) => !rows.has(device));
    if (missing !== undefined) {
        throw new TopologyError({
            line,
            row: missing,
            column: "start of row",
            expected: `a row for each of ${needed(header, rows).join(" ")}`,
            found: `no row of ${missing}`,
        });
    }
}

/** GPU columns of the header. */
export function gpusOf(header: TableHeader): string[] {
    return header.devices.filter((device) => device.startsWith("GPU"));
}

/** The two cells of a pair agree. */
function symmetric(header: TableHeader, rows: ReadonlyMap<string, TableRow>, kind: CellKind): void {
    for (const row of rows.values()) {
        for (const [i, column] of header.devices.entries()) {
            const mirror = rows.get(column)?.links[header.devices.indexOf(row.device)];
            if (mirror !== undefined && !kind.agree(mirror, row.links[i]!)) {
                throw new TopologyError({
                    line: row.line,
                    row: row.device,
                    column,
                    expected: `the same as row ${column}, column ${row.device}: ${mirror}`,
                    found: row.links[i]!,
                });
            }
        }
    }
}
