import type { Problem } from "../knowledge/base/settings.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";

/** Indices of the GPUs that a service uses on a machine: the ones that it names, or all. */
export function gpusOf(facts: HostFacts, wanted: readonly number[] | undefined): readonly number[] {
    return wanted ?? facts.gpus.map(({ index }) => index);
}

/** GPUs that a service names and a machine does not have. */
export function missingGpus(
    machine: string,
    facts: HostFacts | undefined,
    wanted: readonly number[] | undefined,
): Problem[] {
    const present = facts?.gpus.map(({ index }) => index);
    const missing = present === undefined ? [] : (wanted ?? []).filter((index) => !present.includes(index));
    return missing.length === 0
        ? []
        : [
              {
                  path: "placement.gpus",
                  message: `${machine} has the GPUs ${present!.join(", ")}, not ${missing.join(", ")}`,
              },
          ];
}
