import { z } from "zod";
import { same } from "../decision.ts";
import { field } from "../field.ts";
import { size } from "../values.ts";

/** Admission of requests. */
export const schedulingSchema = z
    .strictObject({
        maxRunningRequests: field(size, {
            says: "Requests that run at once",
            default: "what the memory holds",
            decides: same("max-running-requests"),
            examples: [64],
        }),
        contextLength: field(size, {
            says: "Longest context",
            unit: "tokens",
            default: "what the model's configuration says",
            decides: same("context-length"),
            examples: [32768],
        }),
        chunkedPrefillSize: field(size, {
            says: "Part of a prompt that is computed at once",
            unit: "tokens",
            default: "SGLang's own choice",
            decides: same("chunked-prefill-size"),
            examples: [4096],
        }),
    })
    .partial();
