import { z } from "zod";
import { field } from "../../knowledge/fields/field.ts";
import { distinct, gpuList } from "../../knowledge/fields/values.ts";
import type { Find, StackParts } from "../stack-part.ts";
import type { HostsTarget } from "./placement.ts";

/** The `placement` of a service on hosts, in a stack file. */
export const hostsFields = z.strictObject({
    hosts: field(distinct(z.string()), {
        says: "Names of hosts; several for one server that spans them, the first of which serves",
        examples: [["node1"], ["node2"]],
    }),
    gpus: field(gpuList, {
        says: "Indices of the GPUs to use on each host; in a pool Kubernetes chooses which, so that only their number counts",
        default: "all",
        examples: [[0, 1, 2, 3]],
    }).optional(),
});

/** The hosts that it names; nothing while one is not in the file. */
export function hostsTarget(
    { hosts: names, gpus }: z.output<typeof hostsFields>,
    { owner, hosts, facts }: StackParts,
    find: Find,
): HostsTarget | undefined {
    const planned = names.flatMap((name, rank) => {
        const host = find(hosts, name, `hosts.${rank}`, "host");
        const recorded = facts[name];
        return host && recorded ? [{ name, root: host.root, owner, address: host.address, facts: recorded }] : [];
    });
    return planned.length === names.length ? { kind: "hosts", hosts: planned, gpus } : undefined;
}
