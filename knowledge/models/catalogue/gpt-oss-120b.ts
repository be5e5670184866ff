import { checkpoint } from "../checkpoint.ts";
import { everyNth, otherLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { MXFP4_EXPERTS } from "../stored.ts";

const full = everyNth(36, 2);

/** gpt-oss-120b: every other layer sees a window of 128 tokens. */
export const gptOss120b: ModelProfile = {
    id: "gpt-oss-120b",
    architecture: "GptOssForCausalLM",
    since: "0.5.8.post1",
    modelType: "gpt_oss",
    structure: {
        attention: "hybrid-swa",
        layers: 36,
        hidden: 2880,
        heads: 64,
        kvHeads: 8,
        headDim: 64,
        vHeadDim: 64,
        fullLayers: full,
        window: { window: 128, layers: otherLayers(36, full), kvHeads: 8, headDim: 64, vHeadDim: 64 },
        experts: { routed: 128, topK: 4, intermediate: 2880, sharedIntermediate: 0, denseLayers: 0 },
        denseIntermediate: 0,
        outputGate: false,
        vocab: 201088,
        tiedEmbeddings: false,
        context: 131072,
        mtpLayers: 0,
    },
    checkpoints: [
        checkpoint("openai/gpt-oss-120b", "mxfp4", MXFP4_EXPERTS, 1, { diskGB: 65, diskSource: "calculated" }),
    ],
    parsers: { reasoning: "gpt-oss", toolCall: "gpt-oss" },
    trustRemoteCode: false,
    drafts: [],
    evidence: [
        { outcome: "runs", statement: "Served on 1 card with a Triton fix.", sources: ["sgl-project/sglang#16975"] },
        {
            outcome: "unproven",
            statement: "The size of its cache is from source only; no log of it was found.",
            sources: ["unverified"],
        },
    ],
    sources: ["transformers 5.24.0 GptOssConfig"],
};
