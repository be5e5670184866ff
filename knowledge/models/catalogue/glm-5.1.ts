import { checkpoint } from "../checkpoint.ts";
import { indexLayers } from "../layers.ts";
import type { ModelProfile } from "../profile.ts";
import { FOUR_BIT_EXPERTS, FP8_ALL } from "../stored.ts";
import { glm5, glm5Structure } from "./glm-5.ts";

/** GLM-5.1: GLM-5's structure with new weights. */
export const glm51: ModelProfile = {
    ...glm5,
    id: "glm-5.1",
    structure: glm5Structure(202752, indexLayers(78)),
    checkpoints: [
        checkpoint("nvidia/GLM-5.1-NVFP4", "modelopt_fp4", FOUR_BIT_EXPERTS, 6, { hasMtp: "unverified" }),
        checkpoint("lukealonso/GLM-5.1-NVFP4-MTP", "modelopt_fp4", FOUR_BIT_EXPERTS, 6, { hasMtp: true }),
        checkpoint("zai-org/GLM-5.1-FP8", "fp8", FP8_ALL, 16, { hasMtp: true }),
    ],
    evidence: [
        {
            outcome: "runs",
            statement: "Served on 8 cards by a patched fork with multi-token prediction, mem-fraction-static 0.82.",
            sources: ["local-inference-lab/rtx6kpro"],
        },
        {
            outcome: "fails",
            statement: "0.5.12 (stock, CUDA 13, driver 595.58.03) fails at start with every sparse-attention backend.",
            sources: ["sgl-project/sglang#26087"],
        },
    ],
};
