import { parseArgs } from "node:util";
import { readStackFile } from "../deployment/read.ts";
import { didYouMean } from "../knowledge/base/nearest.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import type { Answer } from "../knowledge/contract/answers.ts";
import { askAgent, type SshTarget, withStackTarget } from "./remote-agent.ts";
import { stackFileOf, stackOptions } from "./stack-option.ts";

/** What a host runs of one service, as the agent says. */
export interface ServiceStatus {
    readonly service: string;
    readonly host: string;
    readonly answer: Answer<"status">;
}

/** `status [SERVICE …]`: what the hosts of a stack run, and the verdict of the last gate. Exit 1 when a service is not up. */
export function run(argv: string[]): number {
    const { values, positionals } = parseArgs({
        args: argv,
        allowPositionals: true,
        options: {
            ...stackOptions,
            json: { type: "boolean", default: false },
        },
    });
    const file = stackFileOf(values);
    const found = onServiceHosts(file, positionals, (service, root, host): ServiceStatus => {
        const answer = askAgent(host, "status", { root, name: service });
        return { service, host: host.name, answer };
    });
    const lines = found.map(
        ({ service, host, answer }) =>
            `${service} on ${host}: ${answer.active ? "up" : "not up"}, generation ${answer.generation ?? "none"}, ` +
            `gate ${answer.verdict?.verdict ?? "none"}\n`,
    );
    process.stdout.write(values.json ? `${JSON.stringify(found, null, 4)}\n` : lines.join(""));
    return found.every(({ answer }) => answer.active) ? 0 : 1;
}

/** Calls `ask` for every host of the named services of a stack file, or of all. */
export function onServiceHosts<T>(
    file: string,
    names: readonly string[],
    ask: (service: string, root: string, host: SshTarget) => T,
): T[] {
    const { deployment, services, problems } = readStackFile(file);
    const known = services.filter(({ service }) => service.hosts).map(({ name }) => name);
    const unknown = names
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: name, message: `no service on hosts has this name${didYouMean(name, known)}` }));
    if (problems.length + unknown.length === 0 && known.length === 0) {
        throw new ProblemsError(`${file} cannot be followed:`, [
            { path: "services", message: "none of them is on hosts; a pool is asked with kubectl" },
        ]);
    }
    if (problems.length + unknown.length > 0) {
        throw new ProblemsError(`${file} cannot be followed:`, [...problems, ...unknown]);
    }
    return services
        .filter(({ name, service }) => service.hosts && (names.length === 0 || names.includes(name)))
        .flatMap(({ name, service }) =>
            service.hosts!.map((hostName) => {
                const host = deployment.hosts[hostName]!;
                return withStackTarget(hostName, host, (target) => ask(name, host.root, target));
            }),
        );
}
