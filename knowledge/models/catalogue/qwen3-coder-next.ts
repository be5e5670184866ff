import { checkpoint } from "../checkpoint.ts";
import { everyNth, otherLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { BF16_ALL, FOUR_BIT_EXPERTS } from "../stored.ts";

const full = everyNth(48, 4);

/** Qwen3-Coder-Next (and Qwen3-Next): 80B parameters, 12 layers of GQA, 36 of Gated DeltaNet. */
export const qwen3CoderNext: ModelProfile = {
    id: "qwen3-coder-next",
    architecture: "Qwen3NextForCausalLM",
    since: "0.5.8.post1",
    modelType: "qwen3_next",
    structure: {
        attention: "hybrid-gdn",
        layers: 48,
        hidden: 2048,
        heads: 16,
        kvHeads: 2,
        headDim: 256,
        vHeadDim: 256,
        fullLayers: full,
        linear: {
            kind: "gdn",
            layers: otherLayers(48, full),
            keyHeads: 16,
            valueHeads: 32,
            keyDim: 128,
            valueDim: 128,
            convKernel: 4,
            ssmDtype: "float32",
        },
        experts: { routed: 512, topK: 10, intermediate: 512, sharedIntermediate: 512, denseLayers: 0 },
        denseIntermediate: 0,
        outputGate: true,
        vocab: 151936,
        tiedEmbeddings: false,
        context: 262144,
        mtpLayers: 1,
    },
    checkpoints: [
        checkpoint("Qwen/Qwen3-Coder-Next", "bf16", BF16_ALL, 2, {
            hasMtp: "unverified",
            diskGB: 159,
            diskSource: "calculated",
        }),
        checkpoint("nvidia/Qwen3-Next-80B-A3B-Thinking-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 1, {
            kvCalibrated: "unverified",
            hasMtp: "unverified",
            diskGB: 50.8,
            diskSource: "hub listing",
        }),
    ],
    parsers: { toolCall: "qwen3_coder" },
    trustRemoteCode: false,
    drafts: [],
    evidence: [{ outcome: "unproven", statement: "No public SGLang log on this card.", sources: ["unverified"] }],
    sources: ["transformers 5.24.0 Qwen3NextConfig", "sgl-project/sgl-cookbook"],
};
