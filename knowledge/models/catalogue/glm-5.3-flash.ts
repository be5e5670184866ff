import { checkpoint } from "../checkpoint.ts";
import { everyNth, otherLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { FP8_ALL } from "../stored.ts";

const full = everyNth(45, 4);
const LOG = "sgl-project/sglang#40558";

/** GLM-5.3-Flash: 11 layers of sparse latent attention without rotary embedding, 34 of Kimi Delta Attention. */
export const glm53Flash: ModelProfile = {
    id: "glm-5.3-flash",
    architecture: "Glm5NextForConditionalGeneration",
    since: "0.5.20",
    modelType: "glm5_next",
    structure: {
        attention: "hybrid-kda-dsa",
        layers: 45,
        hidden: 4096,
        heads: 64,
        kvHeads: 64,
        headDim: 256,
        vHeadDim: 256,
        fullLayers: full,
        mla: { kvLora: 512, qLora: 1536, nope: 256, rope: 0 },
        index: { headDim: 128, heads: 32, topK: 2048, kpool: 4, layers: full },
        linear: {
            kind: "kda",
            layers: otherLayers(45, full),
            keyHeads: 64,
            valueHeads: 64,
            keyDim: 128,
            valueDim: 128,
            convKernel: 4,
            ssmDtype: "float32",
        },
        experts: { routed: 288, topK: 8, intermediate: 2048, sharedIntermediate: 2048, denseLayers: 3 },
        denseIntermediate: 12288,
        outputGate: false,
        vocab: 154880,
        tiedEmbeddings: false,
        context: 1048576,
        mtpLayers: 1,
        vision: { layers: 24, hidden: 1024, intermediate: 4096, asRead: { layers: 24, hidden: 1024 } },
    },
    checkpoints: [
        checkpoint("zai-org/GLM-5.3-Flash", "fp8", FP8_ALL, 4, {
            hasMtp: true,
            diskGB: 306,
            diskSource: "vllm-project/vllm#53963",
            loggedWeights: [{ tp: 4, gib: 75.42, source: LOG }],
            loggedDraft: [{ tp: 4, gib: 2.39, source: LOG }],
        }),
    ],
    parsers: { reasoning: "glm45", toolCall: "glm47" },
    trustRemoteCode: "unverified",
    drafts: [],
    evidence: [
        {
            outcome: "fails",
            statement:
                "Another sparse backend than the default still ends in trtllm; tilelang with bf16 KV needs a smaller tile.",
            sources: ["sgl-project/sglang#37105", LOG],
        },
        {
            outcome: "unproven",
            statement:
                "The index pool of 4 and the sharing of the index are read from one report; transformers 5.24.0 defaults to 16.",
            sources: ["FlashML-org/FreeToken#332", "unverified"],
        },
    ],
    sources: ["transformers 5.24.0 Glm5NextConfig", "FlashML-org/FreeToken#332"],
};
