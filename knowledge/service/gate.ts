import type { Settings } from "../base/settings.ts";
import type { ServiceFields } from "../fields/service.ts";
import type { GatePlan } from "./spec.ts";

/** Questions with one sure answer, as a sentence: an answer of one token is one of the faults. Enough tokens for a model that reasons first. */
const greedy: GatePlan["greedy"] = [
    { prompt: "What is 17 plus 25? Answer in one short sentence.", expect: "42", maxTokens: 2048 },
    { prompt: "What is the capital of France? Answer in one short sentence.", expect: "Paris", maxTokens: 2048 },
    {
        prompt: "Which day comes after Monday? Answer in one short English sentence.",
        expect: "Tuesday",
        maxTokens: 2048,
    },
];

/** What a started server is asked: the fields' numbers, and what the parsers make possible. */
export function gatePlan(fields: ServiceFields, settings: Settings, servedModelName: string): GatePlan {
    const { concurrency = 16, sampled = 4, minimumTokensPerSecond, timeoutSeconds = 600 } = fields.gate ?? {};
    return {
        greedy,
        sampled: { requests: sampled, temperature: 1, maxTokens: 256 },
        concurrency: { requests: concurrency, maxTokens: 256 },
        toolCall: settings["tool-call-parser"] !== undefined,
        reasoning: settings["reasoning-parser"] !== undefined,
        servedModelName,
        ...(minimumTokensPerSecond === undefined ? {} : { minimumTokensPerSecond }),
        timeoutSeconds,
    };
}
