import { checkpoint } from "../checkpoint.ts";
import { allLayers, indexLayers } from "../layers.ts";
import type { ModelProfile, ModelStructure } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";

const GUIDE = "voipmonitor/rtx6kpro images/1478868208835629201_GLM5_NVFP4_Blackwell_deployment_guide.md";

/** Structure of GLM-5, shared by 5.1 and 5.2. `index` names the layers that compute their own top-k. */
export function glm5Structure(context: number, index: readonly number[]): ModelStructure {
    return {
        attention: "dsa",
        layers: 78,
        hidden: 6144,
        heads: 64,
        kvHeads: 64,
        headDim: 256,
        vHeadDim: 256,
        fullLayers: allLayers(78),
        mla: { kvLora: 512, qLora: 2048, nope: 192, rope: 64 },
        index: { headDim: 128, heads: 32, topK: 2048, kpool: 1, layers: index },
        experts: { routed: 256, topK: 8, intermediate: 2048, sharedIntermediate: 2048, denseLayers: 3 },
        denseIntermediate: 12288,
        outputGate: false,
        vocab: 154880,
        tiedEmbeddings: false,
        context,
        mtpLayers: 1,
    };
}

/** GLM-5: 744B parameters, latent attention with a sparse index in every layer. */
export const glm5: ModelProfile = {
    id: "glm-5",
    architecture: "GlmMoeDsaForCausalLM",
    since: "0.5.9",
    modelType: "glm_moe_dsa",
    structure: glm5Structure(202752, indexLayers(78)),
    checkpoints: [
        checkpoint("lukealonso/GLM-5-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 6, {
            diskGB: 440,
            diskSource: "local-inference-lab/rtx6kpro",
        }),
        checkpoint("festr2/GLM-5-NVFP4-MTP", "modelopt_fp4", FOUR_BIT_EXPERTS, 6, {
            hasMtp: true,
            diskGB: 459,
            diskSource: "local-inference-lab/rtx6kpro",
            loggedWeights: [{ tp: 8, gib: 57.06, source: GUIDE }],
        }),
        checkpoint("nvidia/GLM-5-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 6, { hasMtp: "unverified" }),
        checkpoint("zai-org/GLM-5-FP8", "fp8", FP8_ALL, 16, {
            hasMtp: true,
            loggedWeights: [{ tp: 8, gib: 89.58, source: "sgl-project/sgl-cookbook" }],
        }),
    ],
    parsers: { reasoning: "glm45", toolCall: "glm47" },
    trustRemoteCode: "unverified",
    transformersFloor: "5.4.0",
    drafts: [],
    evidence: [
        {
            outcome: "runs",
            statement:
                "Served on 8 cards with a patched image of the 0.5.9 era, bf16 KV cache, mem-fraction-static 0.92 and 8 requests.",
            sources: [GUIDE],
        },
        {
            outcome: "fails",
            statement: "Stock images up to 0.5.12 fail at start with every sparse-attention backend.",
            sources: ["sgl-project/sglang#26087"],
        },
        {
            outcome: "unproven",
            statement:
                "From 0.5.17 the release picks flashinfer_sparse_mla with an fp8 cache on this card; no public success report.",
            sources: ["sgl-project/sglang#29580"],
        },
    ],
    sources: ["transformers 5.24.0 GlmMoeDsaConfig", "THUDM/slime scripts/models"],
};
