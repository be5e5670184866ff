import { z } from "zod";
import { natural, positive, word } from "../base/words.ts";

const maxTokens = z.int().min(2);

/** What a started server is asked. */
export const gate = z
    .strictObject({
        /** Questions with one sure answer, asked greedily. */
        greedy: z.array(z.strictObject({ prompt: word, expect: word, maxTokens }).meta({ title: "Greedy" })),
        sampled: z.strictObject({ requests: natural, temperature: z.number(), maxTokens }).meta({ title: "Sampled" }),
        /** Requests at the same time. */
        concurrency: z.strictObject({ requests: natural, maxTokens }).meta({ title: "Concurrency" }),
        toolCall: z.boolean(),
        reasoning: z.boolean(),
        servedModelName: word,
        /** Over all requests at the same time. Without it there is no floor. */
        minimumTokensPerSecond: z.number().optional(),
        /** For all questions together. */
        timeoutSeconds: positive,
    })
    .meta({ title: "Gate" });
