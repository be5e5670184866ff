import { checkpoint } from "../checkpoint.ts";
import { allLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";

/** GLM-4.7: GQA, 160 experts. */
export const glm47: ModelProfile = {
    id: "glm-4.7",
    architecture: "Glm4MoeForCausalLM",
    since: "0.5.8.post1",
    modelType: "glm4_moe",
    structure: {
        attention: "gqa",
        layers: 92,
        hidden: 5120,
        heads: 96,
        kvHeads: 8,
        headDim: 128,
        vHeadDim: 128,
        fullLayers: allLayers(92),
        experts: { routed: 160, topK: 8, intermediate: 1536, sharedIntermediate: 1536, denseLayers: 3 },
        denseIntermediate: 12288,
        outputGate: false,
        vocab: 151552,
        tiedEmbeddings: false,
        context: 202752,
        mtpLayers: 1,
    },
    checkpoints: [
        checkpoint("nvidia/GLM-4.7-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 4, {
            kvCalibrated: "unverified",
            hasMtp: true,
            diskGB: 231,
            diskSource: "calculated",
        }),
        checkpoint("zai-org/GLM-4.7-FP8", "fp8", FP8_ALL, 8, {
            hasMtp: true,
            diskGB: 338,
            diskSource: "local-inference-lab/rtx6kpro",
        }),
    ],
    parsers: { reasoning: "glm45", toolCall: "glm47" },
    trustRemoteCode: "unverified",
    drafts: [],
    evidence: [
        {
            outcome: "runs",
            statement: "The FP8 checkpoint was served with an explicit chat template.",
            sources: ["local-inference-lab/rtx6kpro"],
        },
        {
            outcome: "unproven",
            statement: "No public SGLang log of the NVFP4 checkpoint on this card.",
            sources: ["unverified"],
        },
    ],
    sources: ["THUDM/slime scripts/models/glm4.5-355B-A32B", "local-inference-lab/rtx6kpro"],
};
