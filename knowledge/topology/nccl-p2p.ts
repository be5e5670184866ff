import type { Finding } from "../settings.ts";
import { inWindow, isVersion } from "../version.ts";
import { type NcclInput, type NcclPart, pairsWith, pcieLinks } from "./nccl-input.ts";
import { farthest, levelOf } from "./nccl-levels.ts";
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
        SYS: "the used GPUs are on several NUMA nodes",
    }[level as "PIX" | "PXB" | "PHB" | "SYS"];
    return {
        value: level,
        reason:
            `${far.a}-${far.b} is ${far.type}: ${why}; without it NCCL stops at PXB with more than two GPUs and ` +
            "copies through host memory (NVIDIA/nccl paths.cc, 2.30.7).",
    };
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

/** What speaks against P2P over PCIe without ruling it out. */
function doubts(input: NcclInput): Finding[] {
    const findings: Finding[] = [];
    const unknown = pairsWith(input, /^U$/);
    if (input.iommu === "on") {
        findings.push({
            rule: "nccl-iommu-on",
            verdict: "warn",
            message:
                "The IOMMU translates peer traffic: NCCL is known to hang in the first all-reduce, with GPUs at 100 % and about 100 W. " +
                "Start the kernel with iommu=pt or iommu=off; until then set NCCL_P2P_DISABLE=1 if the probe hangs.",
            sources: ["NVIDIA/nccl#1999", "NVIDIA/nccl#631"],
        });
    }
    if (unknown.length > 0) {
        findings.push({
            rule: "nccl-p2p-unknown",
            verdict: "warn",
            message: `The driver does not know whether peer access works: ${unknown.join(", ")}.`,
            sources: ["unverified"],
        });
    }
    if (input.p2pProven !== true) {
        findings.push({
            rule: "nccl-p2p-unproven",
            verdict: "warn",
            message:
                "P2P over PCIe can hang although topo -m and topo -p2p look right: a timed all-reduce over these GPUs must pass after " +
                "the start. When it does not end, set NCCL_P2P_DISABLE=1.",
            sources: ["local-inference-lab/rtx6kpro#15", "NVIDIA/nccl#1999", "vllm-project/vllm#42063"],
        });
    }
    return findings;
}

/** Old NCCL hangs on exactly the pairs that look best. */
function closePairs(input: NcclInput): Finding[] {
    const close = pcieLinks(input).filter((link) => link.type === "PIX" || link.type === "PXB");
    const version = input.ncclVersion;
    if (close.length === 0 || version === undefined || !isVersion(version) || !inWindow(version, { before: "2.11" })) {
        return [];
    }
    const pairs = close.map((link) => `${link.a}-${link.b} ${link.type}`).join(", ");
    return [
        {
            rule: "nccl-close-pairs-hang",
            verdict: "warn",
            message: `NCCL ${version} is known to hang on pairs behind one switch (${pairs}) while ACS is on. Take a newer NCCL, and check that ACS is off.`,
            sources: ["NVIDIA/nccl#667"],
        },
    ];
}
