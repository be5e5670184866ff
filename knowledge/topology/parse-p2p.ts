import { gpusOf, readMatrix } from "./read-matrix.ts";
import { readHeader } from "./table-header.ts";
import type { CellKind } from "./table-rows.ts";
import { terminalLines } from "./terminal-text.ts";

/**
 * Whether one GPU reaches the memory of another, as the driver claims: `OK`, `CNS` (chipset not supported), `GNS` (GPU not
 * supported), `TNS` (topology not supported), `NS` (not supported), `DR` (disabled by registry key), `U` (unknown).
 */
export type P2pStatus = "OK" | "CNS" | "GNS" | "TNS" | "NS" | "DR" | "U";

/** One pair of GPUs in a `topo -p2p` text. */
export interface P2pPair {
    /** First device, such as `GPU0`. */
    readonly a: string;
    /** Second device. */
    readonly b: string;
    /** What the driver says of the pair. `OK` is no proof: local-inference-lab/rtx6kpro#15 hangs with it. */
    readonly status: P2pStatus;
}

const STATUS = /^(?:OK|CNS|GNS|TNS|NS|DR|U)$/;
const CELLS: CellKind = {
    matches: (cell) => STATUS.test(cell),
    expected: "one of OK, CNS, GNS, TNS, NS, DR, U",
    agree: (a, b) => a === b,
};

/**
 * Reads the text of `nvidia-smi topo -p2p r`, `w`, `rw`, `n`, `a` or `p`: all pairs of GPUs. As tolerant and as strict as
 * `parseTopology`; throws a TopologyError with row and column.
 */
export function parseP2p(text: string): P2pPair[] {
    const lines = terminalLines(text);
    const row = lines.findIndex(
        ({ words }) => /^GPU\d+$/.test(words[0] ?? "") && words.slice(1).some((cell) => STATUS.test(cell)),
    );
    const header = lines.findLastIndex((_, at) => at < row && readHeader(lines, at) !== undefined);
    const matrix = readMatrix(lines, CELLS, "nvidia-smi topo -p2p", Math.max(header, 0));
    const names = gpusOf(matrix.header);
    const cell = (a: string, b: string) => matrix.rows.get(a)!.links[matrix.header.devices.indexOf(b)] as P2pStatus;
    return names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ a, b, status: cell(a, b) })));
}
