import { checkpoint } from "../checkpoint.ts";
import { allLayers } from "../layers.ts";
import type { ModelProfile, ModelStructure } from "../profile.ts";
import { FOUR_BIT_EXPERTS } from "../stored.ts";

const MI35X_LOG = "public benchmark log of 2026-02-26 (8 x MI35x, tp 8)";
const KIMI_K26 = "voipmonitor/rtx6kpro models/kimi-k26-v4.md";
const KIMI_GUIDE = "voipmonitor/rtx6kpro models/kimi-k25.md";

const structure: ModelStructure = {
    attention: "mla",
    layers: 61,
    hidden: 7168,
    heads: 64,
    kvHeads: 64,
    headDim: 192,
    vHeadDim: 128,
    fullLayers: allLayers(61),
    mla: { kvLora: 512, qLora: 1536, nope: 128, rope: 64 },
    experts: { routed: 384, topK: 8, intermediate: 2048, sharedIntermediate: 2048, denseLayers: 1 },
    denseIntermediate: 18432,
    outputGate: false,
    vocab: 163840,
    tiedEmbeddings: false,
    context: 262144,
    mtpLayers: 0,
};

/** Kimi-K2-Thinking: 1026B parameters, latent attention, text only. */
export const kimiK2Thinking: ModelProfile = {
    id: "kimi-k2-thinking",
    architecture: "DeepseekV3ForCausalLM",
    since: "0.5.8.post1",
    modelType: "kimi_k2",
    structure,
    checkpoints: [
        checkpoint("nvidia/Kimi-K2-Thinking-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 8, {
            kvCalibrated: "unverified",
            diskGB: 594,
            diskSource: "calculated",
        }),
        checkpoint("moonshotai/Kimi-K2-Thinking", "compressed-tensors", FOUR_BIT_EXPERTS, 8, {
            diskGB: 594,
            diskSource: "calculated",
        }),
    ],
    parsers: { reasoning: "kimi_k2", toolCall: "kimi_k2" },
    trustRemoteCode: true,
    drafts: [],
    evidence: [
        { outcome: "unproven", statement: "No public log of this checkpoint on this card.", sources: ["unverified"] },
    ],
    sources: ["THUDM/slime scripts/models/kimi-k2-thinking"],
};

/** Kimi-K2.5: Kimi-K2 with a vision tower. */
export const kimiK25: ModelProfile = {
    id: "kimi-k2.5",
    architecture: "KimiK25ForConditionalGeneration",
    since: "0.5.9",
    modelType: "kimi_k25",
    structure: {
        ...structure,
        vision: { layers: 27, hidden: 1152, intermediate: 4304, asRead: { layers: 27, hidden: 1152 } },
    },
    checkpoints: [
        checkpoint("nvidia/Kimi-K2.5-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 8, {
            kvCalibrated: "fp8_e4m3",
            diskGB: 595,
            diskSource: "calculated",
        }),
        checkpoint("moonshotai/Kimi-K2.5", "compressed-tensors", FOUR_BIT_EXPERTS, 8, {
            diskGB: 595,
            diskSource: "vllm-project/recipes",
            loggedWeights: [{ tp: 8, gib: 73.58, source: MI35X_LOG }],
        }),
    ],
    parsers: { reasoning: "kimi_k2", toolCall: "kimi_k2" },
    trustRemoteCode: true,
    drafts: [{ algorithm: "EAGLE3", repository: "lightseekorg/kimi-k2.5-eagle3", source: "sgl-project/sgl-cookbook" }],
    evidence: [
        {
            outcome: "runs",
            statement:
                "INT4 served on 8 cards with bf16 KV cache and 0.94; NVFP4 at 53-55 tokens a second for one user.",
            sources: [KIMI_GUIDE],
        },
        {
            outcome: "fails",
            statement: "INT4 with an fp8 KV cache falls to 16 tokens a second.",
            sources: [KIMI_GUIDE],
        },
    ],
    sources: ["THUDM/slime scripts/models/kimi-k2-thinking"],
};

/** Kimi-K2.6: the architecture of Kimi-K2.5, trained further. */
export const kimiK26: ModelProfile = {
    ...kimiK25,
    id: "kimi-k2.6",
    checkpoints: [
        checkpoint("moonshotai/Kimi-K2.6", "compressed-tensors", FOUR_BIT_EXPERTS, 8, {
            diskGB: 595,
            diskSource: "calculated",
        }),
    ],
    drafts: [],
    evidence: [
        {
            outcome: "unproven",
            statement:
                "Served by vLLM on 8 cards, 92 tokens a second for one user without drafts and 122 with; no public log of SGLang.",
            sources: [KIMI_K26],
        },
    ],
    sources: [...kimiK25.sources, "moonshotai/Kimi-K2.6 docs/deploy_guidance.md"],
};
