import { z } from "zod";
import { field } from "../field.ts";
import { size } from "../values.ts";

/** Questions that a started server must answer before it counts as deployed. */
export const gateSchema = z
    .strictObject({
        concurrency: field(size, {
            says: "Requests at once in the concurrency check",
            default: "16",
            examples: [32],
        }),
        sampled: field(size, { says: "Sampled requests", default: "4", examples: [8] }),
        minimumTokensPerSecond: field(z.number().positive(), {
            says: 'Throughput of all requests together below which the answer is "no"',
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
