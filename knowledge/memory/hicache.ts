/** Pinned host memory of the hierarchical cache. sglang srt/mem_cache/memory_pool_host.py, 0.5.23 srt/mem_cache/pool_host/base.py. */

import type { MemoryInput } from "./input.ts";
import { ranksPerHost } from "./parallel.ts";
import type { Pools } from "./pools.ts";

/** Bytes that SGLang leaves to the rest of the host. */
export const HOST_RESERVE_BYTES = 10 * 2 ** 30;

/** Bytes that all ranks of one host pin together; undefined without HiCache. */
export function hostPinnedBytes(input: MemoryInput, pools: Pools): number | undefined {
    if (!input.hicache) {
        return undefined;
    }
    const { sizeGB = 0, ratio = 2 } = input.hicache;
    const devicePool = pools.kvBytes + (pools.mamba?.stateBytes ?? 0);
    return (sizeGB > 0 ? sizeGB * 1e9 : ratio * devicePool) * ranksPerHost(input);
}
