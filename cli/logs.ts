import { type Command, InvalidArgumentError, Option } from "commander";
import { unitName } from "../placements/hosts/paths.ts";
import { ending } from "./arguments.ts";
import { runRemote } from "./remote-agent.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";
import { onServiceHosts } from "./status.ts";

interface Options extends StackOptions {
    readonly lines: string;
}

/** Declares `logs [SERVICE …]`. */
export function declare(verb: Command): void {
    const lines = new Option("-n, --lines <LINES>", "how many of the last lines")
        .default("100", "100")
        .argParser(wholeNumber);
    declareStack(verb)
        .argument("[SERVICE...]", "services on hosts by name (default: all)")
        .addOption(lines)
        .action(ending(run));
}

function wholeNumber(text: string): string {
    if (!/^[1-9]\d{0,6}$/.test(text)) {
        throw new InvalidArgumentError("It must be a whole number.");
    }
    return text;
}

/** `logs SERVICE`: the last lines of a service's journal on each of its hosts. */
function run(names: readonly string[], values: Options): number {
    const file = stackFileOf(values);
    onServiceHosts(file, names, (service, _root, host) => {
        const journal = runRemote(
            host,
            `journalctl -u ${unitName(service)} -n ${values.lines} --no-pager -o short-iso`,
        );
        process.stdout.write(`== ${service} on ${host.name}\n${journal}`);
    });
    return 0;
}
