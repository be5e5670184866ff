/** What the index of a checkpoint's files says of all of its tensors (`model.safetensors.index.json`). */
export interface TensorIndex {
    /** Bytes of all tensors. */
    readonly bytes: number;
    /** Layers that have tensors, those of a prediction block at the end included. */
    readonly layers: number;
    /** Whether a tensor belongs to a multi-token-prediction block by its name. */
    readonly namesMtp: boolean;
}

/** Reads the text of an index; nothing where it does not say its size. Such a text can be tens of MB, so that it is searched, not parsed. */
export function tensorIndex(text: string): TensorIndex | undefined {
    const bytes = Number(/"total_size"\s*:\s*(\d+)/.exec(text)?.[1]);
    if (!Number.isSafeInteger(bytes) || bytes <= 0) {
        return undefined;
    }
    let layers = 0;
    for (const match of text.matchAll(/(?<!mtp\.)(?<!visual\.)(?<!vision_tower\.)\blayers\.(\d+)\./g)) {
        layers = Math.max(layers, Number(match[1]) + 1);
    }
    return { bytes, layers, namesMtp: /"(?:\w+\.)*mtp\./.test(text) };
}
