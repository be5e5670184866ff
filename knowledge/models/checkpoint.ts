import { formatOfBytes, type Method } from "./formats.ts";
import type { BytesByLayer, Checkpoint, StoredBytes, StoredFormats } from "./profile.ts";

/** A checkpoint with the facts given, and for the rest: no log, no MTP weights, no calibrated KV cache. */
export function checkpoint(
    repository: string,
    method: Method,
    stored: StoredBytes,
    minimumGpus: number,
    facts: Partial<Checkpoint> = {},
): Checkpoint {
    return {
        repository,
        method,
        stored,
        formats: formatsOf(method, stored),
        minimumGpus,
        kvCalibrated: "none",
        hasMtp: false,
        loggedWeights: [],
        loggedDraft: [],
        ...facts,
    };
}

/** Formats of parts whose bytes are given. */
export function formatsOf(method: Method, stored: StoredBytes): StoredFormats {
    const { attention, linear = attention, index = 2, head = 2, ...others } = stored;
    const parts: Readonly<Record<string, BytesByLayer>> = { ...others, attention, linear, index, head };
    return Object.fromEntries(
        Object.entries(parts).map(([part, bytes]) => [
            part,
            [...new Set([bytes].flat().map((each) => formatOfBytes(each, method)))].sort(),
        ]),
    );
}
