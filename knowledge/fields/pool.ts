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

/** A quantity of Kubernetes that is above nothing, such as `500m`, `8` or `64Gi`. */
const quantity = (suffixes: string, example: string) =>
    z
        .string()
        .regex(new RegExp(`^(?=.*[1-9])\\d+(?:\\.\\d+)?(?:${suffixes})?$`), `must be a quantity such as ${example}`);

const requestsSchema = z.strictObject({
    cpu: field(quantity("m", "`500m` or `8`").default("500m"), {
        says: "CPUs that stay free for it, in cores or thousandths (`m`)",
        examples: ["8"],
    }),
    memory: field(quantity("[KMGT]i", "`64Gi`").default("2Gi"), {
        says: "Memory that stays free for it; pinned host memory of a hierarchical cache counts",
        examples: ["64Gi"],
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
    requests: field(requestsSchema.prefault({}), {
        says: "What a server's pod asks of its node beside GPUs; its memory is limited by its share of the node in any case",
    }),
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
