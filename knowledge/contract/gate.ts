import { z } from "zod";
import { natural, positive, sha256, word } from "../base/words.ts";
import { figureSchema } from "../records/oracle.ts";

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
        /** An answer in the form of a JSON schema. */
        structured: z.boolean().optional(),
        /** Characters before a known question; a token has at least one. */
        longCharacters: positive.optional(),
        /** Held against itself: asked again with its prefix cached, and so many times at once. */
        itself: z
            .strictObject({ crowds: z.array(positive), limits: figureSchema })
            .meta({ title: "GateItself" })
            .optional(),
        /** Held against a trusted server. */
        oracle: z
            .strictObject({
                /** Of the oracle's text. */
                sha256,
                limits: figureSchema,
                /** The text, compressed by gzip, in base64. */
                packed: word,
            })
            .meta({ title: "GateOracle" })
            .optional(),
        servedModelName: word,
        /** Over all requests at the same time, once warm. Without it there is no floor. */
        minimumTokensPerSecond: z.number().optional(),
        /** Of one request, once warm. Without it there is no limit. */
        maximumSecondsToFirstToken: z.number().optional(),
        /** For all questions together. */
        timeoutSeconds: positive,
    })
    .meta({ title: "Gate" });
