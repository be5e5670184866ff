import { describe, expect, test } from "vitest";
import { topologySvg } from "../../../cli/topology/topology-svg.ts";
import {
    formatTopologyReport,
    parseNumactl,
    parseTopology,
    TopologyError,
    topologyReport,
} from "../../../knowledge/topology/index.ts";
import { fixture, readable } from "./fixture.ts";

describe("the report", () => {
    test("is a document of the table and of the environment", () => {
        const report = topologyReport(fixture("12"), { p2p: { r: fixture("12b") } });
        expect(JSON.parse(JSON.stringify(report))).toMatchObject({
            gpus: [
                { name: "GPU0", index: 0, numaNode: 0, cpuAffinity: "0-63" },
                { name: "GPU1", index: 1 },
            ],
            links: [{ a: "GPU0", b: "GPU1", type: "PHB" }],
            numa: { "0": [0, 1] },
            nics: [],
            env: [
                { name: "CUDA_DEVICE_ORDER", value: "PCI_BUS_ID" },
                { name: "NCCL_IB_DISABLE", value: "1" },
                { name: "NCCL_P2P_DISABLE", value: "1", reason: expect.stringContaining("GNS") },
            ],
        });
    });

    test("as text has the matrix, the environment with reasons, findings and notes", () => {
        const text = formatTopologyReport(topologyReport(fixture("43"), { environment: { NCCL_P2P_LEVEL: "node" } }));
        expect(text).toMatch(/^NIC0 {2}PHB {3}PHB {3}X .*mlx5_bond_0$/m);
        expect(text).toMatch(/^NCCL_IB_DISABLE=1 +All ranks are on one host/m);
        expect(text).toMatch(/^refuse nccl-p2p-level-unknown: /m);
        expect(formatTopologyReport(topologyReport(fixture("03")))).toMatch(/^note: The text has no CPU Affinity/m);
    });

    test("of a text that cannot be read whole is an error with row and column", () => {
        expect(() => topologyReport(fixture("48"))).toThrow(TopologyError);
        expect(() => topologyReport(fixture("01"), { numactl: "nothing" })).toThrow(TopologyError);
    });
});

describe("the picture", () => {
    test.each(readable)("of %s shows every device once, is named and described, and is always the same", (number) => {
        const topology = parseTopology(fixture(number));
        const svg = topologySvg(topology);
        expect(topologySvg(parseTopology(fixture(number)))).toBe(svg);
        expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="title desc"/);
        expect(svg).toMatch(/<title id="title">\d+ GPUs?[^<]* on \d+ NUMA nodes?<\/title>/);
        for (const { name } of [...topology.gpus, ...topology.nics]) {
            const titles = svg.match(new RegExp(`font-size="14" font-weight="600" fill="#[0-9a-f]+">${name}<`, "g"));
            expect([name, titles?.length]).toEqual([name, 1]);
        }
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        expect((svg.match(/<(?:svg|text|title|desc)\b/g) ?? []).length).toBe(
            (svg.match(/<\/(?:svg|text|title|desc)>/g) ?? []).length,
        );
    });

    test("groups GPUs by switch and NUMA node, and names CPUs and memory once they are known", () => {
        const svg = topologySvg(parseTopology(fixture("01")), parseNumactl(fixture("01b")));
        expect(svg.match(/PCIe switch \(PIX\)/g)).toHaveLength(4);
        expect(svg).toContain(">128 CPUs, 756 GiB<");
        expect(svg).toContain(">link between NUMA nodes (SYS)<");
        expect(svg).toContain("NUMA node 1 has GPU 4, 5, 6, 7.");
    });

    test("tells nodes apart by their CPUs when the text has no NUMA column", () => {
        expect(topologySvg(parseTopology(fixture("13"))).match(/>NUMA node not named</g)).toHaveLength(2);
        expect(topologySvg(parseTopology(fixture("34"))).match(/>NUMA node not named</g)).toHaveLength(2);
    });

    test("draws NVLink pairs and meshes", () => {
        expect(topologySvg(parseTopology(fixture("18"))).match(/>NVLink NV12</g)).toHaveLength(2);
        expect(topologySvg(parseTopology(fixture("07")))).toContain(">NV18 between all<");
        expect(topologySvg(parseTopology(fixture("34")))).toContain(">NVLink between some<");
    });

    test("names of devices cannot break it", () => {
        const topology = parseTopology(fixture("43"));
        const odd = { ...topology, nics: [{ name: "NIC0", device: '<b>&"', links: topology.nics[0]!.links }] };
        expect(topologySvg(odd)).toContain("&lt;b&gt;&amp;&quot;");
    });
});
