import type { Command } from "commander";
import { statusOf } from "../placements/asking.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { type Receipt, receiptText } from "./receipt/receipt-text.ts";
import { namedServices } from "./service-names.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";

/** Declares `receipt [SERVICE …]`. */
export function declare(verb: Command): void {
    declareStack(verb)
        .argument("[SERVICE...]", "services by name (default: all)")
        .option(...jsonOption)
        .action(ending(run));
}

/** `receipt [SERVICE …]`: the verdict on what each machine serves, every figure, and what it is bound to. Exit 1 without a "yes" that still holds. */
function run(names: readonly string[], values: StackOptions & JsonOption): number {
    const { services, parts } = namedServices(stackFileOf(values), names);
    const found: Receipt[] = services.flatMap(({ request: { name, target } }) =>
        statusOf(target)
            .status(name, target, parts)
            .map(({ service, machine, verdict, changed }) => ({ service, machine, verdict, changed })),
    );
    process.stdout.write(
        values.json ? `${JSON.stringify(found, null, 4)}\n` : found.map((one) => receiptText(one)).join("\n"),
    );
    return found.every(({ verdict, changed }) => verdict?.verdict === "yes" && changed.length === 0) ? 0 : 1;
}
