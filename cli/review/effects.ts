import { leaves } from "./changes.ts";
import { nameOf, type Step } from "./preview.ts";

/** What a step does to whoever uses the machines. */
export interface Effect {
    readonly kind: "restart" | "start" | "stop" | "move" | "download" | "none";
    /** For a table cell. */
    readonly text: string;
}

const nothing: Effect = { kind: "none", text: "" };

/** What an operation does on a machine; `steps` are all of the preview. */
export function effectOf(step: Step, steps: readonly Step[]): Effect {
    const type = (step.newState ?? step.oldState)?.type ?? "";
    if (type === "sglang:index:ModelCache") {
        const moved = step.op === "update" && step.oldState?.inputs?.revision !== step.newState?.inputs?.revision;
        return step.op === "create" || moved ? download(step) : nothing;
    }
    if (nameOf(step).endsWith("-fetch") && step.op === "replace") {
        return download(steps.find(({ urn }) => urn === step.newState?.parent));
    }
    if (nameOf(step).endsWith("-activate")) {
        return tookBack(step, steps) ?? switched(step, "stdin.generation");
    }
    if (/^kubernetes:apps\/v1:(Deployment|StatefulSet)$/.test(type)) {
        return switched(step, "spec.template");
    }
    return nothing;
}

function download(cache: Step | undefined): Effect {
    const bytes = Number(cache?.newState?.inputs?.bytes ?? 0);
    return { kind: "download", text: bytes === 0 ? "downloads a model" : `downloads ${(bytes / 1e9).toFixed(1)} GB` };
}

/** What was intended last is taken back: the state of an `activate` that was cut off or failed knows nothing of it. */
function tookBack(step: Step, steps: readonly Step[]): Effect | undefined {
    const intent = steps.find(({ urn }) => urn === step.urn.replace(/-activate$/, "-intend"));
    return step.op === "update" && !differs(step, "stdin.generation") && intent && differs(intent, "stdin.generation")
        ? { kind: "restart", text: "restarts the service, unless it serves so already" }
        : undefined;
}

/** A service restarts when something at or below `path` of its resource changes. */
function switched(step: Step, path: string): Effect {
    switch (step.op) {
        case "create":
            return { kind: "start", text: "starts the service" };
        case "delete":
            return { kind: "stop", text: "stops the service" };
        case "replace":
            return { kind: "move", text: "starts the service in the new place, then stops it in the old one" };
        default:
            return differs(step, path)
                ? { kind: "restart", text: "restarts the service" }
                : { kind: "none", text: "no restart" };
    }
}

/** Whether something at or below `path` of a resource's inputs changes. */
function differs({ oldState, newState }: Step, path: string): boolean {
    const below = (state: Step["newState"]) =>
        [...leaves(state?.inputs ?? {})].filter(([key]) => key === path || key.startsWith(`${path}.`)).join("\n");
    return below(oldState) !== below(newState);
}
