import { z } from "zod";
import { same } from "../decision.ts";
import { field } from "../field.ts";
import { size } from "../values.ts";

/** Speculative decoding. */
export const speculativeSchema = z.strictObject({
    algorithm: field(z.string(), {
        says: "Algorithm as SGLang names it, such as `EAGLE` or `NEXTN`",
        decides: same("speculative-algorithm"),
        examples: ["EAGLE", "NEXTN"],
    }),
    steps: field(size, {
        says: "Draft steps",
        default: "SGLang's own choice",
        decides: same("speculative-num-steps"),
        examples: [3],
    }).optional(),
    eagleTopK: field(size, {
        says: "Candidates of each draft step",
        default: "SGLang's own choice",
        decides: same("speculative-eagle-topk"),
        examples: [1],
    }).optional(),
    draftTokens: field(size, {
        says: "Draft tokens that are verified at once",
        default: "SGLang's own choice",
        decides: same("speculative-num-draft-tokens"),
        examples: [4],
    }).optional(),
    draftModel: field(z.string(), {
        says: "Draft model: a repository or a path",
        default: "the model's own prediction layers",
        decides: same("speculative-draft-model-path"),
        examples: ["owner/draft"],
    }).optional(),
});
