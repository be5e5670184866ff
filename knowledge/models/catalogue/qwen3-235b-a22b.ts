import { checkpoint } from "../checkpoint.ts";
import { allLayers } from "../layers.ts";
import type { ModelProfile, ModelStructure } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";

function structure(context: number): ModelStructure {
    return {
        attention: "gqa",
        layers: 94,
        hidden: 4096,
        heads: 64,
        kvHeads: 4,
        headDim: 128,
        vHeadDim: 128,
        fullLayers: allLayers(94),
        experts: { routed: 128, topK: 8, intermediate: 1536, sharedIntermediate: 0, denseLayers: 0 },
        denseIntermediate: 0,
        outputGate: false,
        vocab: 151936,
        tiedEmbeddings: false,
        context,
        mtpLayers: 0,
    };
}

/** Qwen3-235B-A22B: GQA, 128 experts. */
export const qwen3: ModelProfile = {
    id: "qwen3-235b-a22b",
    architecture: "Qwen3MoeForCausalLM",
    since: "0.5.8.post1",
    modelType: "qwen3_moe",
    structure: structure(40960),
    checkpoints: [
        checkpoint("nvidia/Qwen3-235B-A22B-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 2, {
            kvCalibrated: "unverified",
            diskGB: 144,
            diskSource: "calculated",
        }),
        checkpoint("Qwen/Qwen3-235B-A22B-FP8", "fp8", FP8_ALL, 4),
    ],
    parsers: { reasoning: "qwen3", toolCall: "qwen25" },
    trustRemoteCode: false,
    drafts: [],
    evidence: [
        {
            outcome: "unproven",
            statement: "No public SGLang log of the NVFP4 checkpoint on this card.",
            sources: ["unverified"],
        },
    ],
    sources: ["THUDM/slime scripts/models/qwen3-235B-A22B"],
};

/** Qwen3-235B-A22B-Instruct-2507: the same structure, long context, no thinking. */
export const qwen3Instruct2507: ModelProfile = {
    ...qwen3,
    id: "qwen3-235b-a22b-instruct-2507",
    structure: structure(262144),
    checkpoints: [
        checkpoint("nvidia/Qwen3-235B-A22B-Instruct-2507-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 2, {
            kvCalibrated: "unverified",
            diskGB: 144,
            diskSource: "calculated",
        }),
        checkpoint("Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", "fp8", FP8_ALL, 4),
    ],
    parsers: { toolCall: "qwen25" },
};
