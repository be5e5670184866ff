import type { Answer } from "../knowledge/contract/answers.ts";
import type { StackParts } from "./stack-part.ts";

/** What one machine of a place runs of a service. */
export interface MachineStatus {
    readonly service: string;
    /** Name of the host, or of the pod. */
    readonly machine: string;
    /** Whether it serves. */
    readonly up: boolean;
    /** Generation that it runs; null where it runs none. */
    readonly generation: string | null;
    /** What the last gate said; null where none has ended. */
    readonly gate: string | null;
    /** All of it: figures, and what it is bound to. */
    readonly verdict: Answer<"status">["verdict"];
    /** What of the machine is not as it was then, in words; empty where nothing is known of that. */
    readonly changed: readonly string[];
    /** All that it answered. */
    readonly answer: unknown;
}

/** How a running service is asked, with the operator's own programs. Throws a `ProblemsError` with what they said. */
export interface PlacementStatus<Target> {
    /** What each machine runs. */
    status(service: string, target: Target, parts: StackParts): MachineStatus[];
    /** The last lines of each machine's log. */
    logs(service: string, target: Target, parts: StackParts, lines: number): { machine: string; text: string }[];
}
