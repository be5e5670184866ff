import { type Command, InvalidArgumentError, Option } from "commander";
import { statusOf } from "../placements/asking.ts";
import { ending } from "./arguments.ts";
import { namedServices } from "./service-names.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";

interface Options extends StackOptions {
    readonly lines: string;
}

/** Declares `logs [SERVICE …]`. */
export function declare(verb: Command): void {
    const lines = new Option("-n, --lines <LINES>", "how many of the last lines")
        .default("100", "100")
        .argParser(wholeNumber);
    declareStack(verb).argument("[SERVICE...]", "services by name (default: all)").addOption(lines).action(ending(run));
}

function wholeNumber(text: string): string {
    if (!/^[1-9]\d{0,6}$/.test(text)) {
        throw new InvalidArgumentError("It must be a whole number.");
    }
    return text;
}

/** `logs SERVICE`: the last lines of a service's log on each of its machines. */
function run(names: readonly string[], values: Options): number {
    const { services, parts } = namedServices(stackFileOf(values), names);
    for (const { request } of services) {
        const { name, target } = request;
        for (const { machine, text } of statusOf(target).logs(name, target, parts, Number(values.lines))) {
            process.stdout.write(`== ${name} on ${machine}\n${text}`);
        }
    }
    return 0;
}
