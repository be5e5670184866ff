/**
 * What a service is to be fast at: `latency` (few users, each answer soon), `throughput` (many users, tokens of all together),
 * `balanced` between the two; `none`: nothing is set for speed.
 */
export const objectives = ["latency", "balanced", "throughput", "none"] as const;

/** See {@link objectives}. */
export type Objective = (typeof objectives)[number];
