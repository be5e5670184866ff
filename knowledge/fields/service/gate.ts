import { z } from "zod";
import { field } from "../field.ts";
import { size } from "../values.ts";

const question = z.strictObject({
    prompt: field(z.string().min(1), { says: "What is asked", examples: ["What is 6 times 7?", "What is 6 plus 7?"] }),
    expect: field(z.string().min(1), {
        says: "Text or regular expression that the answer has in it, in either case of letters",
        examples: ["42", "13"],
    }),
    maxTokens: field(size.min(2), {
        says: "Longest answer, reasoning included",
        unit: "tokens",
        default: "2048",
        examples: [512],
    }).optional(),
});

/** Questions that a started server must answer before it counts as deployed. */
export const gateSchema = z
    .strictObject({
        concurrency: field(size, {
            says: "Requests at once in the concurrency check",
            default: "16",
            examples: [32],
        }),
        sampled: field(size, { says: "Sampled requests", default: "4", examples: [8] }),
        questions: field(z.array(question).min(1), {
            says: "Questions of your own with one sure answer, asked greedily after those that ship",
            default: "none",
            declared: "GateQuestion",
        }),
        oracleTolerance: field(z.number().positive(), {
            says: "Factor of every distance from the oracle that is allowed",
            default: "1",
            examples: [2],
        }),
        itself: field(z.boolean(), {
            says: "Whether the server is held against itself: alone, with its prefix cached, and many requests at once",
            default: "true",
            examples: [false],
        }),
        longPrompt: field(size, {
            says: "Length of the text before a known question; a token has at least one character",
            unit: "characters",
            default: "half of the context, at most 16384",
            examples: [4096],
        }),
        maximumSecondsToFirstToken: field(z.number().positive(), {
            says: 'Time of one request to its first token, once warm, above which the answer is "no"',
            unit: "seconds",
            default: "none",
            examples: [2],
        }),
        minimumTokensPerSecond: field(z.number().positive(), {
            says: 'Throughput of all requests together, once warm, below which the answer is "no"',
            unit: "tokens per second",
            default: "none",
            examples: [200],
        }),
        timeoutSeconds: field(size, {
            says: "Time for all questions together",
            unit: "seconds",
            default: "600",
            examples: [900],
        }),
    })
    .partial();
