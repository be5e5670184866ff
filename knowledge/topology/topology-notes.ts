import { parseNumberList } from "./cpu-list.ts";
import type { Matrix } from "./read-matrix.ts";
import type { Legend } from "./table-legend.ts";
import type { TopologyGpu } from "./topology.ts";

/** What the table leaves open, one sentence each. */
export function tableNotes(matrix: Matrix, legend: Legend): string[] {
    const { header, rows } = matrix;
    const notes: string[] = [];
    const missing = (["CPU Affinity", "NUMA Affinity"] as const).filter((column) => !header.affinity.includes(column));
    if (missing.length > 0) {
        notes.push(`The text has no ${missing.join(" and no ")} column.`);
    }
    const trailing = [...rows.values()].filter((row) => row.trailing.length > 0);
    if (trailing.some((row) => /^NUMA/i.test(row.trailing.join(" ")))) {
        notes.push("NUMA nodes are from words behind the rows, which the tool does not print: somebody wrote them.");
    } else if (trailing.length > 0) {
        const first = trailing[0]!;
        notes.push(`Words behind row ${first.device} were not read: ${first.trailing.join(" ").slice(0, 60)}.`);
    }
    const nics = header.devices.filter((name) => !name.startsWith("GPU"));
    if (nics.length > 0 && !rows.has(nics[0]!)) {
        notes.push("The text has no rows of network adapters: how they are connected to each other is not known.");
    }
    const unnamed = nics.filter((name) => /^NIC\d+$/.test(name) && !legend.nics.has(name));
    if (unnamed.length > 0) {
        notes.push(`The text has no device name for ${unnamed.join(" ")}.`);
    }
    if (nics.length === 0 && legend.nics.size > 0) {
        notes.push("The text names network adapters below the table, but the table has no columns for them.");
    }
    if ([...rows.values()].some((row) => row.links.includes("SOC"))) {
        notes.push("SOC, the word of an old driver, is read as SYS.");
    }
    return notes;
}

/** Why the CPU Affinity column must not be used for pinning, when the text itself shows it. */
export function affinityNotes(gpus: readonly TopologyGpu[]): string[] {
    const lists = [...new Set(gpus.map((gpu) => gpu.cpuAffinity).filter((list) => list !== undefined))];
    const counts = lists.map((list) => parseNumberList(list)!.length);
    const open = gpus.filter((gpu) => (gpu.numaAffinity?.length ?? 0) > 1 && gpu.numaNode === undefined);
    const notes: string[] = [];
    if (new Set(counts).size > 1) {
        notes.push(
            `CPU Affinity lists differ in length (${counts.map((n, i) => `${lists[i]} is ${n} CPUs`).join(", ")}): ` +
                "the column may be cut, so take CPUs from `numactl -H`.",
        );
    } else if (lists.some((list) => /^\d+(?:,\d+){4,}$/.test(list))) {
        notes.push("CPU Affinity lists single CPUs and may be cut after a few of them: take CPUs from `numactl -H`.");
    }
    if (open.length > 0) {
        const list = open.map((gpu) => `${gpu.name} (${gpu.numaAffinity!.join(",")})`).join(", ");
        notes.push(`NUMA Affinity names several nodes for ${list}: \`numactl -H\` tells which of them have CPUs.`);
    }
    return notes;
}
