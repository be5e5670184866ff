import { checkpoint } from "../checkpoint.ts";
import { allLayers, indexLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";

/** DeepSeek-V3.2: 672B parameters, latent attention with a sparse index in every layer. */
export const deepseekV32: ModelProfile = {
    id: "deepseek-v3.2",
    architecture: "DeepseekV32ForCausalLM",
    since: "0.5.8.post1",
    modelType: "deepseek_v32",
    structure: {
        attention: "dsa",
        layers: 61,
        hidden: 7168,
        heads: 128,
        kvHeads: 128,
        headDim: 192,
        vHeadDim: 128,
        fullLayers: allLayers(61),
        mla: { kvLora: 512, qLora: 1536, nope: 128, rope: 64 },
        index: { headDim: 128, heads: 64, topK: 2048, kpool: 1, layers: indexLayers(61) },
        experts: { routed: 256, topK: 8, intermediate: 2048, sharedIntermediate: 2048, denseLayers: 3 },
        denseIntermediate: 18432,
        outputGate: false,
        vocab: 129280,
        tiedEmbeddings: false,
        context: 163840,
        mtpLayers: 1,
    },
    checkpoints: [
        checkpoint("nvidia/DeepSeek-V3.2-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 8, {
            kvCalibrated: "fp8_e4m3",
            hasMtp: true,
            diskGB: 427,
            diskSource: "calculated",
        }),
        checkpoint("deepseek-ai/DeepSeek-V3.2", "fp8", FP8_ALL, 16, { hasMtp: true }),
    ],
    parsers: { reasoning: "deepseek-v3", toolCall: "deepseekv32" },
    trustRemoteCode: "unverified",
    transformersFloor: "5.0.0",
    drafts: [],
    evidence: [
        {
            outcome: "unproven",
            statement:
                "No public success with SGLang on this card. The sparse path for SM120 is for GLM only; this model gets trtllm.",
            sources: ["sglang 0.5.23 srt/arg_groups/overrides.py", "unverified"],
        },
    ],
    sources: ["transformers 5.24.0 DeepseekV32Config"],
};
