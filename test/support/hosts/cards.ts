/** What the stand-in nvidia-smi of a host knows: cards, topology and NUMA nodes of a real 8-card machine. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** The recorded machine: eight RTX PRO 6000 Server cards, driver 595.58.03. Identifiers are made up. */
const recorded = join(packageRoot, "test/fixtures/topology");

/** One card as `--query-gpu` field texts. */
export function card(index: number): Record<string, string> {
    const bus = `00000000:${(0x11 + index * 0x10).toString(16).toUpperCase()}:00.0`;
    return {
        index: `${index}`,
        name: "NVIDIA RTX PRO 6000 Blackwell Server Edition",
        gpu_name: "NVIDIA RTX PRO 6000 Blackwell Server Edition",
        uuid: `GPU-00000000-0000-4000-8000-00000000000${index}`,
        gpu_uuid: `GPU-00000000-0000-4000-8000-00000000000${index}`,
        "pci.bus_id": bus,
        gpu_bus_id: bus,
        "memory.total": "97887",
        "memory.free": "97250",
        "memory.used": "0",
        compute_cap: "12.0",
        driver_version: "595.58.03",
        vbios_version: "98.02.81.00.07",
        "power.limit": "600.00",
        "power.min_limit": "300.00",
        "power.max_limit": "600.00",
        "pcie.link.gen.max": "5",
        "pcie.link.width.max": "16",
        "mig.mode.current": "[N/A]",
        "ecc.mode.current": "Enabled",
        persistence_mode: "Enabled",
    };
}

/** Writes the texts into a host's root. */
export function installCards(root: string): void {
    const folder = join(root, "usr/local/share/nvidia-smi");
    mkdirSync(folder, { recursive: true });
    const cards = Array.from({ length: 8 }, (_, index) => card(index));
    writeFileSync(join(folder, "gpus.json"), JSON.stringify(cards, null, 1));
    cpSync(join(recorded, "01-8x-rtxpro6000-asus-esc8000a-ansi.txt"), join(folder, "topo-m.txt"));
    writeFileSync(join(folder, "numactl-H.txt"), readFileSync(join(recorded, "01b-numactl-H-same-host.txt")));
}
