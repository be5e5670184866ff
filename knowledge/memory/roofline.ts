/** The most that the hardware allows: bytes read for a token over the bandwidth of the memory, with the arithmetic in view. */

import { activeWeightBytes } from "./active.ts";
import type { MemoryInput, MemoryPlan } from "./input.ts";

/**
 * GB/s of a card's memory by product name. 512 bits at 28 Gbit/s; the Server Edition reports 12481 MHz, twice a cycle, which is what its data
 * sheet says too (local-inference-lab/rtx6kpro power sweep; NVIDIA data sheets).
 */
const bandwidths: readonly { readonly name: RegExp; readonly gigabytesPerSecond: number; readonly says: string }[] = [
    {
        name: /RTX PRO 6000.*Server Edition/,
        gigabytesPerSecond: 1597,
        says: "512 bits at 24.96 Gbit/s, Server Edition",
    },
    { name: /RTX PRO 6000/, gigabytesPerSecond: 1792, says: "512 bits at 28 Gbit/s" },
    { name: /RTX 5090/, gigabytesPerSecond: 1792, says: "512 bits at 28 Gbit/s" },
];

/** One context and the most that one user gets over it. */
export interface RooflinePoint {
    /** Tokens already in the cache. */
    readonly context: number;
    /** Bytes of cache and states that one GPU reads for one token. */
    readonly cacheBytes: number;
    readonly tokensPerSecond: number;
}

/** Upper bound of decoding for one user without speculative decoding: one pass a token, nothing but reading. */
export interface Roofline {
    readonly gigabytesPerSecond: number;
    readonly bandwidthSays: string;
    /** Bytes of weights that one GPU reads for one token. */
    readonly weightBytes: number;
    readonly points: readonly RooflinePoint[];
    /** What the cards add up for one token, over PCIe; absent on one card. */
    readonly reductions?: Reductions;
}

/** All-reduces of one token of one user. */
export interface Reductions {
    /** Two a layer: after attention, and after the experts or the dense part. */
    readonly count: number;
    /** Bytes of each: the hidden size in bfloat16. */
    readonly bytes: number;
    /** Milliseconds of all of them if only their bytes counted, at {@link gigabytesPerSecond}. */
    readonly milliseconds: number;
    /** GB/s one way between neighbours, by the public table. */
    readonly gigabytesPerSecond: number;
}

/** Works out the bound; nothing for a card whose bandwidth is not known. `crossesSockets`: some pair of cards is on two NUMA nodes. */
export function roofline(
    input: MemoryInput,
    plan: MemoryPlan,
    cards: readonly string[],
    crossesSockets: boolean,
): Roofline | undefined {
    const known = cards.map((card) => bandwidths.find(({ name }) => name.test(card)));
    const slowest = known.toSorted((a, b) => (a?.gigabytesPerSecond ?? 0) - (b?.gigabytesPerSecond ?? 0))[0];
    if (slowest === undefined) {
        return undefined;
    }
    const { gigabytesPerSecond, says } = slowest;
    const weightBytes = activeWeightBytes(input);
    const limit = input.contextLength ?? input.profile.structure.context;
    const contexts = [0, 32768, 131072].filter((context) => context <= limit);
    return {
        gigabytesPerSecond,
        bandwidthSays: says,
        weightBytes,
        points: contexts.map((context) => {
            const cacheBytes = cacheBytesRead(input, plan, context);
            return {
                context,
                cacheBytes,
                tokensPerSecond: (gigabytesPerSecond * 1e9) / ((weightBytes + cacheBytes) * (input.pp ?? 1)),
            };
        }),
        ...(input.tp > 1 ? { reductions: reductionsOf(input, crossesSockets) } : {}),
    };
}

/** Cache of the whole context; of sparse attention the index of all and the keys of those it picks; states are read and written. */
function cacheBytesRead(input: MemoryInput, plan: MemoryPlan, context: number): number {
    const { index } = input.profile.structure;
    const states = 2 * (plan.inputs.mambaPerRequest ? Number(plan.inputs.mambaPerRequest.value) * 2 ** 20 : 0);
    if (index === undefined) {
        return plan.kvBytesPerToken * context + states;
    }
    const indexBytes = (index.headDim + 4) * index.layers.length;
    return indexBytes * context + (plan.kvBytesPerToken - indexBytes) * Math.min(context, index.topK) + states;
}

/** One way between neighbours: 53 inside a socket, 39 over the slower of two measured dual-socket hosts (local-inference-lab/rtx6kpro). */
function reductionsOf(input: MemoryInput, crossesSockets: boolean): Reductions {
    const { layers, hidden } = input.profile.structure;
    const count = 2 * layers;
    const bytes = 2 * hidden;
    const gigabytesPerSecond = crossesSockets ? 39 : 53;
    const moved = ((2 * (input.tp - 1)) / input.tp) * bytes * count;
    return { count, bytes, gigabytesPerSecond, milliseconds: moved / (gigabytesPerSecond * 1e6) };
}
