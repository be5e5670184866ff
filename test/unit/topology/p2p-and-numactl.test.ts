import { describe, expect, test } from "vitest";
import { parseNumactl, parseP2p, parseTopology, TopologyError } from "../../../knowledge/topology/index.ts";
import { fixture } from "./fixture.ts";

describe("a topo -p2p text", () => {
    test("gives the status of every pair", () => {
        expect(parseP2p(fixture("12b"))).toEqual([{ a: "GPU0", b: "GPU1", status: "GNS" }]);
        expect(parseP2p(fixture("20b"))).toEqual([{ a: "GPU0", b: "GPU1", status: "OK" }]);
    });

    test("is found behind a topo -m text, and does not disturb it", () => {
        const both = fixture("12") + fixture("12b");
        expect(parseP2p(both)).toEqual([{ a: "GPU0", b: "GPU1", status: "GNS" }]);
        expect(parseTopology(both).links).toEqual([{ a: "GPU0", b: "GPU1", type: "PHB" }]);
    });

    test.each<[string, string, Partial<TopologyError>]>([
        ["an unknown status", fixture("12b").replaceAll("GNS", "GNX"), { row: "GPU0", column: "GPU1", line: 2 }],
        ["two directions that disagree", fixture("12b").replace("GNS", "OK"), { row: "GPU0", column: "GPU1", line: 2 }],
        ["a missing row", fixture("12b").replace(/^ GPU1.*\n/m, ""), { row: "GPU1", column: "start of row" }],
        ["a topo -m text", fixture("12"), { row: "GPU0", column: "GPU1", line: 2 }],
    ])("with %s is refused in place", (_, text, place) => {
        expect(() => parseP2p(text)).toThrow(expect.objectContaining(place));
    });
});

describe("a numactl -H text", () => {
    test("gives the CPUs, memory and distances of every node", () => {
        const [zero, one] = parseNumactl(fixture("01b"));
        expect(zero).toMatchObject({ node: 0, memoryMiB: 773676, distances: { "0": 10, "1": 32 } });
        expect([zero!.cpus.length, one!.cpus.length]).toEqual([128, 127]);
        expect(one!.cpus).not.toContain(239);
        expect(one!.cpus.at(-1)).toBe(255);
    });

    test("with a node without CPUs and gaps between nodes is read", () => {
        const text =
            "available: 3 nodes (0,2-3)\nnode 0 cpus: 0 1\nnode 0 size: 100 MB\nnode 2 cpus:\nnode 3 cpus: 2 3\n";
        expect(parseNumactl(text)).toEqual([
            { node: 0, cpus: [0, 1], memoryMiB: 100 },
            { node: 2, cpus: [] },
            { node: 3, cpus: [2, 3] },
        ]);
    });

    test("broken by a narrow terminal says the same", () => {
        const wrapped = fixture("01b").replace(/.{80}/g, "$&\n");
        expect(parseNumactl(wrapped)).toEqual(parseNumactl(fixture("01b")));
    });

    test.each<[string, string, Partial<TopologyError>]>([
        ["a missing node", fixture("01b").replace(/^node 1 cpus.*\n/m, ""), { row: "node 1", column: "cpus" }],
        [
            "a CPU on two nodes",
            fixture("01b").replace("cpus: 64", "cpus: 63 64"),
            { row: "node 1", column: "cpu 63", line: 5 },
        ],
        ["a word among CPUs", fixture("01b").replace(" 70 ", " x70 "), { row: "node 1", column: "cpus", line: 5 }],
        [
            "a short row of distances",
            fixture("01b").replace("1:  32  10", "1:  32"),
            { row: "node 1", column: "distances", line: 11 },
        ],
        [
            "another number of nodes",
            fixture("01b").replace("2 nodes", "3 nodes"),
            { row: "available", column: "nodes", line: 1 },
        ],
        ["nothing of numactl in it", fixture("12"), { row: "available", column: "nodes" }],
    ])("with %s is refused in place", (_, text, place) => {
        expect(() => parseNumactl(text)).toThrow(TopologyError);
        expect(() => parseNumactl(text)).toThrow(expect.objectContaining(place));
    });
});
