import type { Command } from "commander";
import { statusOf } from "../placements/asking.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { namedServices } from "./service-names.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";

/** Declares `status [SERVICE …]`. */
export function declare(verb: Command): void {
    declareStack(verb)
        .argument("[SERVICE...]", "services by name (default: all)")
        .option(...jsonOption)
        .action(ending(run));
}

/** `status [SERVICE …]`: what the machines of a stack run, and the verdict of the last gate. Exit 1 when a service is not up. */
function run(names: readonly string[], values: StackOptions & JsonOption): number {
    const { services, parts } = namedServices(stackFileOf(values), names);
    const found = services.flatMap(({ request: { name, target } }) => statusOf(target).status(name, target, parts));
    const lines = found.map(
        ({ service, machine, up, generation, gate, changed }) =>
            `${service} on ${machine}: ${up ? "up" : "not up"}, generation ${generation ?? "none"}, gate ${[gate ?? "none", ...changed].join(", ")}\n`,
    );
    process.stdout.write(values.json ? `${JSON.stringify(found, null, 4)}\n` : lines.join(""));
    return found.every(({ up }) => up) ? 0 : 1;
}
