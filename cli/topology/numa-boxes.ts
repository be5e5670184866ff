import type { NumaNode } from "../../knowledge/topology/parse-numactl.ts";
import type { Topology } from "../../knowledge/topology/topology.ts";
import type { DeviceGroup, NodeGroup } from "../../knowledge/topology/topology-groups.ts";
import { type Box, colourOf, label, rect, textWidth } from "./shapes.ts";

/** A part of the picture whose place is not known yet. */
interface Block {
    readonly width: number;
    readonly height: number;
    /** Draws it with its upper left corner there, and notes where its devices are. `bottom` lowers a caption to a common height. */
    readonly draw: (x: number, y: number, places: Map<string, Box>, bottom?: number) => string[];
}

const PAD = 12;
const GAP = 12;
const CAPTION = 20;
const DEVICE = { width: 88, height: 44 };
const SHARED = { PIX: "PCIe switch (PIX)", PXB: "PCIe bridges (PXB)", PHB: "host bridge (PHB)" } as const;

/** The boxes of all NUMA nodes side by side, from a point to the right; with where every device is. */
export function drawNodes(
    topology: Topology,
    groups: readonly NodeGroup[],
    numactl: readonly NumaNode[] | undefined,
    x: number,
    y: number,
) {
    const places = new Map<string, Box>();
    const boxes: Box[] = [];
    const blocks = groups.map((group) => nodeBlock(topology, group, numactl));
    const height = Math.max(...blocks.map((block) => block.height));
    const parts: string[] = [];
    let left = x;
    for (const block of blocks) {
        boxes.push({ x: left, y, width: block.width, height });
        parts.push(
            rect({ x: left, y, width: block.width, height }, 'fill="#f4f6f8" stroke="#9aa5b1" stroke-width="1.5"', 10),
        );
        parts.push(...block.draw(left, y, places, height));
        left += block.width + 2 * GAP;
    }
    return { parts, places, boxes, right: left - 2 * GAP, bottom: y + height };
}

function nodeBlock(topology: Topology, group: NodeGroup, numactl: readonly NumaNode[] | undefined): Block {
    const known = numactl?.find((each) => each.node === group.node);
    const title = group.node === undefined ? "NUMA node not named" : `NUMA node ${group.node}`;
    const cpus = known ? `${known.cpus.length} CPUs` : "";
    const memory = known?.memoryMiB ? `${Math.round(known.memoryMiB / 1024)} GiB` : "";
    const detail = [cpus, memory].filter((text) => text !== "").join(", ");
    const inner = row(children(topology, group));
    const width = Math.max(inner.width, textWidth(title, 14), textWidth(detail, 12)) + 2 * PAD;
    const caption = detail === "" ? 26 : 42;
    const height = inner.height + 2 * PAD + caption;
    return {
        width,
        height,
        draw: (x, y, places, bottom = height) => {
            const foot = y + bottom - caption;
            const middle = x + width / 2;
            return [
                ...inner.draw(x + (width - inner.width) / 2, y + PAD, places),
                label(middle, foot + 10, title, 'font-size="14" font-weight="600" fill="#243b53"'),
                ...(detail === "" ? [] : [label(middle, foot + 27, detail, 'font-size="12" fill="#52606d"')]),
            ];
        },
    };
}

/** GPUs and smaller groups in the order of the table, then single adapters. */
function children(topology: Topology, group: NodeGroup | DeviceGroup): Block[] {
    const order = [...topology.gpus, ...topology.nics].map(({ name }) => name);
    const first = (each: NodeGroup | DeviceGroup): number =>
        Math.min(...each.devices.map((name) => order.indexOf(name)), ...each.groups.map(first));
    return [
        ...group.devices.map((name) => ({ at: order.indexOf(name), block: deviceBlock(topology, name) })),
        ...group.groups.map((each) => ({ at: first(each), block: groupBlock(topology, each) })),
    ]
        .sort((a, b) => a.at - b.at)
        .map(({ block }) => block);
}

function groupBlock(topology: Topology, group: DeviceGroup): Block {
    const caption = SHARED[group.shares];
    const colour = colourOf(group.shares);
    const inner = group.groups.length === 0 ? stack(topology, group.devices) : row(children(topology, group));
    const width = Math.max(inner.width, textWidth(caption, 11)) + 2 * PAD - 4;
    const height = inner.height + PAD + CAPTION;
    return {
        width,
        height,
        draw: (x, y, places) => [
            rect({ x, y, width, height }, `fill="#ffffff" stroke="${colour}" stroke-width="2"`),
            ...inner.draw(x + (width - inner.width) / 2, y + PAD - 2, places),
            label(x + width / 2, y + height - 6, caption, `font-size="11" fill="${colour}"`),
        ],
    };
}

/** GPUs in one line, adapters in a second one below. */
function stack(topology: Topology, devices: readonly string[]): Block {
    const gpus = devices.filter((name) => name.startsWith("GPU"));
    const nics = devices.filter((name) => !name.startsWith("GPU"));
    const lines = [gpus, nics]
        .filter((names) => names.length > 0)
        .map((names) => row(names.map((name) => deviceBlock(topology, name))));
    const width = Math.max(...lines.map((each) => each.width));
    return {
        width,
        height: lines.reduce((sum, each) => sum + each.height, 0) + GAP * (lines.length - 1),
        draw: (x, y, places) => {
            let top = y;
            return lines.flatMap((each) => {
                const parts = each.draw(x + (width - each.width) / 2, top, places);
                top += each.height + GAP;
                return parts;
            });
        },
    };
}

/** Blocks side by side, aligned at the top. */
function row(blocks: readonly Block[]): Block {
    return {
        width: blocks.reduce((sum, block) => sum + block.width, 0) + GAP * Math.max(0, blocks.length - 1),
        height: Math.max(0, ...blocks.map((block) => block.height)),
        draw: (x, y, places) => {
            let left = x;
            return blocks.flatMap((block) => {
                const parts = block.draw(left, y, places);
                left += block.width + GAP;
                return parts;
            });
        },
    };
}

function deviceBlock(topology: Topology, name: string): Block {
    const nic = topology.nics.find((each) => each.name === name);
    const device = nic?.device === name ? undefined : nic?.device;
    const width = Math.max(DEVICE.width, textWidth(name, 15) + 16, textWidth(device ?? "", 12) + 16);
    return {
        width,
        height: DEVICE.height,
        draw: (x, y, places) => {
            const box = { x, y, width, height: DEVICE.height };
            places.set(name, box);
            const [fill, ink] = nic ? ["#e4e7eb", "#243b53"] : ["#243b53", "#ffffff"];
            const middle = x + width / 2;
            return [
                rect(box, `fill="${fill}" stroke="#243b53" stroke-width="1"`),
                label(middle, y + (device ? 19 : 27), name, `font-size="14" font-weight="600" fill="${ink}"`),
                ...(device ? [label(middle, y + 35, device, `font-size="12" fill="${ink}"`)] : []),
            ];
        },
    };
}
