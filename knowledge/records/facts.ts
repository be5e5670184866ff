import { z } from "zod";

/** One GPU of a host. */
export interface GpuFacts {
    /** Index as `nvidia-smi` counts. */
    index: number;
    /** Product name, edition included. */
    name: string;
    /** UUID. */
    uuid?: string | undefined;
    /** PCI bus id. */
    busId?: string | undefined;
    /** Total memory as `nvidia-smi` prints it, MiB. */
    memoryMiB: number;
    /** CUDA compute capability, `12.0` on RTX PRO 6000 Blackwell. */
    computeCapability: string;
    /** Power limit in force, W. */
    powerLimitWatts?: number | undefined;
    /** Lowest power limit that the card takes, W. */
    powerMinWatts?: number | undefined;
    /** Highest power limit that the card takes, W. */
    powerMaxWatts?: number | undefined;
    /** Process ids that held the GPU when the facts were recorded. */
    usedBy?: number[] | undefined;
}

/** Operating system of a host. */
export interface OsFacts {
    /** `ID` of `/etc/os-release`. */
    id: string;
    /** `VERSION_ID` of `/etc/os-release`. */
    version: string;
    /** Kernel release. */
    kernel: string;
}

/** CUDA toolkit of a host. */
export interface ToolkitFacts {
    /** Folder. */
    path: string;
    /** Version, such as `13.0`. */
    version: string;
}

/** Texts of `nvidia-smi topo -p2p`. */
export interface P2pFacts {
    /** Text of `nvidia-smi topo -p2p r`. */
    r?: string | undefined;
    /** Text of `nvidia-smi topo -p2p w`. */
    w?: string | undefined;
}

/** One mounted disk. */
export interface DiskFacts {
    /** Mount point. */
    mount: string;
    /** Size, bytes. */
    sizeBytes: number;
    /** Free for root, bytes. */
    freeBytes: number;
}

/** One network interface. */
export interface NicFacts {
    /** Name, such as `eno1`. */
    name: string;
    /** Whether it does RDMA. */
    rdma: boolean;
}

/**
 * What was recorded of one host: GPUs, driver, toolchain, topology. `pulumi-sglang facts HOST` writes such a file; it is
 * committed and reviewed.
 */
export interface HostFacts {
    /** Version of this layout. */
    schema: 1;
    /** Name that the host has for itself. */
    hostname: string;
    /** Operating system. */
    os: OsFacts;
    /** Every GPU. */
    gpus: GpuFacts[];
    /** NVIDIA driver, such as `595.58.03`. */
    driver: string;
    /** Highest CUDA version that the driver serves, as `nvidia-smi` prints it. */
    cudaDriver?: string | undefined;
    /** CUDA toolkit; null when there is none. */
    toolkit: ToolkitFacts | null;
    /** Versions of compilers and build tools, by name. */
    compilers: Record<string, string>;
    /** Python versions found, such as `3.12`. */
    python: string[];
    /** Text of `nvidia-smi topo -m`. */
    topology: string;
    /** Texts of `nvidia-smi topo -p2p`. */
    p2p?: P2pFacts | undefined;
    /** Text of `numactl -H`. */
    numactl?: string | undefined;
    /** How the kernel runs the IOMMU. */
    iommu: "off" | "passthrough" | "on" | "unknown";
    /** PCIe Access Control Services on the bridges above the GPUs. */
    acs: "off" | "on" | "unknown";
    /** Host memory, bytes. */
    memoryBytes: number;
    /** Mounted disks. */
    disks: DiskFacts[];
    /** Network interfaces. */
    nics: NicFacts[];
    /** Version of the control groups. */
    cgroup?: "v1" | "v2" | undefined;
    /** Keys that were not recorded on the machine but composed by hand. */
    composed?: string[] | undefined;
}

/** @internal The schema of {@link HostFacts}. */
export const hostFactsSchema: z.ZodType<HostFacts> = z.strictObject({
    schema: z.literal(1),
    hostname: z.string().min(1),
    os: z.strictObject({ id: z.string(), version: z.string(), kernel: z.string() }).meta({ title: "Os" }),
    gpus: z
        .array(
            z
                .strictObject({
                    index: z.int().min(0),
                    name: z.string(),
                    uuid: z.string().optional(),
                    busId: z.string().optional(),
                    memoryMiB: z.int().positive(),
                    computeCapability: z.string().regex(/^\d+\.\d+$/, "must be a compute capability such as 12.0"),
                    powerLimitWatts: z.number().positive().optional(),
                    powerMinWatts: z.number().positive().optional(),
                    powerMaxWatts: z.number().positive().optional(),
                    usedBy: z.array(z.int()).optional(),
                })
                .meta({ title: "Card" }),
        )
        .min(1, "must list at least one GPU"),
    driver: z.string(),
    cudaDriver: z.string().optional(),
    toolkit: z.strictObject({ path: z.string(), version: z.string() }).meta({ title: "Toolkit" }).nullable(),
    compilers: z.record(z.string(), z.string()),
    python: z.array(z.string()),
    topology: z.string(),
    p2p: z
        .strictObject({ r: z.string().optional(), w: z.string().optional() })
        .meta({ title: "PeerAccess" })
        .optional(),
    numactl: z.string().optional(),
    iommu: z.enum(["off", "passthrough", "on", "unknown"]),
    acs: z.enum(["off", "on", "unknown"]),
    memoryBytes: z.int().positive(),
    disks: z.array(
        z.strictObject({ mount: z.string(), sizeBytes: z.int(), freeBytes: z.int() }).meta({ title: "Disk" }),
    ),
    nics: z.array(z.strictObject({ name: z.string(), rdma: z.boolean() }).meta({ title: "Nic" })),
    cgroup: z.enum(["v1", "v2"]).optional(),
    composed: z.array(z.string()).optional(),
});
