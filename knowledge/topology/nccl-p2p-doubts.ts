import type { Finding } from "../base/settings.ts";
import { inWindow, isVersion } from "../base/version.ts";
import { type NcclInput, pairsWith, pcieLinks } from "./nccl-input.ts";

/** What speaks against P2P over PCIe without ruling it out. */
export function doubts(input: NcclInput): Finding[] {
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
                "P2P over PCIe can hang although topo -m and topo -p2p look right, and no all-reduce was timed on this host. When the first " +
                "one does not end (GPUs at 100 %, no answer to the gate), set NCCL_P2P_DISABLE=1.",
            sources: ["local-inference-lab/rtx6kpro#15", "NVIDIA/nccl#1999", "vllm-project/vllm#42063"],
        });
    }
    return findings;
}

/** Old NCCL hangs on exactly the pairs that look best. */
export function closePairs(input: NcclInput): Finding[] {
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
