// biome-ignore-all assist/source/organizeImports: in the order of the folder
// Generated from the files beside it by `npm run generate`; do not edit.

import * as deepseek_v3_2 from "./deepseek-v3.2.ts";
import * as glm_4_7 from "./glm-4.7.ts";
import * as glm_5_1 from "./glm-5.1.ts";
import * as glm_5_2 from "./glm-5.2.ts";
import * as glm_5_3_flash from "./glm-5.3-flash.ts";
import * as glm_5 from "./glm-5.ts";
import * as gpt_oss_120b from "./gpt-oss-120b.ts";
import * as kimi_k2 from "./kimi-k2.ts";
import * as minimax_m2_5 from "./minimax-m2.5.ts";
import * as qwen3_235b_a22b from "./qwen3-235b-a22b.ts";
import * as qwen3_coder_next from "./qwen3-coder-next.ts";
import * as qwen3_5_397b_a17b from "./qwen3.5-397b-a17b.ts";
import * as qwen3_8_27b from "./qwen3.8-27b.ts";

/** Every file of the catalogue. */
export const catalogue: readonly object[] = [
    deepseek_v3_2,
    glm_4_7,
    glm_5_1,
    glm_5_2,
    glm_5_3_flash,
    glm_5,
    gpt_oss_120b,
    kimi_k2,
    minimax_m2_5,
    qwen3_235b_a22b,
    qwen3_coder_next,
    qwen3_5_397b_a17b,
    qwen3_8_27b,
];
