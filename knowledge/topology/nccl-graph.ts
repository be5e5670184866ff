import { isNvlink, type Topology } from "./topology.ts";
import { type DeviceGroup, nodeGroups } from "./topology-groups.ts";

/** A graph file for NCCL (`NCCL_GRAPH_FILE`), or why there is none for these GPUs. */
export type NcclGraph = { readonly xml: string; readonly order: readonly number[] } | { readonly refused: string };

/** Fewest GPUs of a group for which NCCL was seen to choose a bad ring. */
const FEWEST = 5;

/** Channels that are listed; NCCL uses twice as many. */
const CHANNELS = 2;

/** GB/s that NCCL may count on between neighbours: the step of its own list that was measured with such a file. */
const SPEED = 24;

const SOURCE =
    "voipmonitor/blackwell-llm-docker configs/nccl_graph_opt.xml; read by NVIDIA/nccl 2.30.7 graph/search.cc";

/**
 * The ring that NCCL up to 2.30.7 may miss over two AMD sockets, whose link it takes for slower than it is: all GPUs of the host, in
 * an order that crosses from one NUMA node to the other twice. NCCL applies such a file to every group of a process, so that one with fewer
 * GPUs fails to start: it is for tensor parallelism over all of them, and nothing else.
 */
export function ncclGraph(topology: Topology): NcclGraph {
    const { gpus, links } = topology;
    if (links.some(({ type }) => isNvlink(type))) {
        return { refused: "some GPUs are connected by NVLink, for which NCCL's own choice is right" };
    }
    if (gpus.length < FEWEST) {
        return { refused: `${gpus.length} GPUs: a bad choice was seen of groups of ${FEWEST} and more only` };
    }
    if (!links.some(({ type }) => type === "SYS")) {
        return { refused: "no path crosses from one NUMA node to another (SYS), so that NCCL's own choice is right" };
    }
    const nodes = nodeGroups(topology)
        .map(gpusOf)
        .filter((node) => node.length > 0)
        .toSorted((a, b) => a[0]! - b[0]!);
    if (nodes.length !== 2) {
        return { refused: `the GPUs are on ${nodes.length} NUMA nodes; the file is known to help on two` };
    }
    const order = nodes.flat();
    return { xml: graphFile(order), order };
}

/** GPU numbers of a group, those behind one bridge beside each other. */
function gpusOf({ devices, groups }: Pick<DeviceGroup, "devices" | "groups">): number[] {
    const own = devices.flatMap((name) => (/^GPU\d+$/.test(name) ? [[Number(name.slice(3))]] : []));
    const inner = groups.map(gpusOf).filter((group) => group.length > 0);
    return [...own, ...inner].toSorted((a, b) => Math.min(...a) - Math.min(...b)).flat();
}

/** Ring (pattern 4) and tree (pattern 1) along the order; the other three kinds have no channel. Device numbers are hexadecimal. */
function graphFile(order: readonly number[]): string {
    const channel = `    <channel>${order.map((gpu) => `<gpu dev="${gpu.toString(16)}"/>`).join("")}</channel>`;
    const used = `crossnic="0" nchannels="${CHANNELS}" speedintra="${SPEED}" speedinter="${SPEED}" latencyinter="0" typeintra="PHB" typeinter="PIX" samechannels="1"`;
    const unused = `crossnic="0" nchannels="0" speedintra="0" speedinter="0" latencyinter="0" typeintra="LOC" typeinter="LOC" samechannels="1"`;
    const along = (id: number, pattern: number) => [
        `  <graph id="${id}" pattern="${pattern}" ${used}>`,
        ...Array.from({ length: CHANNELS }, () => channel),
        "  </graph>",
    ];
    const none = (id: number, pattern: number) => `  <graph id="${id}" pattern="${pattern}" ${unused}/>`;
    const lines = [
        `<!-- ${SOURCE} -->`,
        '<graphs version="1">',
        ...along(0, 4),
        ...along(1, 1),
        none(4, 6),
        none(2, 3),
        none(3, 5),
        "</graphs>",
    ];
    return `${lines.join("\n")}\n`;
}
