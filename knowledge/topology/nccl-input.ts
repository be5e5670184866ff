import type { Finding } from "../base/settings.ts";
import type { NumaNode } from "./parse-numactl.ts";
import type { P2pPair } from "./parse-p2p.ts";
import { isNvlink, type Link, linksAmong, type Topology } from "./topology.ts";

/** What the NCCL environment of one host is decided from. */
export interface NcclInput {
    /** The host's `nvidia-smi topo -m`. */
    readonly topology: Topology;
    /** The host's `topo -p2p r` and `w` (or `rw` as `r`). `-p2p n` is about NVLink only and does not belong here. */
    readonly p2p?: { readonly r?: readonly P2pPair[]; readonly w?: readonly P2pPair[] };
    /** The host's `numactl -H`. Without it nothing is said of CPUs. */
    readonly numactl?: readonly NumaNode[];
    /** PCIe Access Control Services on the bridges above the GPUs. Defaults to `unknown`. */
    readonly acs?: "off" | "on" | "unknown";
    /** How the kernel runs the IOMMU. Defaults to `unknown`. */
    readonly iommu?: "off" | "passthrough" | "on" | "unknown";
    /** Indices of the GPUs that the service uses on this host, in rank order. */
    readonly gpus: readonly number[];
    /** Hosts that the service spans. */
    readonly nodes: number;
    /** The host's network interfaces. */
    readonly nics?: readonly { readonly name: string; readonly rdma: boolean }[];
    /** Interface for traffic between hosts. Defaults to the only one that fits, when there is only one. */
    readonly socketInterface?: string;
    /** NCCL version of the build. */
    readonly ncclVersion?: string;
    /** Variables that the user set. */
    readonly environment?: Readonly<Record<string, string>>;
    /** Files that are known to be where the server runs (in the container, when it runs in one). */
    readonly files?: readonly string[];
    /** Whether a timed all-reduce over these GPUs passed on this host with these settings. Defaults to false. */
    readonly p2pProven?: boolean;
}

/** What a part of the decision adds. */
export interface NcclPart {
    readonly findings: readonly Finding[];
    /** Value and reason by variable, for those that the user did not set. */
    readonly set: Readonly<Record<string, { readonly value: string; readonly reason: string }>>;
    /** New values of variables that the user set; `undefined` takes the variable away. */
    readonly fixed?: Readonly<Record<string, { readonly value: string | undefined; readonly reason: string }>>;
}

/** Links between the used GPUs, without NVLink. */
export function pcieLinks(input: NcclInput): Link[] {
    return linksAmong(input.topology, input.gpus).filter((link) => !isNvlink(link.type));
}

/** Used pairs without NVLink for which the driver's P2P status is one of those, as `GPU0-GPU1 GNS`. */
export function pairsWith(input: NcclInput, statuses: RegExp): string[] {
    const pcie = new Set(pcieLinks(input).map((link) => `${link.a}-${link.b}`));
    const found = [...(input.p2p?.r ?? []), ...(input.p2p?.w ?? [])]
        .filter((pair) => pcie.has(`${pair.a}-${pair.b}`) && statuses.test(pair.status))
        .map((pair) => `${pair.a}-${pair.b} ${pair.status}`);
    return [...new Set(found)];
}
