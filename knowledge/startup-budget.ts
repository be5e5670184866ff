import type { ServiceFields } from "./service-fields.ts";

/**
 * Minutes from start to ready when nothing is said. Loading, kernel compilation and graph capture of a 400 GB model from
 * a warm disk take 7 to 8 (local-inference-lab/rtx6kpro, GLM-5).
 */
const defaultMinutes = 30;

/** Seconds from start to ready that a service is given. */
export function startupBudgetSeconds({ startupBudgetMinutes = defaultMinutes }: ServiceFields): number {
    return 60 * startupBudgetMinutes;
}
