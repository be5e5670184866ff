import { checkpoint } from "../checkpoint.ts";
import { indexLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";
import { glm5, glm5Structure } from "./glm-5.ts";

const INFERENCEX = "SemiAnalysisAI/InferenceX#2335";
const HYDRALISK = "OpenAgentsInc/hydralisk docs/evidence";

/** GLM-5.2: GLM-5's structure, one top-k for four layers, context of a million tokens. */
export const glm52: ModelProfile = {
    ...glm5,
    id: "glm-5.2",
    structure: glm5Structure(1048576, indexLayers(78, 4, 3)),
    checkpoints: [
        checkpoint("nvidia/GLM-5.2-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 6, {
            kvCalibrated: "fp8_e4m3",
            hasMtp: true,
            diskGB: 465,
            diskSource: INFERENCEX,
            loggedWeights: [{ tp: 8, gib: 56.04, source: INFERENCEX }],
        }),
        checkpoint("zai-org/GLM-5.2-FP8", "fp8", FP8_ALL, 16, {
            hasMtp: true,
            loggedWeights: [{ tp: 8, gib: 89.44, source: HYDRALISK }],
        }),
    ],
    transformersFloor: "5.9.0",
    evidence: [
        {
            outcome: "runs",
            statement: "Served on 8 cards with 0.5.15 as dense attention in Triton; shared-expert fusion must be off.",
            sources: [INFERENCEX, "sgl-project/sglang#29562"],
        },
        {
            outcome: "fails",
            statement:
                "The FP8 checkpoint leaves no room on 8 cards at 0.80; at 0.98 it loads and then fails in a kernel.",
            sources: [HYDRALISK],
        },
    ],
    sources: [...glm5.sources, "THUDM/slime scripts/models/glm5.2"],
};
