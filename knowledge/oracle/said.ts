import { z } from "zod";
import { type Said, saidSchema } from "./recording.ts";

/** How many tokens of an answer, and of the best at each place, are asked for: what the gate asks for too. */
export const answerTokens = 16;
/** See {@link answerTokens}. */
export const bestTokens = 5;

/** The body of a request to SGLang's /generate. */
export function generateBody(asked: string | readonly number[]): object {
    return {
        ...(typeof asked === "string" ? { text: asked } : { input_ids: asked }),
        sampling_params: { max_new_tokens: answerTokens, temperature: 0 },
        return_logprob: true,
        logprob_start_len: 0,
        top_logprobs_num: bestTokens,
    };
}

const generated = z.object({
    meta_info: z.object({
        input_token_logprobs: z.unknown(),
        output_token_logprobs: z.unknown(),
        output_top_logprobs: z.unknown(),
    }),
});

/** What an answer of /generate says; nothing where it has no log-probabilities of its tokens. */
export function saidByGenerate(answer: unknown): Said | undefined {
    const found = generated.safeParse(answer).data?.meta_info;
    return saidSchema.safeParse({
        input: found?.input_token_logprobs,
        output: found?.output_token_logprobs,
        top: found?.output_top_logprobs ?? undefined,
    }).data;
}

/** The body of a request to /v1/completions of vLLM, which gives prompt and answer as one row of token ids. */
export function completionsBody(model: string, asked: string | readonly number[]): object {
    return {
        model,
        prompt: asked,
        max_tokens: answerTokens,
        temperature: 0,
        echo: true,
        logprobs: bestTokens,
        // tokens are `token_id:N`, else texts: vLLM, entrypoints/openai/serving_completion.py at 00463e6
        return_tokens_as_token_ids: true,
    };
}

const token = z
    .string()
    .regex(/^token_id:\d+$/)
    .transform((text) => Number(text.slice("token_id:".length)));
const number = z.number().nullable();

const completed = z.object({
    choices: z.tuple(
        [
            z.object({
                logprobs: z.object({
                    tokens: z.array(token).min(1),
                    token_logprobs: z.array(number),
                    top_logprobs: z.array(z.record(z.string(), number).nullable()),
                }),
            }),
        ],
        z.unknown(),
    ),
    usage: z.object({ prompt_tokens: z.int().min(1), completion_tokens: z.int().min(0) }),
});

/** How vLLM writes minus infinity (the same file). */
const leastOfVllm = -9999;

/** The same of an answer of /v1/completions; nothing too where its tokens are no ids, or the prompt's are not among them. */
export function saidByCompletions(answer: unknown): Said | undefined {
    const { choices, usage } = completed.safeParse(answer).data ?? {};
    const logprobs = choices?.[0].logprobs;
    const whole = (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0);
    if (logprobs?.tokens.length !== whole || logprobs.token_logprobs.length !== whole) {
        return undefined;
    }
    const value = (found: number | null) => (found === null || found <= leastOfVllm ? null : found);
    const rows = logprobs.tokens.map((id, place) => [value(logprobs.token_logprobs[place]!), id]);
    const best = logprobs.top_logprobs.map((place) =>
        Object.entries(place ?? {})
            .map(([name, found]) => [value(found), token.safeParse(name).data])
            .toSorted(([a], [b]) => (b ?? leastOfVllm) - (a ?? leastOfVllm))
            .slice(0, bestTokens),
    );
    const end = usage!.prompt_tokens;
    return saidSchema.safeParse({ input: rows.slice(0, end), output: rows.slice(end), top: best.slice(end) }).data;
}
