import { parseNumberList } from "./cpu-list.ts";
import { type AffinityColumn, expandTabs, type TableHeader } from "./table-header.ts";

/** What stands behind the links of one row, by column. An empty or `N/A` cell is absent. */
export interface AffinityCells {
    readonly cells: Readonly<Partial<Record<AffinityColumn, string>>>;
    /** Words that belong to no column. */
    readonly trailing: readonly string[];
}

/** A place in the row that cannot be read. */
export interface AffinityFault {
    readonly column: AffinityColumn | "end of row";
    readonly expected: string;
    readonly found: string;
}

const EMPTY = /^(?:N\/A|-|)$/;

/**
 * Gives the words behind the links to the header's columns. Fewer words than columns are placed by their tabs, or by where
 * they stand under the header; when neither tells, that is a fault.
 */
export function readAffinity(header: TableHeader, raw: string, offset: number): AffinityCells | AffinityFault {
    const rest = raw.slice(offset).replace(/(\d),\s+(?=\d)/g, "$1,");
    const words = rest.split(/\s+/).filter((word) => word !== "");
    const columns = header.affinity;
    if (columns.length === 0) {
        return { cells: {}, trailing: words };
    }
    if (words.length === 0) {
        return { cells: {}, trailing: [] };
    }
    if (words.length >= columns.length) {
        return check(columns, words.slice(0, columns.length), words.slice(columns.length));
    }
    const placed = rest.includes("\t") ? byTabs(columns, rest) : byPosition(header, raw, offset);
    return placed
        ? check(columns, placed, [])
        : {
              column: columns[words.length]!,
              expected: `${columns.length} cells behind the links (${columns.join(", ")})`,
              found: `${words.length}: ${words.join(" ")}`,
          };
}

/** Cells between the tabs; the tool prints two tabs before GPU NUMA ID. */
function byTabs(columns: readonly AffinityColumn[], rest: string): string[] | undefined {
    const cells = rest
        .replace(/^ *\t/, "")
        .split("\t")
        .map((cell) => cell.trim());
    const last = cells.findLastIndex((cell) => cell !== "");
    if (last < columns.length) {
        return cells.slice(0, columns.length);
    }
    return columns.length === 3 && last === 3 && cells[2] === "" ? [cells[0]!, cells[1]!, cells[3]!] : undefined;
}

/** Words by the column under whose name they start. */
function byPosition(header: TableHeader, raw: string, offset: number): string[] | undefined {
    const flat = expandTabs(raw);
    const cells = header.affinity.map(() => "");
    for (const match of flat.slice(offset).matchAll(/\S+/g)) {
        const column = header.starts.findIndex((start) => Math.abs(start - (offset + match.index)) <= 3);
        if (column < 0 || cells[column] !== "") {
            return allSame(header.affinity, flat.slice(offset));
        }
        cells[column] = match[0];
    }
    return cells;
}

/** A CPU list and nothing but `N/A` behind it means the same in whatever column the `N/A` stands. */
function allSame(columns: readonly AffinityColumn[], rest: string): string[] | undefined {
    const [first, ...others] = rest.trim().split(/\s+/);
    return columns[0] === "CPU Affinity" && others.every((word) => EMPTY.test(word))
        ? columns.map((_, i) => (i === 0 ? first! : ""))
        : undefined;
}

/** Each cell against what its column holds. */
function check(columns: readonly AffinityColumn[], words: readonly string[], trailing: readonly string[]) {
    const cells: Partial<Record<AffinityColumn, string>> = {};
    for (const [i, column] of columns.entries()) {
        const word = words[i] ?? "";
        if (EMPTY.test(word)) {
            continue;
        }
        const list = parseNumberList(word);
        if (!list || (column === "GPU NUMA ID" && list.length !== 1) || list.at(-1)! >= 8192) {
            const expected =
                column === "GPU NUMA ID" ? "a NUMA node or N/A" : "an ascending list such as 0-63,128-191, or N/A";
            return { column, expected, found: JSON.stringify(word) };
        }
        cells[column] = word;
    }
    return { cells, trailing };
}
