/** The ring that NCCL may miss over two sockets: each GPU once, two crossings, and no file where it would do harm. */
import { describe, expect, it } from "vitest";
import { ncclGraph, parseTopology, type Topology } from "../../../knowledge/topology/index.ts";
import { fixture } from "../service/service-spec.ts";

const topologyOf = (name: string) => parseTopology(fixture(`topology/${name}.txt`));
const written = (topology: Topology) => {
    const graph = ncclGraph(topology);
    if ("refused" in graph) {
        throw new Error(graph.refused);
    }
    return graph;
};

/** How often a ring goes from one NUMA node to another, its closing step included. */
function crossings(topology: Topology, order: readonly number[]): number {
    const nodes = order.map((index) => topology.gpus.find((gpu) => gpu.index === index)!.numaNode);
    return nodes.filter((node, at) => node !== nodes[(at + 1) % nodes.length]).length;
}

describe.each(["01-8x-rtxpro6000-asus-esc8000a-ansi", "10-8x-rtx4090-pix-sys-1nic"])("%s", (name) => {
    const topology = topologyOf(name);
    const { xml, order } = written(topology);

    it("has every GPU once, those behind one bridge beside each other, and crosses twice", () => {
        expect([...order].sort((a, b) => a - b)).toEqual(topology.gpus.map(({ index }) => index));
        expect(crossings(topology, order)).toBe(2);
        const close = topology.links.filter(({ type }) => type === "PIX");
        for (const { a, b } of close) {
            const [left, right] = [a, b].map((gpu) => order.indexOf(Number(gpu.slice(3))));
            expect(Math.abs(left! - right!), `${a} ${b}`).toBeLessThan(4);
        }
    });

    it("lists the order twice for the ring and twice for the tree, and no channel of the others", () => {
        const devices = order.map((gpu) => `<gpu dev="${gpu.toString(16)}"/>`).join("");
        expect(xml.split(`<channel>${devices}</channel>`)).toHaveLength(5);
        expect(xml).toMatch(/<graph id="0" pattern="4" .*nchannels="2"/);
        expect(xml).toMatch(/<graph id="1" pattern="1" .*nchannels="2"/);
        expect([...xml.matchAll(/nchannels="0"/g)]).toHaveLength(3);
    });
});

it("puts neighbours of an interleaved host beside each other", () => {
    const interleaved = topologyOf("01-8x-rtxpro6000-asus-esc8000a-ansi");
    const swapped = (name: string) => (name === "GPU1" ? "GPU7" : name === "GPU7" ? "GPU1" : name);
    const number = (name: string) => Number(swapped(name).slice(3));
    const topology: Topology = {
        ...interleaved,
        gpus: interleaved.gpus.map((gpu) => ({ ...gpu, name: swapped(gpu.name), index: number(gpu.name) })),
        links: interleaved.links.map(({ a, b, type }) => ({ a: swapped(a), b: swapped(b), type })),
    };
    const { order } = written(topology);
    expect(crossings(topology, order)).toBe(2);
    expect(Math.abs(order.indexOf(0) - order.indexOf(7))).toBe(1);
});

it("names more than nine GPUs in hexadecimal, as NCCL reads them", () => {
    const eight = topologyOf("01-8x-rtxpro6000-asus-esc8000a-ansi");
    const far = (index: number) => (index < 4 ? index : index + 8);
    const shifted = (name: string) => `GPU${far(Number(name.slice(3)))}`;
    const topology: Topology = {
        ...eight,
        gpus: eight.gpus.map((gpu) => ({ ...gpu, name: shifted(gpu.name), index: far(gpu.index) })),
        links: eight.links.map(({ a, b, type }) => ({ a: shifted(a), b: shifted(b), type })),
    };
    expect(written(topology).xml).toContain('<gpu dev="c"/><gpu dev="d"/><gpu dev="e"/><gpu dev="f"/>');
});

it.each([
    ["03-8x-rtxpro6000-wrx90-2switch-pix-node", /no path crosses from one NUMA node/],
    ["14-4x-pxb-pix-sys-two-numa", /4 GPUs: a bad choice was seen of groups of 5/],
    ["07-8x-b300-nv18-9nic-ansi", /NVLink/],
])("is refused with the reason for %s", (name, reason) => {
    const graph = ncclGraph(topologyOf(name));
    expect("refused" in graph && graph.refused).toMatch(reason);
});
