/** Where a text stopped making sense, and what was expected there. */
export interface TopologyFault {
    /** Number of the line in the text as given, from 1. */
    readonly line: number;
    /** Row: a device (`GPU3`), `header`, `legend`, or `text` when no table was found. */
    readonly row: string;
    /** Column: a device (`GPU5`), or what the place is called (`CPU Affinity`, `end of row`). */
    readonly column: string;
    /** What would have been right here. */
    readonly expected: string;
    /** What stands there. */
    readonly found: string;
}

/** A `nvidia-smi topo` or `numactl -H` text that cannot be read whole. Nothing of such a text is used. */
export class TopologyError extends Error {
    readonly line: number;
    readonly row: string;
    readonly column: string;
    readonly expected: string;
    readonly found: string;

    constructor(fault: TopologyFault) {
        super(
            `row ${fault.row}, column ${fault.column} (line ${fault.line}): ` +
                `expected ${fault.expected}, found ${fault.found}`,
        );
        this.name = "TopologyError";
        this.line = fault.line;
        this.row = fault.row;
        this.column = fault.column;
        this.expected = fault.expected;
        this.found = fault.found;
    }
}

/** A found text in quotes, cut to one readable length, with control characters made visible. */
export function quoted(text: string): string {
    const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
    return JSON.stringify(shown);
}
