import { parseArgs } from "node:util";
import { unitName } from "../knowledge/host/paths.ts";
import { runRemote } from "./remote-agent.ts";
import { onServiceHosts } from "./status.ts";

/** `logs SERVICE`: the last lines of a service's journal on each of its hosts. */
export function run(argv: string[]): number {
    const { values, positionals } = parseArgs({
        args: argv,
        allowPositionals: true,
        options: {
            stack: { type: "string", short: "s" },
            file: { type: "string" },
            lines: { type: "string", short: "n", default: "100" },
        },
    });
    const lines = Number.parseInt(values.lines, 10) || 100;
    const file = values.file ?? `Pulumi.${values.stack ?? "blackwell"}.yaml`;
    onServiceHosts(file, positionals, (service, _root, host) => {
        const journal = runRemote(host, `journalctl -u ${unitName(service)} -n ${lines} --no-pager -o short-iso`);
        process.stdout.write(`== ${service} on ${host.name}\n${journal}`);
    });
    return 0;
}
