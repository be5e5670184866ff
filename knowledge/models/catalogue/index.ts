/** Every model that is described here, sorted by id. */

import type { ModelProfile } from "../profile.ts";
import { deepseekV32 } from "./deepseek-v3.2.ts";
import { glm47 } from "./glm-4.7.ts";
import { glm51 } from "./glm-5.1.ts";
import { glm52 } from "./glm-5.2.ts";
import { glm53Flash } from "./glm-5.3-flash.ts";
import { glm5 } from "./glm-5.ts";
import { gptOss120b } from "./gpt-oss-120b.ts";
import { kimiK2Thinking, kimiK25 } from "./kimi-k2.ts";
import { minimaxM25 } from "./minimax-m2.5.ts";
import { qwen35 } from "./qwen3.5-397b-a17b.ts";
import { qwen38Dense } from "./qwen3.8-27b.ts";
import { qwen3, qwen3Instruct2507 } from "./qwen3-235b-a22b.ts";
import { qwen3CoderNext } from "./qwen3-coder-next.ts";

export const CATALOGUE: readonly ModelProfile[] = [
    deepseekV32,
    glm47,
    glm5,
    glm51,
    glm52,
    glm53Flash,
    gptOss120b,
    kimiK2Thinking,
    kimiK25,
    minimaxM25,
    qwen3,
    qwen3CoderNext,
    qwen3Instruct2507,
    qwen35,
    qwen38Dense,
].sort((a, b) => (a.id < b.id ? -1 : 1));
