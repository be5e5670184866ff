/** Bytes per parameter of the usual kinds of checkpoint. */

import type { StoredBytes } from "./profile.ts";

/** 4 bits and one FP8 scale per 16 values. INT4 in groups of 32 with bf16 scales costs the same. */
export const FOUR_BIT_GROUPED = 0.5625;

/** 4 bits and one 8-bit exponent per 32 values (MXFP4). */
export const MXFP4_BYTES = 0.53125;

/** Only the routed experts are 4 bits wide; all else is bf16. */
export const FOUR_BIT_EXPERTS: StoredBytes = {
    experts: FOUR_BIT_GROUPED,
    sharedExperts: 2,
    denseMlp: 2,
    attention: 2,
    mtp: 2,
};

/** All experts and dense MLPs are 4 bits wide; attention is bf16. */
export const FOUR_BIT_MLP: StoredBytes = {
    experts: FOUR_BIT_GROUPED,
    sharedExperts: FOUR_BIT_GROUPED,
    denseMlp: FOUR_BIT_GROUPED,
    attention: 2,
    mtp: 2,
};

/** Experts NVFP4, attention and shared experts FP8 (`modelopt_mixed`). By third-party reports of one checkpoint. */
export const NVFP4_AND_FP8: StoredBytes = {
    experts: FOUR_BIT_GROUPED,
    sharedExperts: 1,
    denseMlp: 1,
    attention: 1,
    mtp: 2,
};

/** MLPs and output embedding NVFP4, attention FP8: NVIDIA's recipe for dense Qwen3.8 (`modelopt_mixed`). */
export const NVFP4_MLP_FP8_ATTENTION: StoredBytes = {
    experts: FOUR_BIT_GROUPED,
    sharedExperts: FOUR_BIT_GROUPED,
    denseMlp: FOUR_BIT_GROUPED,
    attention: 1,
    head: FOUR_BIT_GROUPED,
    mtp: 2,
};

/** MXFP4 experts, all else bf16 (gpt-oss). */
export const MXFP4_EXPERTS: StoredBytes = { experts: MXFP4_BYTES, sharedExperts: 2, denseMlp: 2, attention: 2, mtp: 2 };

/** FP8 throughout. */
export const FP8_ALL: StoredBytes = { experts: 1, sharedExperts: 1, denseMlp: 1, attention: 1, mtp: 1 };

/** Nothing quantized. */
export const BF16_ALL: StoredBytes = { experts: 2, sharedExperts: 2, denseMlp: 2, attention: 2, mtp: 2 };
