import { z } from "zod";

/** Kinds of text that an oracle asks for. */
export const promptKinds = ["text", "code", "numbers", "languages", "tools", "long"] as const;

/** See {@link promptKinds}. */
export type PromptKind = (typeof promptKinds)[number];

const tokenId = z.int().min(0);
/** `null` where the server had no number: before the first token, or because it is broken. */
const logprob = z.number().nullable();

/** How far a server is from itself or from another, by figure; log-probabilities are natural. */
export const figureSchema = z
    .strictObject({
        /** Distance of the log-probability of a prompt's token: mean, 95th percentile, largest, and the largest mean of 16 tokens in a row. */
        promptMean: z.number(),
        promptTail: z.number(),
        promptStretch: z.number(),
        promptLargest: z.number(),
        /** The same of the tokens of an answer, as far as both say the same. */
        answerMean: z.number(),
        answerTail: z.number(),
        answerLargest: z.number(),
        /** Mean distance of the tokens that both have among their best at a place. */
        topMean: z.number(),
        /** Share of places with the same best token. */
        topAgreement: z.number(),
        /** Share of the best tokens that both have. */
        topOverlap: z.number(),
        /** Kullback-Leibler divergence over the best tokens and the rest as one, mean. */
        topDivergence: z.number(),
    })
    .meta({ title: "Figures" });

/** See {@link figureSchema}. */
export type Figures = z.output<typeof figureSchema>;

/** What a server said to one prompt, by token. */
export const oracleEntrySchema = z
    .strictObject({
        name: z.string(),
        kind: z.enum(promptKinds),
        /** The prompt, where it was asked as a text: another tokenizer makes other token ids of it. */
        text: z.string().optional(),
        /** Token ids of the prompt. */
        ids: z.array(tokenId),
        /** Log-probability of each of them; the first has none. */
        logprobs: z.array(logprob),
        /** Token ids of the greedy answer, and the log-probability of each. */
        answerIds: z.array(tokenId),
        answerLogprobs: z.array(logprob),
        /** The best tokens at each place of the answer, best first. */
        topIds: z.array(z.array(tokenId)),
        topLogprobs: z.array(z.array(logprob)),
    })
    .meta({ title: "OracleEntry" });

/** See {@link oracleEntrySchema}. */
export type OracleEntry = z.output<typeof oracleEntrySchema>;

/** How far a server was from itself. */
const spread = z
    .strictObject({
        figures: figureSchema,
        /** What was not even comparable: a place without a number, other token ids. */
        broken: z.string().optional(),
    })
    .meta({ title: "Spread" });

/** The log-probabilities of a server that is trusted, by token id: what another server is held against. */
export const oracleSchema = z.strictObject({
    schema: z.literal(1),
    /** What was asked. */
    asked: z
        .strictObject({
            server: z.enum(["sglang", "vllm"]),
            release: z.string().optional(),
            /** Hub repository, or the name that the server gives it. */
            model: z.string(),
            revision: z.string().optional(),
            /** Method of the weights, such as `modelopt_fp4`; without one they have 16 bits. */
            quantization: z.string().optional(),
            /** Element type of the key-value cache; without one it has 16 bits. */
            kvCache: z.string().optional(),
        })
        .meta({ title: "OracleAsked" }),
    /** Version of the prompts that ship with the package. */
    promptSet: z.string(),
    entries: z.array(oracleEntrySchema).min(1),
    /** The distance of every further run from the first: one prompt after the other, and all at once. */
    spread: z.strictObject({ again: spread.optional(), together: spread.optional() }).meta({ title: "OracleSpread" }),
});

/** See {@link oracleSchema}. */
export type Oracle = z.output<typeof oracleSchema>;
