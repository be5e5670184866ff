import { describe, expect, test } from "vitest";
import {
    type NcclInput,
    ncclEnvironment,
    parseNumactl,
    parseP2p,
    parseTopology,
} from "../../../knowledge/topology/index.ts";
import { fixture, readable } from "./fixture.ts";

/** What is decided for all GPUs of a fixture on one host, unless said otherwise. */
function decide(number: string, more: Partial<NcclInput> = {}) {
    const topology = parseTopology(fixture(number));
    return ncclEnvironment({ topology, gpus: topology.gpus.map((gpu) => gpu.index), nodes: 1, ...more });
}

const valuesOf = (result: ReturnType<typeof decide>) =>
    Object.fromEntries(result.variables.map(({ name, value }) => [name, value]));
const verdictsOf = (result: ReturnType<typeof decide>) =>
    result.findings.map(({ verdict, rule, setting, from, to }) =>
        [verdict, rule, setting, from, to].filter((part) => part !== undefined).join(" "),
    );
const numactl = parseNumactl(fixture("01b"));
const proven = { p2pProven: true };

describe("on one host", () => {
    const none = undefined;
    const levels: Record<string, string | undefined> = {
        "01": "SYS",
        "02": "PHB",
        "03": "PHB",
        "04": "PHB",
        "05": "SYS",
        "06": "PHB",
        "07": none,
        "10": "SYS",
        "12": "PHB",
        "13": "SYS",
        "14": "SYS",
        "17": none,
        "18": none,
        "20": none,
        "30": none,
        "31": none,
        "32": none,
        "33": "SYS",
        "34": none,
        "35": none,
        "36": none,
        "37": "SYS",
        "38": none,
        "39": "SYS",
        "40": "PHB",
        "41": "SYS",
        "42": "SYS",
        "43": "PIX",
        "44": "SYS",
        "45": none,
        "46": "SYS",
        "47": "PHB",
    };

    test("every fixture has an expected level", () => {
        expect(Object.keys(levels).sort()).toEqual(readable);
    });

    test.each(Object.entries(levels))("%s: NCCL_P2P_LEVEL is %s", (number, level) => {
        const result = decide(number, proven);
        const several = parseTopology(fixture(number)).gpus.length > 1;
        expect(valuesOf(result)).toEqual({
            CUDA_DEVICE_ORDER: "PCI_BUS_ID",
            ...(several ? { NCCL_IB_DISABLE: "1" } : {}),
            ...(level === undefined ? {} : { NCCL_P2P_LEVEL: level }),
        });
        expect(result.findings).toEqual([]);
    });

    test.each<[string, number[], string]>([
        ["01", [0, 1], "PIX"],
        ["01", [0, 1, 2, 3], "PHB"],
        ["01", [3, 4], "SYS"],
        ["04", [0, 1, 2, 3], "PXB"],
        ["03", [0, 1, 2, 3], "PIX"],
        ["18", [0, 2], "SYS"],
    ])("%s with GPUs %j needs %s only", (number, gpus, level) => {
        expect(valuesOf(decide(number, { gpus })).NCCL_P2P_LEVEL).toBe(level);
    });

    test("each value has a reason that names the pair and the source", () => {
        const level = decide("01").variables.find(({ name }) => name === "NCCL_P2P_LEVEL")!;
        expect(level.origin).toBe("topology");
        expect(level.reason).toMatch(/GPU0-GPU4 is SYS.*NVIDIA\/nccl/);
    });

    test("a GPU that the table lacks is refused", () => {
        expect(verdictsOf(decide("12", { gpus: [0, 5] }))).toContain("refuse nccl-gpu-not-in-topology");
    });

    test("threads are shared out once the CPUs are known", () => {
        expect(valuesOf(decide("01", { numactl })).OMP_NUM_THREADS).toBe("8");
        const few = [{ node: 0, cpus: [0, 1, 2, 3, 4, 5, 6, 7] }];
        expect(valuesOf(decide("12", { numactl: few })).OMP_NUM_THREADS).toBe("2");
    });
});

describe("what blocks P2P over PCIe", () => {
    const gns = { r: parseP2p(fixture("12b")) };

    test("the driver says no although topo -m looks right: P2P and custom all-reduce are off", () => {
        const result = decide("12", { p2p: gns });
        expect(valuesOf(result)).toMatchObject({ NCCL_P2P_DISABLE: "1" });
        expect(valuesOf(result)).not.toHaveProperty("NCCL_P2P_LEVEL");
        expect(verdictsOf(result)).toEqual(["fix nccl-p2p-not-supported NCCL_P2P_DISABLE 1"]);
        expect(result.customAllReduce.disable).toBe(true);
        expect(result.probeAllReduce).toBe(false);
    });

    test("the driver says no and the user asks for P2P: both variables are fixed", () => {
        const result = decide("12", { p2p: gns, environment: { NCCL_P2P_LEVEL: "SYS", NCCL_P2P_DISABLE: "0" } });
        expect(verdictsOf(result)).toEqual([
            "fix nccl-p2p-not-supported NCCL_P2P_DISABLE 0 1",
            "fix nccl-p2p-not-supported NCCL_P2P_LEVEL SYS",
        ]);
        expect(valuesOf(result).NCCL_P2P_DISABLE).toBe("1");
        expect(result.removed).toEqual(["NCCL_P2P_LEVEL"]);
    });

    test.each(["CNS", "GNS", "TNS", "NS", "DR"])("status %s switches P2P off", (status) => {
        const p2p = { r: parseP2p(fixture("12b").replaceAll("GNS", status)) };
        expect(valuesOf(decide("12", { p2p })).NCCL_P2P_DISABLE).toBe("1");
    });

    test("a status about GPUs that are not used does not", () => {
        const pair = (a: string, b: string, status: "OK" | "TNS") => ({ a, b, status });
        const p2p = { w: [pair("GPU0", "GPU1", "OK"), pair("GPU0", "GPU2", "TNS")] };
        expect(valuesOf(decide("06", { p2p, gpus: [0, 1] })).NCCL_P2P_LEVEL).toBe("PHB");
        expect(valuesOf(decide("06", { p2p })).NCCL_P2P_DISABLE).toBe("1");
    });

    test("an unknown status is a warning", () => {
        const p2p = { r: parseP2p(fixture("12b").replaceAll("GNS", "U")) };
        expect(verdictsOf(decide("12", { p2p, ...proven }))).toEqual(["warn nccl-p2p-unknown"]);
    });

    test("ACS is on: P2P is refused until it is off", () => {
        const result = decide("02", { acs: "on" });
        expect(verdictsOf(result)).toEqual(["fix nccl-acs-on NCCL_P2P_DISABLE 1"]);
        expect(valuesOf(result).NCCL_P2P_DISABLE).toBe("1");
        expect(result.customAllReduce.disable).toBe(true);
        expect(result.findings[0]!.message).toMatch(/refused until ACS is off/);
    });

    test.each<Record<string, string>>([{ NCCL_P2P_LEVEL: "SYS" }, { NCCL_P2P_DISABLE: "0" }])(
        "ACS is on and the user sets %j: refused",
        (environment) => {
            const result = decide("02", { acs: "on", environment });
            expect(result.findings.map(({ verdict, rule }) => [verdict, rule])).toContainEqual([
                "refuse",
                "nccl-acs-on",
            ]);
        },
    );

    test("ACS is on and the user switched P2P off already: nothing to say", () => {
        expect(decide("02", { acs: "on", environment: { NCCL_P2P_DISABLE: "1" } }).findings).toEqual([]);
    });

    test("ACS does not concern NVLink", () => {
        expect(decide("07", { acs: "on" }).findings).toEqual([]);
        const pairs = decide("18", { acs: "on" });
        expect(valuesOf(pairs).NCCL_P2P_LEVEL).toBe("NVL");
        expect(valuesOf(pairs)).not.toHaveProperty("NCCL_P2P_DISABLE");
    });

    test("an IOMMU that translates is a warning", () => {
        expect(verdictsOf(decide("02", { iommu: "on", ...proven }))).toEqual(["warn nccl-iommu-on"]);
        expect(decide("02", { iommu: "passthrough", ...proven }).findings).toEqual([]);
    });

    test("P2P that no all-reduce has proven is a warning, and asks for one, even if every table says OK", () => {
        const ok = [{ a: "GPU0", b: "GPU1", status: "OK" as const }];
        const result = decide("02", { p2p: { r: ok, w: ok } });
        expect(verdictsOf(result)).toEqual(["warn nccl-p2p-unproven"]);
        expect(result.probeAllReduce).toBe(true);
        expect(decide("02", { environment: { NCCL_P2P_DISABLE: "1" } }).probeAllReduce).toBe(false);
    });

    test("old NCCL hangs on pairs behind one switch", () => {
        expect(verdictsOf(decide("14", { ncclVersion: "2.10.3", ...proven }))).toEqual(["warn nccl-close-pairs-hang"]);
        expect(decide("14", { ncclVersion: "2.27.7", ...proven }).findings).toEqual([]);
        expect(decide("13", { ncclVersion: "2.10.3", ...proven }).findings).toEqual([]);
    });
});

describe("NCCL_P2P_LEVEL of the user", () => {
    const set = (value: string, number = "03") => decide(number, { environment: { NCCL_P2P_LEVEL: value }, ...proven });

    test.each([
        ["NODE", "PHB"],
        ["sys", "SYS"],
        ["Phb", "PHB"],
    ])("%s is refused, with what is meant", (value, meant) => {
        const [finding] = set(value).findings;
        expect(finding).toMatchObject({ verdict: "refuse", rule: "nccl-p2p-level-unknown", from: value });
        expect(finding!.message).toContain(`What is meant is ${meant}.`);
        expect(finding!.message).toContain("This host needs PHB.");
    });

    test.each(["", "PHBB", "PIX,SYS", "-1"])("%j is refused, with what there is", (value) => {
        expect(set(value).findings[0]).toMatchObject({ verdict: "refuse", rule: "nccl-p2p-level-unknown" });
        expect(set(value).findings[0]!.message).toContain("LOC, NVL, NVB, C2C, PIX, PXB, P2C, PXN, PHB, SYS");
    });

    test.each([
        ["0", "LOC"],
        ["1", "PIX"],
        ["2", "PXB"],
        ["3", "PHB"],
        ["4", "SYS"],
        ["5", "SYS"],
        ["99", "SYS"],
    ])("the number %s becomes %s", (value, name) => {
        const result = set(value);
        expect(verdictsOf(result)[0]).toBe(`fix nccl-p2p-level-number NCCL_P2P_LEVEL ${value} ${name}`);
        expect(valuesOf(result).NCCL_P2P_LEVEL).toBe(name);
    });

    test("the number 2 on a host that needs PHB also warns that P2P is off between some", () => {
        expect(verdictsOf(set("2"))[1]).toBe("warn nccl-p2p-level-below-topology NCCL_P2P_LEVEL PXB PXB");
    });

    test("PHB pasted onto a host that needs SYS stays, with a warning", () => {
        const result = set("PHB", "01");
        expect(verdictsOf(result)).toEqual(["warn nccl-p2p-level-below-topology NCCL_P2P_LEVEL PHB PHB"]);
        expect(result.variables).toContainEqual({
            name: "NCCL_P2P_LEVEL",
            value: "PHB",
            origin: "user",
            reason: "Set in the stack.",
        });
    });

    test("a level that reaches farther than needed is nobody's business", () => {
        expect(set("SYS").findings).toEqual([]);
    });
});

describe("other variables of the user", () => {
    test("a graph file is refused unless it is known to be where the server runs, and must be checked", () => {
        const environment = { NCCL_GRAPH_FILE: "/mnt/nccl_graph_opt.xml" };
        const result = decide("03", { environment, ...proven });
        expect(verdictsOf(result)).toEqual(["refuse nccl-graph-file NCCL_GRAPH_FILE /mnt/nccl_graph_opt.xml"]);
        expect(result.checkFiles).toEqual(["/mnt/nccl_graph_opt.xml"]);
        const there = decide("03", { environment, files: ["/mnt/nccl_graph_opt.xml"], ...proven });
        expect(there.findings).toEqual([]);
        expect(there.checkFiles).toEqual(["/mnt/nccl_graph_opt.xml"]);
    });

    test.each<[Record<string, string>, string]>([
        [{ NCCL_ALLOC_P2P_NET_LL_BUFFERS: "1" }, "nccl-net-buffers-single-node"],
        [{ NCCL_MIN_NCHANNELS: "8" }, "nccl-channels-unmeasured"],
        [{ NCCL_NVLS_ENABLE: "1" }, "nccl-nvls-without-nvlink"],
        [{ NCCL_TOPO_FILE: "/etc/topo.xml" }, "nccl-topo-file"],
        [{ CUDA_DEVICE_ORDER: "FASTEST_FIRST" }, "nccl-device-order"],
    ])("%j is a warning", (environment, rule) => {
        const result = decide("03", { environment, ...proven });
        expect(result.findings.map((finding) => `${finding.verdict} ${finding.rule}`)).toEqual([`warn ${rule}`]);
    });

    test("a variable of another kind is left alone", () => {
        expect(decide("03", { environment: { NCCL_PROTO: "LL", HF_HOME: "/x" }, ...proven }).findings).toEqual([]);
    });
});

describe("on several hosts", () => {
    const two = { nodes: 2, ...proven };

    test("RDMA stays on, and NCCL_IB_DISABLE=1 of a workstation recipe is refused", () => {
        const result = decide("10", { ...two, environment: { NCCL_IB_DISABLE: "1" }, socketInterface: "eno1" });
        expect(verdictsOf(result)).toEqual(["refuse nccl-ib-disabled-multi-node NCCL_IB_DISABLE 1"]);
        expect(valuesOf(decide("07", two))).not.toHaveProperty("NCCL_IB_DISABLE");
    });

    test("without RDMA adapters NCCL_IB_DISABLE=1 is fine", () => {
        const result = decide("01", { ...two, environment: { NCCL_IB_DISABLE: "1" }, socketInterface: "eno1" });
        expect(result.findings).toEqual([]);
    });

    test("the only interface that fits is named to NCCL and to Gloo", () => {
        const nics = [
            { name: "lo", rdma: false },
            { name: "docker0", rdma: false },
            { name: "eno1", rdma: false },
            { name: "ens5f0np0", rdma: true },
        ];
        expect(valuesOf(decide("01", { ...two, nics }))).toMatchObject({
            NCCL_SOCKET_IFNAME: "=eno1",
            GLOO_SOCKET_IFNAME: "eno1",
        });
    });

    test("two that fit leave it open, and say so", () => {
        const nics = ["eno1", "eno2"].map((name) => ({ name, rdma: false }));
        const result = decide("01", { ...two, nics });
        expect(verdictsOf(result)).toEqual(["warn nccl-socket-open NCCL_SOCKET_IFNAME"]);
        expect(valuesOf(result)).not.toHaveProperty("NCCL_SOCKET_IFNAME");
    });

    test("the loopback interface is refused, but on one host it is fine", () => {
        const environment = { NCCL_SOCKET_IFNAME: "lo" };
        expect(verdictsOf(decide("02", { ...two, environment }))).toEqual([
            "refuse nccl-socket-loopback NCCL_SOCKET_IFNAME lo",
        ]);
        expect(decide("02", { environment, ...proven }).findings).toEqual([]);
    });
});

describe("custom all-reduce", () => {
    const ok = [{ a: "GPU0", b: "GPU1", status: "OK" as const }];

    test.each<[string, Partial<NcclInput>, boolean]>([
        ["07", {}, false],
        ["20", {}, false],
        ["17", {}, false],
        ["18", {}, true],
        ["01", proven, true],
        ["06", proven, true],
        ["02", {}, true],
        ["02", { p2p: { r: ok, w: ok } }, false],
        ["02", proven, false],
        ["02", { p2p: { r: ok, w: ok }, environment: { NCCL_P2P_DISABLE: "1" } }, true],
        ["01", { gpus: [3, 4], ...proven }, true],
    ])("%s with %j: off is %s", (number, more, off) => {
        expect(decide(number, more).customAllReduce.disable).toBe(off);
    });
});

describe("placement", () => {
    test("follows the NUMA node of each GPU, in rank order, with CPUs of numactl only", () => {
        const { placement } = decide("01", { gpus: [4, 0], numactl });
        expect(placement.numaNode).toEqual([1, 0]);
        expect(placement.cpus).toEqual({ "0": "0-63,128-191", "1": "64-127,192-238,240-255" });
        expect(decide("01").placement.cpus).toBeUndefined();
    });

    test("is left open on one NUMA node, and where the text does not say", () => {
        expect(decide("12").placement.numaNode).toBeUndefined();
        expect(decide("03").placement).toEqual({ reason: expect.stringContaining("GPU0, GPU1") });
    });

    test("is found by the CPU list when the NUMA column is missing", () => {
        const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
        const nodes = [
            { node: 0, cpus: [...range(0, 15), ...range(32, 47)] },
            { node: 1, cpus: [...range(16, 31), ...range(48, 63)] },
        ];
        expect(decide("13", { numactl: nodes }).placement.numaNode).toEqual([0, 1, 1, 1]);
    });

    test("is left open when numactl knows no such node", () => {
        const nodes = [{ node: 0, cpus: [0, 1] }];
        expect(decide("01", { numactl: nodes }).placement.reason).toMatch(/NUMA node 1, which has no CPUs/);
    });
});

describe("the reason of a level is so on this host", () => {
    const reason = (number: string, more: Partial<NcclInput> = {}) =>
        decide(number, more).variables.find(({ name }) => name === "NCCL_P2P_LEVEL")?.reason ?? "";

    test("several NUMA nodes are named where there are several", () => {
        expect(reason("01")).toContain("from one NUMA node to another");
        expect(reason("01", { numactl: numactl.slice(0, 1) })).not.toContain("to another");
    });

    test("more than two GPUs are named where there are more than two", () => {
        expect(reason("01")).toContain("with more than two GPUs");
        expect(reason("02")).not.toContain("more than two GPUs");
    });
});
