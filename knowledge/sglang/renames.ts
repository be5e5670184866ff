/**
 * Options that changed their name or their form between releases.
 *
 * Each row was taken from the releases' own parsers: the older option is marked deprecated there and names the newer
 * one (see `deprecated` and `replacedBy` in `data/options.json`); the rows that say so were read in the wheel instead.
 */

import type { SettingValue } from "../base/settings.ts";

/** Older names of a setting that take the same values, newest first. */
export const olderNames: Readonly<Record<string, readonly string[]>> = {
    "cuda-graph-bs-decode": ["cuda-graph-bs"],
    "cuda-graph-bs-prefill": ["piecewise-cuda-graph-tokens"],
    "cuda-graph-max-bs-decode": ["cuda-graph-max-bs"],
    "cuda-graph-max-bs-prefill": ["piecewise-cuda-graph-max-tokens"],
    "cuda-graph-tc-compiler": ["piecewise-cuda-graph-compiler"],
    "dsa-decode-backend": ["nsa-decode-backend"],
    "dsa-prefill-backend": ["nsa-prefill-backend"],
    "enable-linear-replayssm-spec": ["enable-gdn-replayssm-spec"],
    "incremental-streaming-output": ["stream-output"],
    "mamba-radix-cache-strategy": ["mamba-scheduler-strategy"],
    "smg-grpc-mode": ["grpc-mode"],
    "speculative-draft-window-size": ["speculative-dflash-draft-window-size"],
};

/** One value of a setting that older releases wrote as an option without value. */
export interface OlderFlag {
    /** The setting. */
    readonly setting: string;
    /** Its value. */
    readonly value: SettingValue;
    /** The option that meant it. Absent: releases without the setting do this anyway. */
    readonly flag?: string;
}

/** Values that older releases wrote as a flag. Of several rows for one value, the first whose flag a release has counts. */
export const olderFlags: readonly OlderFlag[] = [
    // also turns prefill graphs off from 0.5.14 on; before, they have their own flag (server_args.py in the wheels)
    { setting: "cuda-graph-backend-decode", value: "disabled", flag: "disable-cuda-graph" },
    { setting: "cuda-graph-backend-decode", value: "full" },
    { setting: "cuda-graph-backend-prefill", value: "disabled", flag: "disable-piecewise-cuda-graph" },
    // 0.5.8.post1 and 0.5.9 capture prefill graphs only when --enable-piecewise-cuda-graph asks for it (server_args.py)
    { setting: "cuda-graph-backend-prefill", value: "disabled" },
    { setting: "cuda-graph-backend-prefill", value: "breakable", flag: "enable-breakable-cuda-graph" },
    { setting: "cuda-graph-backend-prefill", value: "tc_piecewise", flag: "enforce-piecewise-cuda-graph" },
    { setting: "cuda-graph-backend-prefill", value: "tc_piecewise", flag: "enable-piecewise-cuda-graph" },
    { setting: "flashinfer-allreduce-fusion-backend", value: "auto", flag: "enable-flashinfer-allreduce-fusion" },
    { setting: "image-processor-backend", value: "pil", flag: "disable-fast-image-processor" },
    { setting: "mm-feature-transport", value: "cuda_ipc", flag: "keep-mm-feature-on-device" },
];
