import type { Rule, RuleArea } from "../rule.ts";
import { allReduce } from "./all-reduce.ts";
import { attention } from "./attention.ts";
import { fp4Gemm } from "./fp4-gemm.ts";
import { fp8Gemm } from "./fp8-gemm.ts";
import { host } from "./host.ts";
import { hybrid } from "./hybrid.ts";
import { kvCache } from "./kv-cache.ts";
import { model } from "./model.ts";
import { moe } from "./moe.ts";
import { mxfp4 } from "./mxfp4.ts";
import { parallelism } from "./parallelism.ts";
import { quantization } from "./quantization.ts";
import { serving } from "./serving.ts";
import { sparseAttention } from "./sparse-attention.ts";
import { speculative } from "./speculative.ts";

/** The rule table by area, in the order in which rules are applied. */
export const areas: readonly RuleArea[] = [
    fp4Gemm,
    fp8Gemm,
    moe,
    mxfp4,
    quantization,
    attention,
    sparseAttention,
    kvCache,
    hybrid,
    speculative,
    allReduce,
    parallelism,
    model,
    host,
    serving,
];

/** All rules in that order. */
export const rules: readonly Rule[] = areas.flatMap((area) => area.rules);
