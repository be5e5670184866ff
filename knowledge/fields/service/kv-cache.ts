import { z } from "zod";
import { same, whenFalse, whenGiven } from "../decision.ts";
import { field } from "../field.ts";
import { size } from "../values.ts";
import { backend } from "./backends.ts";

/** Hierarchical KV cache (HiCache). */
export const hierarchicalCacheSchema = z
    .strictObject({
        ratio: field(z.number().positive(), {
            says: "Host tier as a multiple of the GPU tier",
            default: "2",
            decides: same("hicache-ratio"),
            examples: [1.5],
        }),
        sizeGb: field(size, {
            says: "Host tier of each rank; wins over `ratio`",
            unit: "GB",
            default: "none",
            decides: same("hicache-size"),
            examples: [64],
        }),
        writePolicy: field(z.enum(["write_back", "write_through", "write_through_selective"]), {
            says: "When pages are written to the host tier",
            default: "SGLang's own choice",
            decides: same("hicache-write-policy"),
            examples: ["write_back"],
        }),
        ioBackend: field(z.enum(["direct", "kernel"]), {
            says: "How pages are copied",
            default: "SGLang's own choice",
            decides: same("hicache-io-backend"),
            examples: ["direct"],
        }),
        memoryLayout: field(z.string(), {
            says: "Layout in host memory",
            default: "SGLang's own choice",
            decides: same("hicache-mem-layout"),
            examples: ["page_first"],
        }),
        storageBackend: field(z.string(), {
            says: "Storage tier",
            default: "none",
            decides: same("hicache-storage-backend"),
            examples: ["file"],
        }),
        storagePrefetchPolicy: field(z.string(), {
            says: "When pages are read ahead from storage",
            default: "SGLang's own choice",
            decides: same("hicache-storage-prefetch-policy"),
            examples: ["timeout"],
        }),
    })
    .partial();

/** Key-value cache. */
export const kvCacheSchema = z
    .strictObject({
        dtype: field(backend, {
            says: "Element type, such as `fp8_e4m3` or `bfloat16`",
            default: "the rules' choice for the checkpoint, or else `auto`",
            decides: same("kv-cache-dtype"),
            examples: ["fp8_e4m3"],
            declared: "KvCacheDtype",
        }),
        memoryFraction: field(z.number().gt(0).lt(1), {
            says: "Share of free GPU memory for weights and pools",
            default: "what the memory plan finds safe",
            decides: same("mem-fraction-static"),
            examples: [0.8],
        }),
        maxTotalTokens: field(size, {
            says: "Upper bound of the pool",
            unit: "tokens",
            default: "what the memory holds",
            decides: same("max-total-tokens"),
            examples: [65536],
        }),
        pageSize: field(size, {
            says: "Size of a page",
            unit: "tokens",
            default: "the rules' choice for the backend, or else SGLang's own",
            decides: same("page-size"),
            examples: [64],
        }),
        radixCache: field(z.boolean(), {
            says: "Prefix cache; false switches it off",
            default: "true",
            decides: whenFalse("disable-radix-cache"),
            examples: [false],
        }),
        mambaRadixStrategy: field(z.string(), {
            says: "Strategy of the prefix cache for Mamba-like layers",
            default: "the rules' choice for the release, or else SGLang's own",
            decides: same("mamba-radix-cache-strategy"),
            examples: ["no_buffer"],
        }),
        mambaStateDtype: field(z.string(), {
            says: "Element type of the state of Mamba-like layers",
            default: "what the model's configuration says",
            decides: same("mamba-ssm-dtype"),
            examples: ["bfloat16"],
        }),
        hierarchical: field(hierarchicalCacheSchema, {
            says: "Hierarchical KV cache (HiCache): a second tier in pinned host memory, a third on storage",
            default: "none",
            decides: whenGiven("enable-hierarchical-cache"),
            examples: [{}],
            declared: "HierarchicalCacheSettings",
        }),
    })
    .partial();
