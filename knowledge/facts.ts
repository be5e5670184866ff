import { z } from "zod";

/**
 * What was recorded of one host: GPUs, driver, toolchain, topology. `pulumi-sglang facts HOST` writes such a file; it is committed and reviewed.
 *
 * Keys listed under `composed` were not recorded on a machine but put together by hand.
 */
export const hostFactsSchema = z.strictObject({
    /** Version of this layout. */
    schema: z.literal(1),
    hostname: z.string().min(1),
    os: z.strictObject({ id: z.string(), version: z.string(), kernel: z.string() }),
    gpus: z
        .array(
            z.strictObject({
                index: z.int().min(0),
                name: z.string(),
                uuid: z.string().optional(),
                busId: z.string().optional(),
                /** Total memory as `nvidia-smi` prints it, MiB. */
                memoryMiB: z.int().positive(),
                /** CUDA compute capability, `12.0` on RTX PRO 6000 Blackwell. */
                computeCapability: z.string().regex(/^\d+\.\d+$/, "must be a compute capability such as 12.0"),
                powerLimitWatts: z.number().positive().optional(),
                powerMinWatts: z.number().positive().optional(),
                powerMaxWatts: z.number().positive().optional(),
                /** Process ids that held the GPU when the facts were recorded. */
                usedBy: z.array(z.int()).optional(),
            }),
        )
        .min(1, "must list at least one GPU"),
    /** NVIDIA driver, such as `595.58.03`. */
    driver: z.string(),
    /** Highest CUDA version that the driver serves, as `nvidia-smi` prints it. */
    cudaDriver: z.string().optional(),
    /** CUDA toolkit on the host; null when there is none. */
    toolkit: z.strictObject({ path: z.string(), version: z.string() }).nullable(),
    compilers: z.record(z.string(), z.string()),
    /** Python versions found, such as `3.12`. */
    python: z.array(z.string()),
    /** Text of `nvidia-smi topo -m`. */
    topology: z.string(),
    /** Texts of `nvidia-smi topo -p2p r` and `w`. */
    p2p: z.strictObject({ r: z.string(), w: z.string() }).partial().optional(),
    /** Text of `numactl -H`. */
    numactl: z.string().optional(),
    iommu: z.enum(["off", "passthrough", "on", "unknown"]),
    acs: z.enum(["off", "on", "unknown"]),
    memoryBytes: z.int().positive(),
    disks: z.array(z.strictObject({ mount: z.string(), sizeBytes: z.int(), freeBytes: z.int() })),
    nics: z.array(z.strictObject({ name: z.string(), rdma: z.boolean() })),
    cgroup: z.enum(["v1", "v2"]).optional(),
    /** Keys that were not recorded on the machine but composed by hand. */
    composed: z.array(z.string()).optional(),
});

/** See {@link hostFactsSchema}. */
export type HostFacts = z.output<typeof hostFactsSchema>;
