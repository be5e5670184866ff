import { watcherDeadline } from "./watcher.ts";

/** Times of a rollout, all from one budget, in seconds. */
export interface Budgets {
    /** Until what comes before a change is done: the image pulled, its sources patched. Nothing has been stopped by then. */
    readonly prepare: number;
    /** From start to ready, as the stack says it. */
    readonly start: number;
    /** All questions of the gate together. */
    readonly gate: number;
    /** Until the startup probe gives up on a container: a slow server is never killed before its time. */
    readonly startupProbe: number;
    /** `progressDeadlineSeconds`: the same, with the image to pull before it. */
    readonly progressDeadline: number;
    /** Until the verdict's job stops waiting for a yes or a no; after a no it waits as long again for what serves instead. */
    readonly verdict: number;
    /** Until that job is ended from outside, and until Pulumi stops waiting. */
    readonly wait: number;
}

/** Seconds between two looks of the startup probe. */
export const startupPeriod = 5;

/**
 * Derives every time of a rollout. Each is longer than the one before, so that the one that knows the reason ends first:
 * the agent, then the probe, then the Deployment, then Pulumi. Kubernetes' default is 600 s, and so is Pulumi's.
 */
export function budgets(startupBudgetSeconds: number, gateSeconds: number): Budgets {
    const pull = startupBudgetSeconds / 2;
    const startupProbe = startupBudgetSeconds + gateSeconds + 30;
    const progressDeadline = Math.ceil(startupProbe + pull);
    return {
        prepare: Math.max(120, pull) + 60,
        start: startupBudgetSeconds,
        gate: gateSeconds,
        startupProbe,
        progressDeadline,
        verdict: progressDeadline,
        wait: watcherDeadline(2 * progressDeadline, Math.max(120, pull)) + 60,
    };
}

/** Seconds for the download of weights once its pod runs: a quarter of an hour, or what 20 MB/s need. */
export function downloadSeconds(bytes: number): number {
    return Math.max(900, Math.ceil(bytes / 20e6));
}

/** Times of a download, in seconds: until its job ends, until the job beside it does, and until that is ended from outside. */
export function arrivalSeconds(bytes: number): {
    readonly fetch: number;
    readonly arrival: number;
    readonly wait: number;
} {
    const fetch = watcherDeadline(downloadSeconds(bytes));
    const arrival = fetch + 60;
    return { fetch, arrival, wait: watcherDeadline(arrival) + 60 };
}
