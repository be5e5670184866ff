import { z } from "zod";
import { digest } from "../base/words.ts";
import { hostFactsSchema } from "../records/facts.ts";
import { machine } from "./machine.ts";
import { verdict } from "./records.ts";

const path = z.string();
const nullable = z.string().nullable();

/** What each verb answers. */
export const answers = {
    activate: z.strictObject({ changed: z.boolean(), generation: z.string(), restarted: z.boolean() }),
    build: z.strictObject({ changed: z.boolean(), path }),
    "check-arguments": z.strictObject({ accepted: z.int() }),
    error: z.strictObject({
        error: z
            .strictObject({
                code: z.string(),
                message: z.string(),
                log: z.string().optional(),
                evidence: z.record(z.string(), z.unknown()).optional(),
            })
            .meta({ title: "Failure" }),
    }),
    facts: hostFactsSchema,
    fetch: z.strictObject({ changed: z.boolean(), path }),
    install: z.strictObject({ installed: z.string() }),
    /** What a server's pod says of itself. */
    board: z.strictObject({
        name: z.string(),
        /** Generation that the pod was made for. */
        desired: z.string(),
        rank: z.int(),
        /** Generation of the server that was started, another text for each start, and the port on which its ranks meet. */
        serving: nullable,
        start: nullable,
        meeting: z.int().nullable(),
        /** On what the pod was made for, whatever serves. */
        verdict: verdict.nullable(),
    }),
    /** Another one each time. */
    intend: z.strictObject({ attempt: digest }),
    "remove-secret": z.strictObject({ removed: z.boolean() }),
    secret: z.strictObject({ changed: z.boolean(), path }),
    prepare: z.strictObject({ ready: z.boolean() }),
    remove: z.strictObject({ removed: z.boolean(), kept: z.union([z.string(), z.array(z.string())]).optional() }),
    status: z.strictObject({
        active: z.boolean(),
        build: nullable,
        enabled: z.boolean(),
        generation: nullable,
        /** As it is now, whatever it was when the verdict was found. */
        machine,
        owner: nullable,
        previous: nullable,
        settingsDigest: nullable,
        sinceBoot: z.boolean(),
        switching: z.boolean(),
        unitState: z.string(),
        verdict: verdict.nullable(),
    }),
} as const;

/** What a verb answers. */
export type Answer<V extends keyof typeof answers> = z.output<(typeof answers)[V]>;
