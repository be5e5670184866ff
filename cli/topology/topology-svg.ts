import type { NumaNode } from "../../knowledge/topology/parse-numactl.ts";
import { isNvlink, type LinkType, type Topology } from "../../knowledge/topology/topology.ts";
import { components, linkOf, nodeGroups } from "../../knowledge/topology/topology-groups.ts";
import { drawLegend, drawMatrix } from "./link-matrix.ts";
import { drawNodes } from "./numa-boxes.ts";
import { type Box, colourOf, label, line, pill, rect, textWidth, xml } from "./shapes.ts";

const MARGIN = 24;
const LANE = 34;

/**
 * A picture of the topology as SVG: NUMA nodes with what PCIe their devices share, NVLink above, the link between NUMA nodes
 * below, then all links as a coloured matrix with a legend. The same input gives the same text.
 */
export function topologySvg(topology: Topology, numactl?: readonly NumaNode[]): string {
    const groups = nodeGroups(topology);
    const heading = headingOf(topology, groups.length);
    const bars = lanes(nvlinkBars(topology), drawNodes(topology, groups, numactl, MARGIN, 0).places);
    const depth = Math.max(0, ...bars.map((bar) => bar.lane + 1));
    const nodes = drawNodes(topology, groups, numactl, MARGIN, MARGIN + 34 + depth * LANE);
    const bus = groups.length > 1 ? drawBus(nodes.boxes, nodes.bottom) : { parts: [], bottom: nodes.bottom };
    const matrix = drawMatrix(topology, MARGIN, bus.bottom + 36);
    const beside = matrix.right + 32 + 310 <= Math.max(nodes.right, 900);
    const legend = beside
        ? drawLegend(matrix.right + 32, bus.bottom + 36 + 26)
        : drawLegend(MARGIN, matrix.bottom + 24);
    const width = Math.max(nodes.right, matrix.right, legend.right, MARGIN + textWidth(heading, 18)) + MARGIN;
    const height = Math.max(matrix.bottom, legend.bottom) + MARGIN;
    const nvlink = bars.flatMap((bar) => drawBar(bar, MARGIN + 32 + (depth - bar.lane) * LANE - 14, nodes.places));
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif">`,
        `<title id="title">${xml(heading)}</title>`,
        `<desc id="desc">${xml(description(topology))}</desc>`,
        rect({ x: 0, y: 0, width, height }, 'fill="#ffffff"', 0),
        label(MARGIN, MARGIN + 14, heading, 'font-size="18" font-weight="600" fill="#102a43"', "start"),
        ...nodes.parts,
        ...nvlink,
        ...bus.parts,
        ...matrix.parts,
        ...legend.parts,
        "</svg>",
        "",
    ].join("\n");
}

function headingOf(topology: Topology, nodes: number): string {
    const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
    const nics = topology.nics.length === 0 ? "" : `, ${count(topology.nics.length, "network adapter")}`;
    return `${count(topology.gpus.length, "GPU")}${nics} on ${count(nodes, "NUMA node")}`;
}

/** What the picture shows, in words. */
function description(topology: Topology): string {
    const counts = new Map<LinkType, string[]>();
    for (const { a, b, type } of topology.links) {
        counts.set(type, [...(counts.get(type) ?? []), `${a}-${b}`]);
    }
    const links = [...counts].map(([type, pairs]) => `${type} between ${pairs.join(", ")}`);
    const nodes = Object.entries(topology.numa).map(([node, gpus]) => `NUMA node ${node} has GPU ${gpus.join(", ")}`);
    return [...nodes, ...links].map((sentence) => `${sentence}.`).join(" ");
}

/** GPUs that NVLink connects. */
interface Bar {
    readonly gpus: readonly string[];
    readonly text: string;
}

function nvlinkBars(topology: Topology): Bar[] {
    const names = topology.gpus.map((gpu) => gpu.name);
    const joined = (a: string, b: string) => isNvlink(linkOf(topology, a, b) ?? "SYS");
    return components(names, joined)
        .filter((gpus) => gpus.length > 1)
        .map((gpus) => {
            const types = new Set(gpus.flatMap((a, i) => gpus.slice(i + 1).map((b) => linkOf(topology, a, b)!)));
            const [type] = types;
            const alike = gpus.length > 2 ? `${type} between all` : `NVLink ${type}`;
            return { gpus, text: types.size === 1 ? alike : "NVLink between some" };
        });
}

/** From the leftmost to the rightmost GPU of the bar. */
function span(bar: Bar, places: ReadonlyMap<string, Box>): [number, number] {
    const middles = bar.gpus.map((name) => places.get(name)!).map((box) => box.x + box.width / 2);
    return [Math.min(...middles), Math.max(...middles)];
}

/** Gives each bar the lowest lane, from 0, in which it meets no other. */
function lanes(bars: readonly Bar[], places: ReadonlyMap<string, Box>): (Bar & { lane: number })[] {
    const placed: (Bar & { lane: number })[] = [];
    for (const bar of bars) {
        const [left, right] = span(bar, places);
        let lane = 0;
        while (
            placed.some(
                (other) => other.lane === lane && span(other, places)[0] <= right && span(other, places)[1] >= left,
            )
        ) {
            lane++;
        }
        placed.push({ ...bar, lane });
    }
    return placed;
}

/** A line above the nodes with a stub down to each of its GPUs. */
function drawBar(bar: Bar, y: number, places: ReadonlyMap<string, Box>): string[] {
    const [left, right] = span(bar, places);
    const colour = colourOf("NV1");
    const stubs = bar.gpus.map((name) => places.get(name)!);
    return [
        line(left, y, right, y, colour, 4),
        ...stubs.map((box) => line(box.x + box.width / 2, y, box.x + box.width / 2, box.y, colour, 4)),
        ...pill((left + right) / 2, y, bar.text, colour),
    ];
}

/** A line below the nodes that joins them: what SYS goes over. */
function drawBus(boxes: readonly Box[], bottom: number): { parts: string[]; bottom: number } {
    const y = bottom + 30;
    const stubs = boxes.map((box) => box.x + box.width / 2);
    const colour = colourOf("SYS");
    return {
        parts: [
            line(stubs[0]!, y, stubs.at(-1)!, y, colour, 4),
            ...stubs.map((x) => line(x, bottom, x, y, colour, 4)),
            ...pill((stubs[0]! + stubs.at(-1)!) / 2, y, "link between NUMA nodes (SYS)", colour),
        ],
        bottom: y + 12,
    };
}
