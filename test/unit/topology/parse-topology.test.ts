import { describe, expect, test } from "vitest";
import { parseTopology, type Topology } from "../../../knowledge/topology/index.ts";
import { fixture, readable } from "./fixture.ts";

/** Upper half of the matrix of GPUs, one string per row, and what else the text must yield. */
interface Expected {
    links: string[];
    numa: Topology["numa"];
    nics?: string[];
}

const repeat = (word: string, times: number) => Array(times).fill(word).join(" ");
const full = (word: string, gpus: number) => Array.from({ length: gpus - 1 }, (_, i) => repeat(word, gpus - 1 - i));
const ASUS = [
    "PIX NODE NODE SYS SYS SYS SYS",
    "NODE NODE SYS SYS SYS SYS",
    "PIX SYS SYS SYS SYS",
    "SYS SYS SYS SYS",
    "PIX NODE NODE",
    "NODE NODE",
    "PIX",
];
const HALVES = { "0": [0, 1, 2, 3], "1": [4, 5, 6, 7] };

const cases: Record<string, Expected> = {
    "01": { links: ASUS, numa: HALVES },
    "02": { links: ["PHB"], numa: { "0": [0, 1] } },
    "03": {
        links: [
            "PIX PIX PIX NODE NODE NODE NODE",
            "PIX PIX NODE NODE NODE NODE",
            "PIX NODE NODE NODE NODE",
            "NODE NODE NODE NODE",
            "PIX PIX PIX",
            "PIX PIX",
            "PIX",
        ],
        numa: {},
    },
    "04": {
        links: [
            "PIX PXB PXB NODE NODE NODE NODE",
            "PXB PXB NODE NODE NODE NODE",
            "PIX NODE NODE NODE NODE",
            "NODE NODE NODE NODE",
            "PIX PXB PXB",
            "PXB PXB",
            "PIX",
        ],
        numa: {},
    },
    "05": { links: ASUS, numa: HALVES },
    "06": { links: full("NODE", 4), numa: {} },
    "07": {
        links: full("NV18", 8),
        numa: HALVES,
        nics: ["mlx5_10", "mlx5_11", "mlx5_12", "mlx5_13", "mlx5_14", "mlx5_15", "mlx5_16", "mlx5_17", "mlx5_bond_0"],
    },
    "10": {
        links: [
            "PIX PIX PIX SYS SYS SYS SYS",
            "PIX PIX SYS SYS SYS SYS",
            "PIX SYS SYS SYS SYS",
            "SYS SYS SYS SYS",
            "PIX PIX PIX",
            "PIX PIX",
            "PIX",
        ],
        numa: HALVES,
        nics: ["mlx5_bond_0"],
    },
    "12": { links: ["PHB"], numa: { "0": [0, 1] } },
    "13": { links: ["SYS SYS SYS", "NODE NODE", "NODE"], numa: {} },
    "14": { links: ["PXB SYS SYS", "SYS SYS", "PIX"], numa: { "0": [0, 1], "1": [2, 3] } },
    "17": { links: [], numa: { "0": [0] }, nics: ["NIC0", "NIC1", "NIC2", "NIC3"] },
    "18": { links: ["NV12 SYS SYS", "SYS SYS", "NV12"], numa: { "0": [0], "1": [1], "2": [2], "3": [3] } },
    "20": { links: ["NV18"], numa: { "0": [0, 1] } },
    "30": { links: ["NV12"], numa: { "0": [0, 1] } },
    "31": { links: full("NV18", 8), numa: HALVES, nics: Array.from({ length: 12 }, (_, i) => `mlx5_${i}`) },
    "32": { links: [], numa: { "0": [0] } },
    "33": {
        links: ["NODE SYS SYS", "SYS SYS", "NODE"],
        numa: { "0": [0, 1], "1": [2, 3] },
        nics: ["mlx5_0", "mlx5_bond_0"],
    },
    "34": {
        links: [
            "NV1 NV1 NV2 NV2 SYS SYS SYS",
            "NV2 NV1 SYS NV2 SYS SYS",
            "NV2 SYS SYS NV1 SYS",
            "SYS SYS SYS NV1",
            "NV1 NV1 NV2",
            "NV2 NV1",
            "NV2",
        ],
        numa: {},
        nics: ["mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"],
    },
    "35": { links: [], numa: {} },
    "36": { links: full("NV18", 4), numa: { "0": [0, 1], "1": [2, 3] } },
    "37": { links: ["PIX SYS SYS", "SYS SYS", "PIX"], numa: {} },
    "38": { links: full("NV6", 16), numa: {}, nics: ["mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"] },
    "39": { links: ASUS, numa: HALVES },
    "40": { links: ["NODE"], numa: { "0": [0, 1] } },
    "41": { links: ["PXB SYS SYS", "SYS SYS", "PXB"], numa: { "1": [1], "3": [0], "5": [3], "7": [2] } },
    "42": { links: [repeat("SYS", 4), "PHB NODE NODE", "NODE NODE", "PHB"], numa: { "0": [1, 2, 3, 4], "1": [0] } },
    "43": { links: ["PIX"], numa: { "0": [0, 1] }, nics: ["mlx5_bond_0"] },
    "44": { links: ["PIX SYS", "SYS"], numa: { "0": [0, 1], "1": [2] } },
    "45": { links: ["NV3 SYS SYS", "SYS SYS", "NV3"], numa: { "0": [0, 1], "8": [2, 3] } },
    "46": { links: ["NODE SYS SYS", "SYS SYS", "NODE"], numa: { "0": [0, 1], "1": [2, 3] } },
    "47": { links: ["PHB"], numa: {} },
};

/** Upper half of the matrix, as in the table above. */
function rowsOf(topology: Topology): string[] {
    const rows = topology.gpus.map((gpu) =>
        topology.links.filter((link) => link.a === gpu.name).map((link) => link.type),
    );
    return rows.filter((row) => row.length > 0).map((row) => row.join(" "));
}

describe("a topo -m text", () => {
    test("of every fixture is in the table of expectations", () => {
        expect(Object.keys(cases).sort()).toEqual(readable);
    });

    test.each(Object.entries(cases))(
        "%s gives links, NUMA nodes and adapters",
        (number, { links, numa, nics = [] }) => {
            const topology = parseTopology(fixture(number));
            expect(rowsOf(topology)).toEqual(links);
            expect(topology.numa).toEqual(numa);
            expect(topology.nics.map((nic) => nic.device ?? nic.name)).toEqual(nics);
        },
    );

    test("says how each adapter is connected to each GPU and adapter", () => {
        const nic4 = parseTopology(fixture("07")).nics[4]!;
        expect(nic4.links).toMatchObject({ GPU0: "SYS", GPU4: "PXB", GPU5: "NODE", NIC0: "SYS", NIC8: "NODE" });
        expect(Object.keys(nic4.links)).toHaveLength(16);
    });

    test("without rows of adapters still says what the GPU rows say of them, and notes the rest", () => {
        const topology = parseTopology(fixture("17"));
        expect(topology.nics[0]).toEqual({ name: "NIC0", links: { GPU0: "NODE" } });
        expect(topology.notes.join(" ")).toMatch(/no rows of network adapters.*no device name for NIC0 NIC1 NIC2 NIC3/);
    });

    test("with a CPU Affinity column that was cut says not to pin from it", () => {
        expect(parseTopology(fixture("01")).notes.join()).toMatch(/64-127,192-238 is 111 CPUs.*numactl -H/);
        expect(parseTopology(fixture("46")).notes.join()).toMatch(/may be cut/);
        expect(parseTopology(fixture("07")).notes).toEqual([]);
    });

    test("with hand-written NUMA words says that somebody wrote them", () => {
        expect(parseTopology(fixture("05")).notes.join()).toMatch(/somebody wrote them/);
    });

    test("keeps the node of a Grace GPU's own memory apart from the node of its CPUs", () => {
        expect(parseTopology(fixture("36")).gpus[3]).toMatchObject({
            numaNode: 1,
            gpuNumaNode: 26,
            cpuAffinity: "72-143",
        });
    });

    test("with trailing words reads the cells and notes the words", () => {
        const topology = parseTopology("\tGPU0\tGPU1\nGPU0\t X \tPIX\t<- slot 3\nGPU1\tPIX\t X \n");
        expect(topology.links).toEqual([{ a: "GPU0", b: "GPU1", type: "PIX" }]);
        expect(topology.notes.join()).toContain("<- slot 3");
    });
});
