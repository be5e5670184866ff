import type { Line } from "./terminal-text.ts";
import { TopologyError } from "./topology-error.ts";

/** What stands below the table. */
export interface Legend {
    /** Link codes that it explains. Empty when there is no legend. */
    readonly codes: ReadonlySet<string>;
    /** Device names by column name, from the NIC legend. */
    readonly nics: ReadonlyMap<string, string>;
    /** Line of the last code. */
    readonly line: number;
}

/** Reads the legend and the NIC legend that follow a table. Throws a TopologyError when an adapter is named twice. */
export function readLegend(lines: readonly Line[]): Legend {
    const codes = new Set<string>();
    const nics = new Map<string, string>();
    let last = lines[0]?.number ?? 1;
    for (const line of lines) {
        const code = /^\s*(X|SYS|SOC|NODE|PHB|PXB|PIX|NV#)\s*=/.exec(line.text)?.[1];
        if (code !== undefined) {
            codes.add(code);
            last = line.number;
        }
        const nic = /^\s*(NIC\d+)\s*:\s*(\S+)\s*$/.exec(line.text);
        if (nic) {
            if (nics.has(nic[1]!) && nics.get(nic[1]!) !== nic[2]) {
                throw new TopologyError({
                    line: line.number,
                    row: "NIC legend",
                    column: nic[1]!,
                    expected: `one device, ${nics.get(nic[1]!)}`,
                    found: nic[2]!,
                });
            }
            nics.set(nic[1]!, nic[2]!);
        }
    }
    return { codes, nics, line: last };
}
