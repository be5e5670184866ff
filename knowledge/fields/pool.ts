import { z } from "zod";
import { file, namespace } from "./values.ts";

/** A Kubernetes node pool of equal GPU nodes. */
export const poolSchema = z.strictObject({
    namespace,
    nodeSelector: z.record(z.string(), z.string()).default({}),
    tolerations: z
        .array(
            z.strictObject({
                key: z.string().optional(),
                operator: z.enum(["Exists", "Equal"]).optional(),
                value: z.string().optional(),
                effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
            }),
        )
        .default([{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }]),
    gpuResource: z.string().default("nvidia.com/gpu"),
    gpusPerNode: z.int().positive(),
    runtimeClass: z.string().optional(),
    storage: z
        .strictObject({
            className: z.string().optional(),
            accessMode: z.enum(["ReadWriteOnce", "ReadWriteMany"]).default("ReadWriteOnce"),
        })
        .prefault({}),
    multiNode: z.enum(["statefulSet", "leaderWorkerSet"]).default("statefulSet"),
    /** Whether GPUs are free for a second pod during a rollout. */
    spareGpus: z.boolean().default(false),
    /** Kubeconfig context. Defaults to the current one. */
    context: z.string().optional(),
    facts: file,
});

/** See {@link poolSchema}. */
export type PoolFields = z.output<typeof poolSchema>;
