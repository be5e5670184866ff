import { z } from "zod";
import { field } from "./field.ts";
import { factsFile, namespace } from "./values.ts";

const tolerationSchema = z.strictObject({
    key: field(z.string(), { says: "Key of the taint", default: "any", examples: ["dedicated"] }).optional(),
    operator: field(z.enum(["Exists", "Equal"]), {
        says: "Whether the value counts",
        default: "`Equal`",
        examples: ["Exists"],
    }).optional(),
    value: field(z.string(), { says: "Value of the taint", default: "none", examples: ["inference"] }).optional(),
    effect: field(z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]), {
        says: "Effect of the taint",
        default: "any",
        examples: ["NoExecute"],
    }).optional(),
});

const storageSchema = z.strictObject({
    className: field(z.string(), {
        says: "Storage class",
        default: "the cluster's default",
        examples: ["local-nvme"],
    }).optional(),
    accessMode: field(z.enum(["ReadWriteOnce", "ReadWriteMany"]).default("ReadWriteOnce"), {
        says: "Access mode of the claim; a server over several nodes needs `ReadWriteMany`",
        examples: ["ReadWriteMany"],
    }),
});

/** A Kubernetes node pool of equal GPU nodes. */
export const poolSchema = z.strictObject({
    namespace: field(namespace, { says: "Namespace for everything; must exist", examples: ["inference", "serving"] }),
    nodeSelector: field(z.record(z.string(), z.string()).default({}), {
        says: "Labels of the nodes",
        default: "none",
        examples: [{ "nvidia.com/gpu.product": "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition" }],
    }),
    tolerations: field(
        z.array(tolerationSchema).default([{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }]),
        {
            says: "Taints of the nodes",
            default: "the taint `nvidia.com/gpu` with any value, `NoSchedule`",
            examples: [[{ key: "dedicated", operator: "Exists" }]],
        },
    ),
    gpuResource: field(z.string().default("nvidia.com/gpu"), {
        says: "Resource name of a GPU",
        examples: ["example.com/gpu"],
    }),
    gpusPerNode: field(z.int().positive(), { says: "GPUs of each node", examples: [8, 16] }),
    runtimeClass: field(z.string(), {
        says: "Runtime class",
        default: "the cluster's default",
        examples: ["nvidia"],
    }).optional(),
    storage: field(storageSchema.prefault({}), { says: "How weights are stored" }),
    multiNode: field(z.enum(["statefulSet", "leaderWorkerSet"]).default("statefulSet"), {
        says: "How one server that spans several nodes is run; a LeaderWorkerSet needs its controller in the cluster",
        examples: ["leaderWorkerSet"],
    }),
    spareGpus: field(z.boolean().default(false), {
        says: "Whether GPUs are free for a second pod during a rollout",
        examples: [true],
    }),
    context: field(z.string(), {
        says: "Context of the kubeconfig",
        default: "the current one",
        examples: ["lab"],
    }).optional(),
    facts: factsFile("node of the pool"),
});

/** See {@link poolSchema}. */
export type PoolFields = z.output<typeof poolSchema>;
