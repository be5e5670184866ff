import { checkpoint } from "../checkpoint.ts";
import { everyNth, otherLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { BF16_ALL, FP8_ALL, NVFP4_MLP_FP8_ATTENTION } from "../stored.ts";

const full = everyNth(64, 4);
const H100_LOG = "public bring-up notes, section H100 serve (0.5.18)";

/** Qwen3.6/3.8-27B: dense, 16 layers of GQA, 48 of Gated DeltaNet, pictures. */
export const qwen38Dense: ModelProfile = {
    id: "qwen3.8-27b",
    architecture: "Qwen3_5ForConditionalGeneration",
    since: "0.5.9",
    modelType: "qwen3_5",
    structure: {
        attention: "hybrid-gdn",
        layers: 64,
        hidden: 5120,
        heads: 24,
        kvHeads: 4,
        headDim: 256,
        vHeadDim: 256,
        fullLayers: full,
        linear: {
            kind: "gdn",
            layers: otherLayers(64, full),
            keyHeads: 16,
            valueHeads: 48,
            keyDim: 128,
            valueDim: 128,
            convKernel: 4,
            ssmDtype: "float32",
        },
        denseIntermediate: 17408,
        outputGate: true,
        vocab: 248320,
        tiedEmbeddings: false,
        context: 262144,
        mtpLayers: 1,
        vision: { layers: 27, hidden: 1152, intermediate: 4304, asRead: { layers: 24, hidden: 1152 } },
    },
    checkpoints: [
        checkpoint("Qwen/Qwen3.8-27B-FP8", "fp8", FP8_ALL, 1, {
            hasMtp: true,
            loggedWeights: [{ tp: 1, gib: 28.47, source: H100_LOG }],
        }),
        checkpoint("Qwen/Qwen3.8-27B", "bf16", BF16_ALL, 1, { hasMtp: true }),
        checkpoint("Qwen/Qwen3.6-27B", "bf16", BF16_ALL, 1, {
            hasMtp: true,
            loggedWeights: [{ tp: 1, gib: 51.047, source: "public operations notes (A100, 0.5.17)" }],
        }),
        checkpoint("RadixArk/Qwen3.8-27B-NVFP4", "modelopt_mixed", NVFP4_MLP_FP8_ATTENTION, 1, {
            since: "0.5.15",
            kvCalibrated: "fp8_e4m3",
            hasMtp: "unverified",
        }),
        checkpoint("nvidia/Qwen3.8-27B-NVFP4", "modelopt_mixed", NVFP4_MLP_FP8_ATTENTION, 1, {
            since: "0.5.15",
            kvCalibrated: "unverified",
            hasMtp: "unverified",
        }),
    ],
    parsers: { reasoning: "qwen3", toolCall: "qwen3_coder" },
    trustRemoteCode: "unverified",
    drafts: [],
    evidence: [
        {
            outcome: "runs",
            statement: "2026-08: the NVFP4 checkpoint served on one RTX 5090 with 0.5.17 at mem-fraction-static 0.80.",
            sources: ["sgl-project/sglang#35777"],
        },
        {
            outcome: "fails",
            statement:
                "mem-fraction-static 0.90 to 0.94 on one RTX 5090 ran out of memory while decode graphs were captured.",
            sources: ["sgl-project/sglang#35777"],
        },
        {
            outcome: "runs",
            statement: "2026-08: verified cookbook cells on RTX PRO 6000 and GB10.",
            sources: ["sgl-project/sglang#34918", "sgl-project/sglang#35464"],
        },
        {
            outcome: "unproven",
            statement:
                "Logs exist for H100, A100, MI355X and a fork on this card; none of a stock release on this card.",
            sources: [H100_LOG],
        },
    ],
    sources: ["THUDM/slime scripts/models/qwen3.5-27B", H100_LOG, "eelbaz/dgx-spark-vllm-setup#7"],
};
