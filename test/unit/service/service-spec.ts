import { readFileSync } from "node:fs";
import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import type { HostFacts } from "../../../knowledge/records/facts.ts";
import type { ServiceSpec } from "../../../knowledge/service/spec.ts";

/** A file of `test/fixtures`. */
export function fixture(path: string): string {
    return readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), "utf8");
}

const topology = fixture("topology/01-8x-rtxpro6000-asus-esc8000a-ansi.txt");

type Gpu = HostFacts["gpus"][number];

/** Facts of a host with eight RTX PRO 6000 Server Edition cards on two sockets, and what differs from that. */
export function hostFacts(
    changes: Partial<Omit<HostFacts, "gpus">> & { count?: number; gpu?: Partial<Gpu> } = {},
): HostFacts {
    const { count = 8, gpu, ...rest } = changes;
    return {
        schema: 1,
        hostname: "host",
        os: { id: "ubuntu", version: "24.04", kernel: "6.8.0" },
        gpus: Array.from({ length: count }, (_, index) => ({
            index,
            name: "NVIDIA RTX PRO 6000 Blackwell Server Edition",
            memoryMiB: 97887,
            computeCapability: "12.0",
            powerLimitWatts: 400,
            powerMinWatts: 300,
            powerMaxWatts: 600,
            ...gpu,
        })),
        driver: "595.58.03",
        toolkit: { path: "/usr/local/cuda-13.0", version: "13.0" },
        compilers: { gcc: "13.3.0", ninja: "1.11.1" },
        python: ["3.12"],
        topology,
        iommu: "off",
        acs: "off",
        memoryBytes: 1.5 * 2 ** 40,
        disks: [],
        nics: [],
        ...rest,
    };
}

/** Parts of a service that tests change. */
export interface SpecChanges {
    readonly release?: string;
    readonly versions?: Readonly<Record<string, string>>;
    readonly patches?: readonly string[];
    readonly stock?: boolean;
    readonly repository?: string;
    readonly model?: ServiceSpec["model"];
    readonly placement?: "hosts" | "pool";
    readonly facts?: HostFacts;
    readonly nodes?: ServiceSpec["nodes"];
    readonly hasApiKey?: boolean;
    readonly fields?: ServiceFields;
}

/** The same with nothing set for speed: what is safe, alone. */
export function untuned(changes: SpecChanges): SpecChanges {
    return { ...changes, fields: { ...changes.fields, objective: "none" } };
}

/** A service on that host; Qwen3-235B NVFP4 on 0.5.23 unless said otherwise. */
export function serviceSpec(changes: SpecChanges = {}): ServiceSpec {
    const { release = "0.5.23", versions = {}, patches = [], repository = "nvidia/Qwen3-235B-A22B-NVFP4" } = changes;
    const facts = changes.facts ?? hostFacts();
    return {
        name: "model",
        build: { release, patches, versions, ...(changes.stock === undefined ? {} : { stock: changes.stock }) },
        model: changes.model ?? { repository },
        placement: changes.placement ?? "hosts",
        nodes: changes.nodes ?? [{ name: "host", facts, gpus: facts.gpus.map(({ index }) => index) }],
        hasApiKey: changes.hasApiKey ?? false,
        fields: changes.fields ?? {},
    };
}
