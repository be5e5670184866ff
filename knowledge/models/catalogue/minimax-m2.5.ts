import { checkpoint } from "../checkpoint.ts";
import { allLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";

/** MiniMax-M2.5 (and M2.7): 229B parameters, full attention. */
export const minimaxM25: ModelProfile = {
    id: "minimax-m2.5",
    architecture: "MiniMaxM2ForCausalLM",
    since: "0.5.8.post1",
    modelType: "minimax_m2",
    structure: {
        attention: "gqa",
        layers: 62,
        hidden: 3072,
        heads: 48,
        kvHeads: 8,
        headDim: 128,
        vHeadDim: 128,
        fullLayers: allLayers(62),
        experts: { routed: 256, topK: 8, intermediate: 1536, sharedIntermediate: 0, denseLayers: 0 },
        denseIntermediate: 0,
        outputGate: false,
        vocab: 200064,
        tiedEmbeddings: false,
        context: 196608,
        mtpLayers: 0,
    },
    checkpoints: [
        checkpoint("nvidia/MiniMax-M2.5-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 2, {
            diskGB: 134,
            diskSource: "calculated",
        }),
        checkpoint("lukealonso/MiniMax-M2.5-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 2, {
            diskGB: 134,
            diskSource: "calculated",
        }),
        checkpoint("MiniMaxAI/MiniMax-M2.5", "fp8", FP8_ALL, 4),
        checkpoint("MiniMaxAI/MiniMax-M2.7", "fp8", FP8_ALL, 4),
    ],
    parsers: { reasoning: "minimax-append-think", toolCall: "minimax-m2" },
    trustRemoteCode: true,
    drafts: [],
    evidence: [
        {
            outcome: "runs",
            statement: "NVFP4 served on 2 cards, FP8 on 4 and 8.",
            sources: ["local-inference-lab/rtx6kpro"],
        },
        {
            outcome: "fails",
            statement: "FP8 crashes at load on 0.5.8 unless fp8-gemm-backend and moe-runner-backend are triton.",
            sources: ["sgl-project/sglang#18870"],
        },
    ],
    sources: ["transformers 5.24.0 MiniMaxM2Config", "THUDM/slime scripts/models"],
};
