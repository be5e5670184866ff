import { z } from "zod";
import { sameUnless } from "../decision.ts";
import { field } from "../field.ts";

/** Parsers of the answer. */
export const parsersSchema = z
    .strictObject({
        reasoning: field(z.string(), {
            says: "Parser of the reasoning, as SGLang names it; `none` for no parser",
            default: "the profile's",
            decides: sameUnless("none", "reasoning-parser"),
            examples: ["deepseek-r1", "none"],
        }),
        toolCall: field(z.string(), {
            says: "Parser of tool calls, as SGLang names it; `none` for no parser",
            default: "the profile's",
            decides: sameUnless("none", "tool-call-parser"),
            examples: ["hermes", "none"],
        }),
    })
    .partial();
