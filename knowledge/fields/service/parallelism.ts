import { z } from "zod";
import { same, whenTrue } from "../decision.ts";
import { field } from "../field.ts";
import { size } from "../values.ts";

/** How the model is spread over GPUs. */
export const parallelismSchema = z
    .strictObject({
        tensor: field(size, {
            says: "Tensor parallel size",
            unit: "GPUs",
            default: "all GPUs of the placement divided by the pipeline size",
            decides: same("tp-size"),
            examples: [4],
        }),
        pipeline: field(size, {
            says: "Pipeline parallel size",
            unit: "stages",
            default: "1",
            decides: same("pp-size"),
            examples: [2],
        }),
        data: field(size, {
            says: "Data parallel size",
            unit: "replicas",
            default: "1",
            decides: same("dp-size"),
            examples: [2],
        }),
        expert: field(size, {
            says: "Expert parallel size",
            unit: "GPUs",
            default: "1",
            decides: same("ep-size"),
            examples: [8],
        }),
        dataParallelAttention: field(z.boolean(), {
            says: "Data parallel attention",
            default: "false",
            decides: whenTrue("enable-dp-attention"),
            examples: [true],
        }),
    })
    .partial();
