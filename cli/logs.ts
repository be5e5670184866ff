import { parseArgs } from "node:util";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { unitName } from "../placements/hosts/paths.ts";
import { runRemote } from "./remote-agent.ts";
import { stackFileOf, stackOptions } from "./stack-option.ts";
import { onServiceHosts } from "./status.ts";

/** `logs SERVICE`: the last lines of a service's journal on each of its hosts. */
export function run(argv: string[]): number {
    const { values, positionals } = parseArgs({
        args: argv,
        allowPositionals: true,
        options: {
            ...stackOptions,
            lines: { type: "string", short: "n", default: "100" },
        },
    });
    if (!/^[1-9]\d{0,6}$/.test(values.lines)) {
        throw new ProblemsError("logs needs a number of lines:", [
            { path: "-n", message: `must be a whole number, not ${JSON.stringify(values.lines)}` },
        ]);
    }
    const file = stackFileOf(values);
    onServiceHosts(file, positionals, (service, _root, host) => {
        const journal = runRemote(
            host,
            `journalctl -u ${unitName(service)} -n ${values.lines} --no-pager -o short-iso`,
        );
        process.stdout.write(`== ${service} on ${host.name}\n${journal}`);
    });
    return 0;
}
