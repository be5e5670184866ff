import { z } from "zod";
import type { Problem } from "../base/settings.ts";
import type { Oracle, OracleEntry } from "../records/oracle.ts";
import { spreadOf } from "./spread.ts";

/** A token as SGLang's /generate gives it: log-probability, token id, perhaps its text. */
const row = z.tuple([z.number().nullable(), z.int().min(0)], z.unknown());

/** What one request to /generate said. */
export const saidSchema = z.object({
    output_ids: z.array(z.int().min(0)).optional(),
    /** Tokens of the prompt; the first has no log-probability. */
    input: z.array(row).min(1),
    output: z.array(row),
    /** The best tokens at each place of the answer. */
    top: z.array(z.array(row)).default([]),
});

/** See {@link saidSchema}. */
export type Said = z.output<typeof saidSchema>;

/** Answers of /generate as a script keeps them: prompts, each asked alone several times, and all of them several times at once. */
export const recordingSchema = z.object({
    model: z.string().default("unknown"),
    release: z.string().optional(),
    /** Arguments of the server beside its model. */
    extra: z.array(z.string()).default([]),
    prompts: z.array(z.string()).min(1),
    alone: z.array(z.array(saidSchema)).min(1),
    together: z.array(saidSchema).default([]),
});

/** What is wrong with a recording beyond its shape: lists that do not go with its prompts. */
export function recordingProblems({ prompts, alone, together }: z.output<typeof recordingSchema>): Problem[] {
    const wanted = `${prompts.length} prompts`;
    const runs = alone.flatMap((run, index) =>
        run.length === prompts.length
            ? []
            : [{ path: `alone.${index}`, message: `has ${run.length} answers to ${wanted}` }],
    );
    const crowd =
        together.length % prompts.length === 0
            ? []
            : [{ path: "together", message: `has ${together.length} answers, which is no multiple of ${wanted}` }];
    const twice = prompts.flatMap((text, index) =>
        prompts.indexOf(text) === index
            ? []
            : [{ path: `prompts.${index}`, message: `is the same as prompt ${prompts.indexOf(text)}` }],
    );
    return [...runs, ...crowd, ...twice];
}

/** A recording as an oracle. */
export function oracleOfRecording(recording: z.output<typeof recordingSchema>): Oracle {
    const { model, release, extra, prompts, alone, together } = recording;
    const option = (name: string) => (extra.includes(name) ? extra[extra.indexOf(name) + 1] : undefined);
    const entries = (run: readonly Said[]) =>
        run.map((said, index) => entryOf({ name: prompts[index]!, kind: "text", text: prompts[index]! }, said));
    const [first, ...again] = alone.map(entries);
    const rounds = together.length / prompts.length;
    const crowds = Array.from({ length: rounds }, (_, round) =>
        entries(together.slice(round * prompts.length, (round + 1) * prompts.length)),
    );
    return {
        schema: 1,
        asked: {
            server: "sglang",
            model,
            release,
            quantization: option("--quantization"),
            kvCache: option("--kv-cache-dtype"),
        },
        promptSet: "own",
        entries: first!,
        spread: { again: spreadOf(first!, again), together: spreadOf(first!, crowds) },
    };
}

/** An answer as an entry of an oracle. */
export function entryOf(
    { name, kind, text }: Pick<OracleEntry, "name" | "kind" | "text">,
    { input, output, top }: Said,
): OracleEntry {
    return {
        name,
        kind,
        text,
        ids: input.map(([, id]) => id),
        logprobs: input.map(([value]) => value),
        answerIds: output.map(([, id]) => id),
        answerLogprobs: output.map(([value]) => value),
        topIds: top.map((place) => place.map(([, id]) => id)),
        topLogprobs: top.map((place) => place.map(([value]) => value)),
    };
}
