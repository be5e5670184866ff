/**
 * What a host's `nvidia-smi topo -m` says: which devices there are, how each pair is connected, and where they sit.
 *
 * A link is written as the tool prints it. From near to far: `NV#` (a bonded set of # NVLinks), `PIX` (at most one PCIe bridge),
 * `PXB` (several bridges, no host bridge), `PHB` (one host bridge), `NODE` (host bridges inside one NUMA node), `SYS` (the link
 * between NUMA nodes). `SOC`, of drivers before 2016, is read as `SYS`.
 */

/** How two devices are connected: `NV18`, `PIX`, `PXB`, `PHB`, `NODE` or `SYS`. */
export type LinkType = `NV${number}` | "PIX" | "PXB" | "PHB" | "NODE" | "SYS";

/** One pair of GPUs and its link. `a` stands before `b` in the table. */
export interface Link {
    /** First device, such as `GPU0`. */
    readonly a: string;
    /** Second device. */
    readonly b: string;
    /** The link between them. */
    readonly type: LinkType;
}

/** One GPU of the table. */
export interface TopologyGpu {
    /** Name in the table, such as `GPU0`. */
    readonly name: string;
    /** Number in that name: the index in PCI bus order. */
    readonly index: number;
    /** NUMA node of the CPUs beside it; absent when the text does not say, or names several. */
    readonly numaNode?: number;
    /** All of the NUMA Affinity cell, which on Grace hosts also names the nodes of GPU memory. */
    readonly numaAffinity?: readonly number[];
    /** The CPU Affinity cell, as ranges. The tool cuts it short on some hosts, so nothing may be pinned by it. */
    readonly cpuAffinity?: string;
    /** NUMA node of the GPU's own memory (Grace hosts only). */
    readonly gpuNumaNode?: number;
}

/** One network adapter of the table. */
export interface TopologyNic {
    /** Name in the table: `NIC0`, or the device name itself with drivers before 520. */
    readonly name: string;
    /** Device name, such as `mlx5_0`: from the NIC legend, or the name in the table. Absent when the legend is. */
    readonly device?: string;
    /** Link to every GPU, and to every other adapter when the table has rows for them, by name. */
    readonly links: Readonly<Record<string, LinkType>>;
}

/** A whole table. */
export interface Topology {
    /** GPUs in the order of the table. */
    readonly gpus: readonly TopologyGpu[];
    /** All pairs of GPUs. */
    readonly links: readonly Link[];
    /** Network adapters in the order of the table. */
    readonly nics: readonly TopologyNic[];
    /** GPU indices by NUMA node. GPUs whose node is unknown are in none. */
    readonly numa: Readonly<Record<string, readonly number[]>>;
    /** What the text leaves open or what in it must not be trusted, one sentence each. */
    readonly notes: readonly string[];
}

/** The link that a cell names; `undefined` when it names none. */
export function linkType(cell: string): LinkType | undefined {
    if (cell === "SOC") {
        return "SYS";
    }
    return /^(?:NV[1-9]\d?|PIX|PXB|PHB|NODE|SYS)$/.test(cell) ? (cell as LinkType) : undefined;
}

/** Whether the link is NVLink. */
export function isNvlink(type: LinkType): boolean {
    return type.startsWith("NV");
}

const FAR: readonly LinkType[] = ["PIX", "PXB", "PHB", "NODE", "SYS"];

/** Distance of a link: 0 for NVLink, then 1 for `PIX` up to 5 for `SYS`. */
export function linkDistance(type: LinkType): number {
    return FAR.indexOf(type) + 1;
}

/** Links between those GPUs, by index. */
export function linksAmong(topology: Topology, indices: readonly number[]): Link[] {
    const names = new Set(indices.map((index) => `GPU${index}`));
    return topology.links.filter((link) => names.has(link.a) && names.has(link.b));
}
