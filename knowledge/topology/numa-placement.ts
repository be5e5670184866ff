import { formatNumberList, parseNumberList } from "./cpu-list.ts";
import type { NumaNode } from "./parse-numactl.ts";
import type { Topology, TopologyGpu } from "./topology.ts";

/** Where the ranks of a service belong on a host with several NUMA nodes. */
export interface NumaPlacement {
    /** NUMA node per used GPU, in rank order, as SGLang's `--numa-node` takes it. Absent when nothing is to be pinned. */
    readonly numaNode?: readonly number[];
    /** CPUs of those nodes, by node, from `numactl -H`; never from `topo -m`, which cuts its lists on some hosts. */
    readonly cpus?: Readonly<Record<string, string>>;
    /** Why the ranks are placed so, or why they are not. */
    readonly reason: string;
}

/** Finds the NUMA node of every used GPU. Without `numactl` it takes the NUMA Affinity column at its word, and no CPUs. */
export function numaPlacement(
    topology: Topology,
    gpus: readonly number[],
    numactl?: readonly NumaNode[],
): NumaPlacement {
    const used = gpus.flatMap((index) => topology.gpus.filter((gpu) => gpu.index === index));
    const nodes = used.map((gpu) => nodeOf(gpu, numactl));
    const unknown = used.filter((_, i) => nodes[i] === undefined);
    if (used.length === 0 || unknown.length > 0) {
        return {
            reason: `The NUMA node of ${unknown.map((gpu) => gpu.name).join(", ") || "no GPU"} is not known, so nothing is pinned.`,
        };
    }
    const known = nodes as number[];
    const hostNodes = numactl
        ? numactl.filter((node) => node.cpus.length > 0).map((node) => node.node)
        : Object.keys(topology.numa).map(Number);
    const strange = numactl && known.find((node) => !hostNodes.includes(node));
    if (strange !== undefined) {
        return { reason: `topo -m names NUMA node ${strange}, which has no CPUs in numactl -H, so nothing is pinned.` };
    }
    if (hostNodes.length < 2) {
        return { reason: "The host has one NUMA node, so there is nothing to pin." };
    }
    const cpus = Object.fromEntries(
        (numactl ?? [])
            .filter((node) => known.includes(node.node))
            .map((node) => [node.node, formatNumberList(node.cpus)]),
    );
    return {
        numaNode: known,
        ...(numactl ? { cpus } : {}),
        reason: `Each rank runs on the NUMA node of its GPU (${used.map((gpu, i) => `${gpu.name} on ${known[i]}`).join(", ")}).`,
    };
}

/** NUMA node of the GPU: as printed, else the only node with CPUs of its lists. */
function nodeOf(gpu: TopologyGpu, numactl: readonly NumaNode[] | undefined): number | undefined {
    if (gpu.numaNode !== undefined) {
        return gpu.numaNode;
    }
    const cpus = new Set(parseNumberList(gpu.cpuAffinity ?? ""));
    const fitting = (numactl ?? []).filter(
        (node) =>
            node.cpus.length > 0 && (gpu.numaAffinity?.includes(node.node) || node.cpus.some((cpu) => cpus.has(cpu))),
    );
    return fitting.length === 1 ? fitting[0]!.node : undefined;
}
