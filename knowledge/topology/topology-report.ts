import type { Finding } from "../base/settings.ts";
import type { CustomAllReduce } from "./custom-all-reduce.ts";
import { ncclEnvironment } from "./nccl-environment.ts";
import type { NcclInput } from "./nccl-input.ts";
import type { NumaPlacement } from "./numa-placement.ts";
import { parseNumactl } from "./parse-numactl.ts";
import { parseP2p } from "./parse-p2p.ts";
import { parseTopology } from "./parse-topology.ts";
import type { Link, TopologyGpu, TopologyNic } from "./topology.ts";
import { linkOf } from "./topology-groups.ts";

/** What is known of the host besides its `topo -m`. */
export interface ReportContext
    extends Partial<Pick<NcclInput, "acs" | "iommu" | "nodes" | "gpus" | "nics" | "ncclVersion" | "environment">> {
    /** Texts of `nvidia-smi topo -p2p r` and `w`. */
    readonly p2p?: { readonly r?: string | undefined; readonly w?: string | undefined };
    /** Text of `numactl -H`. */
    readonly numactl?: string;
}

/** The table of a host and the environment that it leads to, as a document for programs. */
export interface TopologyReport {
    readonly gpus: readonly TopologyGpu[];
    readonly links: readonly Link[];
    readonly numa: Readonly<Record<string, readonly number[]>>;
    readonly nics: readonly TopologyNic[];
    readonly env: readonly { readonly name: string; readonly value: string; readonly reason: string }[];
    readonly customAllReduce: CustomAllReduce;
    readonly placement: NumaPlacement;
    readonly findings: readonly Finding[];
    readonly notes: readonly string[];
}

/**
 * Reads a `topo -m` text and says what it leads to for a service on all its GPUs and on one host, unless the context says
 * otherwise. Throws a TopologyError when a text cannot be read whole.
 */
export function topologyReport(text: string, context: ReportContext = {}): TopologyReport {
    const topology = parseTopology(text);
    const { p2p, numactl, ...rest } = context;
    const result = ncclEnvironment({
        nodes: 1,
        gpus: topology.gpus.map((gpu) => gpu.index),
        ...rest,
        topology,
        p2p: {
            ...(p2p?.r === undefined ? {} : { r: parseP2p(p2p.r) }),
            ...(p2p?.w === undefined ? {} : { w: parseP2p(p2p.w) }),
        },
        ...(numactl === undefined ? {} : { numactl: parseNumactl(numactl) }),
    });
    return {
        gpus: topology.gpus,
        links: topology.links,
        numa: topology.numa,
        nics: topology.nics,
        env: result.variables.map(({ name, value, reason }) => ({ name, value, reason })),
        customAllReduce: result.customAllReduce,
        placement: result.placement,
        findings: result.findings,
        notes: topology.notes,
    };
}

/** The report as text for people. */
export function formatTopologyReport(report: TopologyReport): string {
    const names = [...report.gpus.map((gpu) => gpu.name), ...report.nics.map((nic) => nic.name)];
    const topology = { ...report };
    const nodes = report.gpus.map((gpu) => (gpu.numaNode === undefined ? "?" : String(gpu.numaNode)));
    const matrix = [
        ["", ...names, "NUMA", "device"],
        ...names.map((name, i) => [
            name,
            ...names.map((other) => (other === name ? "X" : (linkOf(topology, name, other) ?? "?"))),
            nodes[i] ?? "",
            report.nics.find((nic) => nic.name === name)?.device ?? "",
        ]),
    ];
    const sections = [
        columns(matrix),
        columns(report.env.map(({ name, value, reason }) => [`${name}=${value}`, reason])),
        [
            `Custom all-reduce: ${report.customAllReduce.disable ? "off" : "as SGLang decides"}. ${report.customAllReduce.reason}`,
            `Placement: ${report.placement.reason}`,
        ],
        report.findings.map((finding) => `${finding.verdict} ${finding.rule}: ${finding.message}`),
        report.notes.map((note) => `note: ${note}`),
    ];
    return `${sections
        .filter((lines) => lines.length > 0)
        .map((lines) => lines.join("\n"))
        .join("\n\n")}\n`;
}

/** Rows with every column as wide as its widest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
    const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
    return rows.map((row) =>
        row
            .map((cell, i) => cell.padEnd(widths[i]!))
            .join("  ")
            .trimEnd(),
    );
}
