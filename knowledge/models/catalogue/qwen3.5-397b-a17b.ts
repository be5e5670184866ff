import { checkpoint } from "../checkpoint.ts";
import { everyNth, otherLayers } from "../layers.ts";
import type { LoggedWeights, ModelProfile } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL, NVFP4_AND_FP8 } from "../stored.ts";

const full = everyNth(60, 4);
const INFERENCEX = "SemiAnalysisAI/InferenceX benchmarks/single_node/fixed_seq_len/qwen3.5_fp4_rtx6000pro_sglang.sh";
const loggedWeights: LoggedWeights[] = [{ tp: 4, gib: 56.12, source: INFERENCEX }];
const loggedDraft: LoggedWeights[] = [{ tp: 4, gib: 4.05, source: INFERENCEX }];

/** Qwen3.5-397B-A17B: 15 layers of gated GQA, 45 of Gated DeltaNet, 512 experts, pictures. */
export const qwen35: ModelProfile = {
    id: "qwen3.5-397b-a17b",
    architecture: "Qwen3_5MoeForConditionalGeneration",
    since: "0.5.9",
    modelType: "qwen3_5_moe",
    structure: {
        attention: "hybrid-gdn",
        layers: 60,
        hidden: 4096,
        heads: 32,
        kvHeads: 2,
        headDim: 256,
        vHeadDim: 256,
        fullLayers: full,
        linear: {
            kind: "gdn",
            layers: otherLayers(60, full),
            keyHeads: 16,
            valueHeads: 64,
            keyDim: 128,
            valueDim: 128,
            convKernel: 4,
            ssmDtype: "float32",
        },
        experts: { routed: 512, topK: 10, intermediate: 1024, sharedIntermediate: 1024, denseLayers: 0 },
        denseIntermediate: 0,
        outputGate: true,
        vocab: 248320,
        tiedEmbeddings: false,
        context: 262144,
        mtpLayers: 1,
        vision: { layers: 27, hidden: 1152, intermediate: 4304, asRead: { layers: 24, hidden: 1152 } },
    },
    checkpoints: [
        checkpoint("nvidia/Qwen3.5-397B-A17B-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 4, {
            kvCalibrated: "fp8_e4m3",
            hasMtp: true,
            diskGB: 251,
            diskSource: "calculated",
            loggedWeights,
            loggedDraft,
        }),
        checkpoint("lukealonso/Qwen3.5-397B-A17B-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 4, {
            kvCalibrated: "fp8_e4m3",
            hasMtp: true,
            diskGB: 251,
            diskSource: "calculated",
        }),
        checkpoint("nvidia/Qwen3.5-397B-A17B-NVFP4-V2", "modelopt_mixed", NVFP4_AND_FP8, 4, {
            since: "0.5.10",
            kvCalibrated: "unverified",
            hasMtp: "unverified",
            diskGB: 244,
            diskSource: "community download list",
        }),
        checkpoint("Qwen/Qwen3.5-397B-A17B-FP8", "fp8", FP8_ALL, 8, { hasMtp: true }),
    ],
    parsers: { reasoning: "qwen3", toolCall: "qwen3_coder" },
    trustRemoteCode: "unverified",
    drafts: [],
    evidence: [
        {
            outcome: "runs",
            statement: "Served on 4 cards at tp 4 with 0.5.16, with and without multi-token prediction.",
            sources: [INFERENCEX, "SemiAnalysisAI/InferenceX#2312"],
        },
        {
            outcome: "fails",
            statement:
                "mem-fraction-static 0.80 with chunked prefill 32768 starts and runs out of memory on the first 8k prompt.",
            sources: [INFERENCEX],
        },
        {
            outcome: "unproven",
            statement:
                "The -V2 checkpoint keeps attention and shared experts in FP8 by third-party reports; no log of its size in memory.",
            sources: ["unverified"],
        },
    ],
    sources: ["sglang 0.5.23 srt/configs/qwen3_5.py", "ggml-org/llama.cpp#13194", "SemiAnalysisAI/InferenceX#2312"],
};
