import { z } from "zod";
import { check, ProblemsError } from "../../knowledge/base/problems.ts";

const state = z
    .object({
        type: z.string(),
        parent: z.string().optional(),
        inputs: z.record(z.string(), z.unknown()).optional(),
    })
    .loose()
    .nullish();

const step = z
    .object({
        op: z.string(),
        urn: z.string(),
        oldState: state,
        newState: state,
        detailedDiff: z.record(z.string(), z.unknown()).nullish(),
        replaceReasons: z.array(z.string()).nullish(),
    })
    .loose();

const previewSchema = z.object({
    steps: z.array(step).min(1, "are none: give it the output of `pulumi preview --json`"),
    diagnostics: z.array(z.object({ message: z.string().default(""), severity: z.string() }).loose()).default([]),
});

/** What a preview says of one resource. */
export type Step = z.output<typeof step>;

/** Steps of `pulumi preview --json`. Throws a `ProblemsError` when the document is no preview, or that of one that failed. */
export function previewSteps(document: unknown): Step[] {
    const { steps, diagnostics } = check("The preview cannot be read:", previewSchema, document);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
        const problems = errors.map(({ message }) => ({ path: "preview", message: message.trim() }));
        throw new ProblemsError("The preview failed, so it says nothing about the change:", problems);
    }
    return steps;
}

/** Name of a resource: the end of its URN. */
export function nameOf({ urn }: Pick<Step, "urn">): string {
    return urn.split("::").at(-1)!;
}
