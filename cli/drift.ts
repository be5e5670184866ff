import type { Command } from "commander";
import { planDeployment } from "../deployment/plan.ts";
import { readStackFile } from "../deployment/read.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { askAgent } from "./remote-agent.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";
import { onServiceHosts } from "./status.ts";

/** Declares `drift [SERVICE …]`. */
export function declare(verb: Command): void {
    declareStack(verb)
        .argument("[SERVICE...]", "services on hosts by name (default: all)")
        .option(...jsonOption)
        .action(ending(run));
}

/** `drift`: what a stack file asks for against what its hosts run, host by host. Exit 1 when they differ. */
function run(names: readonly string[], values: StackOptions & JsonOption): number {
    const file = stackFileOf(values);
    const { services } = planDeployment(readStackFile(file), []);
    const rows = onServiceHosts(file, names, (service, root, host) => {
        const answer = askAgent(host, "status", { root, name: service });
        const planned = services.find(({ request }) => request.name === service)!;
        const expected = [
            ["settingsDigest", planned.resolved.settingsDigest],
            ["build", planned.build.digest],
        ] as const;
        const differences = [
            ...(answer.active ? [] : [`the unit is ${answer.unitState}`]),
            ...expected.flatMap(([name, value]) =>
                answer[name] === value
                    ? []
                    : [`${name} is ${answer[name] ?? "not there"}, the stack file asks for ${value}`],
            ),
        ];
        return { service, host: host.name, differences };
    });
    const text = rows.map(({ service, host, differences }) => {
        const said = differences.length === 0 ? "as the stack file asks" : differences.join("; ");
        return `${service} on ${host}: ${said}\n`;
    });
    process.stdout.write(values.json ? `${JSON.stringify(rows, null, 4)}\n` : text.join(""));
    return rows.every(({ differences }) => differences.length === 0) ? 0 : 1;
}
