import { changesSince } from "../../knowledge/contract/machine.ts";
import type { PlacementStatus } from "../status.ts";
import { unitName } from "./paths.ts";
import type { HostsTarget } from "./placement.ts";
import { askAgent, runRemote, withStackTarget } from "./ssh.ts";

/** Asks the agent on each host, and systemd's journal, over the operator's own SSH client. */
export const hostsStatus: PlacementStatus<HostsTarget> = {
    status: (service, { hosts }, parts) =>
        hosts.map(({ name, root }) => {
            const answer = withStackTarget(name, parts.hosts[name]!, (host) =>
                askAgent(host, "status", { root, name: service }),
            );
            return {
                service,
                machine: name,
                up: answer.active,
                generation: answer.generation ?? null,
                gate: answer.verdict?.verdict ?? null,
                verdict: answer.verdict,
                changed: answer.verdict?.proved ? changesSince(answer.verdict.proved.machine, answer.machine) : [],
                answer,
            };
        }),

    logs: (service, { hosts }, parts, lines) =>
        hosts.map(({ name }) => {
            const command = `journalctl -u ${unitName(service)} -n ${lines} --no-pager -o short-iso`;
            return {
                machine: name,
                text: withStackTarget(name, parts.hosts[name]!, (host) => runRemote(host, command)),
            };
        }),
};
