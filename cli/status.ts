import type { Command } from "commander";
import { readStackFile } from "../deployment/read.ts";
import { didYouMean } from "../knowledge/base/nearest.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import type { Answer } from "../knowledge/contract/answers.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { askAgent, type SshTarget, withStackTarget } from "./remote-agent.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";

/** What a host runs of one service, as the agent says. */
export interface ServiceStatus {
    readonly service: string;
    readonly host: string;
    readonly answer: Answer<"status">;
}

/** Declares `status [SERVICE …]`. */
export function declare(verb: Command): void {
    declareStack(verb)
        .argument("[SERVICE...]", "services on hosts by name (default: all)")
        .option(...jsonOption)
        .action(ending(run));
}

/** `status [SERVICE …]`: what the hosts of a stack run, and the verdict of the last gate. Exit 1 when a service is not up. */
function run(names: readonly string[], values: StackOptions & JsonOption): number {
    const file = stackFileOf(values);
    const found = onServiceHosts(file, names, (service, root, host): ServiceStatus => {
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
    const onHosts = services.flatMap(({ request: { name, target } }) =>
        target.kind === "hosts" ? [{ name, hosts: target.hosts }] : [],
    );
    const known = onHosts.map(({ name }) => name);
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
    return onHosts
        .filter(({ name }) => names.length === 0 || names.includes(name))
        .flatMap(({ name, hosts }) =>
            hosts.map((host) =>
                withStackTarget(host.name, deployment.hosts[host.name]!, (target) => ask(name, host.root, target)),
            ),
        );
}
