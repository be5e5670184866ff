import type { Problem, Settings } from "../base/settings.ts";
import type { ServiceFields } from "../fields/service.ts";
import { itselfLimits, limitsFor, type Precision } from "../oracle/limits.ts";
import type { PackedOracle } from "../oracle/packed.ts";
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

/** So many requests at once as find a fault of small and of large batches. */
const crowds = [8, 64];

/** Longest text before a known question, characters, where nothing else is said. */
const longestText = 16384;

/** What the gate goes by beside the fields. */
export interface GateInput {
    readonly servedModelName: string;
    readonly oracle?: PackedOracle | undefined;
    readonly precision: Precision;
    /** Longest context, tokens; absent when it is not known. */
    readonly context?: number | undefined;
}

/** What a started server is asked: the fields' numbers, and what parsers and other settings make possible. */
export function gatePlan(
    fields: ServiceFields,
    settings: Settings,
    { servedModelName, oracle, precision, context }: GateInput,
): GatePlan {
    const {
        concurrency = 16,
        sampled = 4,
        questions = [],
        itself = true,
        oracleTolerance,
        minimumTokensPerSecond,
        maximumSecondsToFirstToken,
        timeoutSeconds = 600,
    } = fields.gate ?? {};
    const grammar = settings["grammar-backend"]?.value;
    const longCharacters = fields.gate?.longPrompt ?? (context && Math.min(longestText, Math.floor(context / 2)));
    return {
        greedy: [...greedy, ...questions.map(({ maxTokens = 2048, ...one }) => ({ ...one, maxTokens }))],
        sampled: { requests: sampled, temperature: 1, maxTokens: 256 },
        concurrency: { requests: concurrency, maxTokens: 256 },
        toolCall: settings["tool-call-parser"] !== undefined,
        reasoning: settings["reasoning-parser"] !== undefined,
        ...(grammar === undefined || grammar === "none" ? {} : { structured: true }),
        ...(longCharacters === undefined ? {} : { longCharacters }),
        ...(itself ? { itself: { crowds, limits: itselfLimits } } : {}),
        ...(oracle ? { oracle: sent(oracle, precision, oracleTolerance) } : {}),
        servedModelName,
        ...(minimumTokensPerSecond === undefined ? {} : { minimumTokensPerSecond }),
        ...(maximumSecondsToFirstToken === undefined ? {} : { maximumSecondsToFirstToken }),
        timeoutSeconds,
    };
}

function sent({ oracle, sha256, packed }: PackedOracle, precision: Precision, tolerance: number | undefined) {
    return { sha256, packed, limits: limitsFor(oracle, precision, tolerance) };
}

/** What of a gate decides a digest: an oracle by its name, not by how it is packed. */
export function decisive({ oracle, ...gate }: GatePlan): object {
    return oracle ? { ...gate, oracle: { sha256: oracle.sha256, limits: oracle.limits } } : gate;
}

/** Why an oracle cannot be asked for: a prompt that does not fit. */
export function oracleProblems({ oracle }: PackedOracle, context: number | undefined): Problem[] {
    const long = oracle.entries.find(({ ids, answerIds }) => ids.length + answerIds.length >= (context ?? Infinity));
    return long
        ? [
              {
                  path: "gate.oracle",
                  message: `its prompt ${JSON.stringify(long.name.slice(0, 60))} has ${long.ids.length} tokens, more than the context of ${context}: record without it`,
              },
          ]
        : [];
}
