import type { Finding } from "../base/settings.ts";
import { type NcclInput, type NcclPart, pairsWith, pcieLinks } from "./nccl-input.ts";
import { farthest, levelOf } from "./nccl-levels.ts";
import { closePairs, doubts } from "./nccl-p2p-doubts.ts";
import { isNvlink, linksAmong } from "./topology.ts";

/** How the GPUs of one host talk to each other directly. */
export interface P2pDecision extends NcclPart {
    /** `none` for a single GPU, `nvlink` when every pair has it, `mixed` when some have it, `pcie`, or `off`. */
    readonly mode: "none" | "nvlink" | "mixed" | "pcie" | "off";
    /** Whether a timed all-reduce must prove it, since no table can. */
    readonly probe: boolean;
}

/** Statuses of `topo -p2p` that say no. `U` says nothing. */
const NO = /^(?:CNS|GNS|TNS|NS|DR)$/;

/** Decides whether NCCL may use P2P between the used GPUs, and up to which distance. */
export function decideP2p(input: NcclInput): P2pDecision {
    const links = linksAmong(input.topology, input.gpus);
    const pcie = pcieLinks(input);
    if (links.length === 0) {
        return { mode: "none", probe: false, findings: [], set: {} };
    }
    if (pcie.length === 0) {
        return { mode: "nvlink", probe: false, findings: [], set: {} };
    }
    const hasNvlink = links.some((link) => isNvlink(link.type));
    const off = input.environment?.NCCL_P2P_DISABLE === "1";
    const blocked = blockedBy(input);
    if (blocked) {
        return hasNvlink ? nvlinkOnly(input, blocked) : switchedOff(input, blocked);
    }
    if (off) {
        return { mode: "off", probe: false, findings: [], set: {} };
    }
    if (hasNvlink) {
        return { mode: "mixed", probe: false, findings: closePairs(input), set: {} };
    }
    return {
        mode: "pcie",
        probe: input.p2pProven !== true,
        findings: [...doubts(input), ...closePairs(input)],
        set: { NCCL_P2P_LEVEL: pcieLevel(input) },
    };
}

/** The level that covers every used pair, and no more. */
function pcieLevel(input: NcclInput): { value: string; reason: string } {
    const far = farthest(pcieLinks(input))!;
    const level = levelOf(far.type);
    const why = {
        PIX: "every pair of the used GPUs is behind one PCIe bridge",
        PXB: "the used GPUs are behind PCIe bridges of one host bridge",
        PHB: "the used GPUs share a NUMA node",
        SYS:
            numaNodes(input) === 1
                ? "the path between them crosses PCIe host bridges, though the host has one NUMA node"
                : "the path between them crosses from one NUMA node to another",
    }[level as "PIX" | "PXB" | "PHB" | "SYS"];
    const otherwise =
        input.gpus.length > 2
            ? "without it NCCL stops at PXB with more than two GPUs and copies through host memory"
            : "named, so that it does not hang on NCCL's own default, which is another for more GPUs";
    return {
        value: level,
        reason: `${far.a}-${far.b} is ${far.type}: ${why}; ${otherwise} (NVIDIA/nccl paths.cc, 2.30.7).`,
    };
}

/** NUMA nodes of the used GPUs as far as the host says; 0 when it does not. */
function numaNodes({ topology, gpus, numactl }: NcclInput): number {
    if (numactl !== undefined) {
        return numactl.length;
    }
    const used = topology.gpus
        .filter(({ index }) => gpus.includes(index))
        .map(({ numaAffinity }) => numaAffinity ?? []);
    return used.every((nodes) => nodes.length > 0) ? new Set(used.flat()).size : 0;
}

/** Why P2P over PCIe cannot work here. */
function blockedBy(input: NcclInput): { rule: string; why: string; sources: string[]; refuse: boolean } | undefined {
    const broken = pairsWith(input, NO);
    if (broken.length > 0) {
        return {
            rule: "nccl-p2p-not-supported",
            why: `the driver has no peer access between used GPUs (${broken.slice(0, 4).join(", ")}${broken.length > 4 ? ", ..." : ""}), although topo -m shows a path`,
            sources: ["noonghunna/club-3090#1229"],
            refuse: false,
        };
    }
    if (input.acs === "on") {
        return {
            rule: "nccl-acs-on",
            why: "PCIe Access Control Services are on, so peer traffic takes a detour through the root complex: all-reduce hangs, or runs at half speed. P2P is refused until ACS is off (BIOS, or setpci on root ports and switch ports)",
            sources: ["NVIDIA/nccl#2079", "NVIDIA/nccl#1999", "NVIDIA/nccl#667"],
            refuse: asksForP2p(input),
        };
    }
    return undefined;
}

/** Whether the user asks for P2P over PCIe in so many words. */
function asksForP2p(input: NcclInput): boolean {
    const level = input.environment?.NCCL_P2P_LEVEL;
    const disable = input.environment?.NCCL_P2P_DISABLE;
    return disable !== "1" && (disable === "0" || (level !== undefined && !["LOC", "NVL", "0"].includes(level)));
}

function switchedOff(
    input: NcclInput,
    { rule, why, sources, refuse }: NonNullable<ReturnType<typeof blockedBy>>,
): P2pDecision {
    const { NCCL_P2P_DISABLE: disable, NCCL_P2P_LEVEL: level } = input.environment ?? {};
    const reason = `${why[0]!.toUpperCase()}${why.slice(1)}.`;
    const findings: Finding[] = [];
    if (refuse) {
        findings.push({
            rule,
            verdict: "refuse",
            setting: level === undefined ? "NCCL_P2P_DISABLE" : "NCCL_P2P_LEVEL",
            from: (level ?? disable)!,
            message: `${reason} Take the variable away, and P2P is switched off here, or switch ACS off and record the facts again.`,
            sources,
        });
        return { mode: "off", probe: false, findings, set: {} };
    }
    if (disable !== "1") {
        findings.push({
            rule,
            verdict: "fix",
            setting: "NCCL_P2P_DISABLE",
            ...(disable === undefined ? {} : { from: disable }),
            to: "1",
            message: reason,
            sources,
        });
    }
    if (level !== undefined) {
        findings.push({
            rule,
            verdict: "fix",
            setting: "NCCL_P2P_LEVEL",
            from: level,
            message: `${reason} A level has no meaning then.`,
            sources,
        });
    }
    return {
        mode: "off",
        probe: false,
        findings,
        set: { NCCL_P2P_DISABLE: { value: "1", reason } },
        fixed: {
            ...(disable === undefined ? {} : { NCCL_P2P_DISABLE: { value: "1", reason } }),
            ...(level === undefined ? {} : { NCCL_P2P_LEVEL: { value: undefined, reason } }),
        },
    };
}

/** P2P stays on between the pairs with NVLink, which neither ACS nor the PCIe status concerns. */
function nvlinkOnly(input: NcclInput, { rule, why, sources }: NonNullable<ReturnType<typeof blockedBy>>): P2pDecision {
    const level = input.environment?.NCCL_P2P_LEVEL;
    const reason = `${why[0]!.toUpperCase()}${why.slice(1)}; pairs with NVLink keep P2P.`;
    return {
        mode: "mixed",
        probe: false,
        findings: [
            {
                rule,
                verdict: "fix",
                setting: "NCCL_P2P_LEVEL",
                ...(level === undefined ? {} : { from: level }),
                to: "NVL",
                message: reason,
                sources,
            },
        ],
        set: { NCCL_P2P_LEVEL: { value: "NVL", reason } },
        ...(level === undefined ? {} : { fixed: { NCCL_P2P_LEVEL: { value: "NVL", reason } } }),
    };
}
