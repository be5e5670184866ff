import type { Condition } from "../condition.ts";
import type { RuleArea } from "../rule.ts";

const attention = "attention-backend";
const prefill = "dsa-prefill-backend";
const decode = "dsa-decode-backend";
const kv = "kv-cache-dtype";

/** DeepSeek sparse attention (DSA): DeepSeek-V3.2, GLM-5. */
const dsa: Condition = { attention: ["dsa"] };
const glm: Condition = { architecture: ["GlmMoeDsaForCausalLM"] };
const sparse: Condition = {
    any: [
        { setting: attention, unset: true },
        { setting: attention, in: ["dsa", "nsa"] },
    ],
};
const dense: Condition = { setting: attention, in: ["triton", "flashinfer"] };

/** What a dense service names for the sparse backends, which it does not use: nothing for other hardware. */
const unused: Condition = {
    all: [
        { setting: prefill, in: ["tilelang"] },
        { setting: decode, in: ["tilelang"] },
        { setting: kv, in: ["bfloat16", "bf16"] },
    ],
};

/** Triton attends to every token over an FP8 cache and was seen right so from 0.5.15.post1 on. */
const tritonOverFp8: Condition = {
    all: [
        { release: { since: "0.5.15" } },
        { setting: attention, in: ["triton"] },
        { setting: kv, notIn: ["bfloat16", "bf16"] },
    ],
};
const tritonOverAuto: Condition = {
    all: [{ release: { since: "0.5.15" } }, { setting: attention, in: ["triton"] }, { setting: kv, unset: true }],
};

/** What 0.5.22 and later can do by source: TileLang over an FP8 cache, when the user names all of it. */
const tilelangFp8: Condition = {
    all: [
        { release: { since: "0.5.22" } },
        { setting: kv, in: ["fp8_e4m3"] },
        { setting: prefill, in: ["tilelang"] },
        { setting: decode, in: ["tilelang"] },
    ],
};

export const sparseAttention: RuleArea = {
    title: "Sparse attention",
    introduction:
        "GLM-5 and DeepSeek-V3.2 pick the tokens that they attend to. The kernels for that know SM90 and SM100; for GLM with an FP8 cache, SM120 from 0.5.17 on.",
    rules: [
        {
            id: "dsa-no-sm120-kernels",
            verdict: "refuse",
            when: { all: [dsa, sparse, { stock: true }] },
            window: { sglang: [{ before: "0.5.13" }] },
            reason: "No sparse-attention backend of this release runs on SM120: seven were tried on eight cards, and DeepGEMM's indexer stops all of them (`attention.hpp:219 Unsupported architecture`).",
            remedy: "Take 0.5.17 or newer, or an image that is patched for it (`stock: false`).",
            sources: ["sgl-project/sglang#26087", "sgl-project/sglang#29580"],
            confidence: "high",
        },
        {
            id: "dsa-dense-instead",
            verdict: "fix",
            when: {
                all: [
                    dsa,
                    sparse,
                    { stock: true },
                    { any: [{ release: { before: "0.5.17" } }, { not: glm }] },
                    { not: tilelangFp8 },
                    { not: { all: [{ patched: "sm120-sparse-attention" }, { release: { since: "0.5.23" } }] } },
                ],
            },
            set: { [attention]: "triton", [kv]: "bfloat16", [prefill]: "tilelang", [decode]: "tilelang" },
            window: { sglang: [{ since: "0.5.13" }] },
            reason: "Left to itself SGLang takes a sparse-attention kernel for SM100 for this model in this release; dense MLA with Triton attends to every token instead, exact but slower on long contexts. The sparse backends are named so that none for SM100 is.",
            sources: [
                "SemiAnalysisAI/InferenceX (GLM-5.2, 0.5.15)",
                "sgl-project/sglang#40558",
                "sglang 0.5.23 srt/arg_groups/overrides.py",
            ],
            confidence: "medium",
            contradicted: {
                statement:
                    "TileLang worked for GLM-5.3-Flash with tiles patched to fit SM120's 99 KB of shared memory; as published it does not fit.",
                sources: ["sgl-project/sglang#37105", "sgl-project/sglang#26087"],
            },
            detectedBy: "gate",
        },
        {
            id: "glm-sparse-mla",
            verdict: "fix",
            when: {
                all: [
                    glm,
                    sparse,
                    { stock: true },
                    {
                        any: [
                            { setting: kv, notIn: ["fp8_e4m3"] },
                            { setting: prefill, notIn: ["flashinfer_sparse_mla", "triton_sparse_mla"] },
                            { setting: decode, notIn: ["flashinfer_sparse_mla"] },
                        ],
                    },
                ],
            },
            set: { [kv]: "fp8_e4m3", [prefill]: "flashinfer_sparse_mla", [decode]: "flashinfer_sparse_mla" },
            window: { sglang: [{ since: "0.5.17" }] },
            reason: "On SM120 GLM's sparse attention runs with flashinfer_sparse_mla over an FP8 cache only; SGLang refuses other backends at load, and takes an SM100 kernel with another cache.",
            sources: ["sgl-project/sglang#29580", "sglang 0.5.23 kernels/ops/attention/flash_mla_sm120.py"],
            confidence: "high",
            detectedBy: "gate",
        },
        {
            id: "glm-sparse-mla-unproven",
            verdict: "warn",
            when: { all: [glm, sparse] },
            window: { sglang: [{ since: "0.5.17" }] },
            reason: "GLM's sparse attention for SM120 is in SGLang since 0.5.17, with no public report yet that it is right on this card.",
            sources: ["sglang 0.5.17 srt/layers/attention/dsa_backend.py"],
            confidence: "low",
            detectedBy: "gate",
        },
        {
            id: "dsa-deterministic",
            verdict: "refuse",
            when: { all: [glm, sparse, { setting: "enable-deterministic-inference", set: true }] },
            window: { sglang: [{ since: "0.5.17" }] },
            reason: "Deterministic inference does not go with sparse attention; SGLang stops at start.",
            remedy: "Name triton for attention, or leave it out.",
            sources: ["sglang 0.5.18 srt/server_args.py (ran)"],
            confidence: "high",
        },
        {
            id: "dsa-dense-cache",
            verdict: "fix",
            when: {
                all: [dsa, dense, { not: unused }, { not: { any: [tritonOverFp8, tritonOverAuto] } }],
            },
            set: { [kv]: "bfloat16", [prefill]: "tilelang", [decode]: "tilelang" },
            reason: "With dense attention a GLM-5 or DeepSeek-V3.2 over an FP8 cache gives garbled text or one token, and `auto` means FP8 for these models. The sparse backends are not used then; they are named so that none for SM100 is.",
            sources: [
                "local-inference-lab/rtx6kpro (glm5, common-issues)",
                "sglang 0.5.23 srt/arg_groups/overrides.py",
            ],
            confidence: "high",
            contradicted: {
                statement:
                    "GLM-5.2 served with Triton attention over an FP8 cache on 0.5.15.post1, 464,768 tokens; so that is left alone from 0.5.15 on.",
                sources: ["SemiAnalysisAI/InferenceX (GLM-5.2, 0.5.15)"],
            },
            detectedBy: "gate",
        },
        {
            id: "glm-5.3-flash-tilelang",
            verdict: "fix",
            when: { attention: ["hybrid-kda-dsa"] },
            set: { [prefill]: "tilelang", [decode]: "tilelang", [kv]: "bfloat16" },
            environment: { SGLANG_OPT_DEEPGEMM_HC_PRENORM: "0" },
            reason: "GLM-5.3-Flash lands on an SM100 kernel with any other sparse backend; TileLang for both, a bfloat16 cache and no DeepGEMM pre-norm worked together.",
            sources: ["sgl-project/sglang#37105", "sglang 0.5.21 srt/layers/attention/dsa/dsa_backend_kpool.py"],
            confidence: "medium",
            contradicted: {
                statement: "TileLang failed with GLM-5.1 on 0.5.12: another model on an older build.",
                sources: ["sgl-project/sglang#26087"],
            },
            detectedBy: "gate",
        },
        {
            id: "glm-5.3-flash-tiles",
            verdict: "refuse",
            when: { all: [{ attention: ["hybrid-kda-dsa"] }, { stock: true }, { predicate: "no-own-patch" }] },
            reason: "The stock TileLang kernel needs 144 KB of shared memory over a bfloat16 cache, and SM120 has 99 KB; in the report that works it was patched to tiles of 32 by 1 by 128 (from 64, 2, 256).",
            remedy: "Add such a patch to the build (`patches`, a file of your own), or say `stock: false` for an image that has it; none ships with this package.",
            sources: ["sgl-project/sglang#37105"],
            confidence: "medium",
            detectedBy: "gate",
        },
    ],
};
