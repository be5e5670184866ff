/** Builds the lists of layer numbers that a model's structure is made of. */

/** All layers: 0 to `count` - 1. */
export function allLayers(count: number): number[] {
    return Array.from({ length: count }, (_, i) => i);
}

/** Layers that close a group of `interval`: 3, 7, 11... for 4, as Qwen3.5 and GLM-5.3-Flash place full attention. */
export function everyNth(count: number, interval: number): number[] {
    return allLayers(count).filter((i) => i % interval === interval - 1);
}

/** Layers that are not in the list. */
export function otherLayers(count: number, taken: readonly number[]): number[] {
    const set = new Set(taken);
    return allLayers(count).filter((i) => !set.has(i));
}

/**
 * Layers that compute their own top-k when the index is shared by `frequency` layers and the sharing starts at `offset`.
 * `frequency` 1: every layer. `offset` defaults to 2. sglang 0.5.23 srt/configs/model_config.py `dsa_layer_skips_topk`.
 */
export function indexLayers(count: number, frequency = 1, offset = 2): number[] {
    return allLayers(count).filter((i) => Math.max(i - offset + 1, 0) % frequency === 0);
}
