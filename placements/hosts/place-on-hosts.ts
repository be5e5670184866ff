import * as pulumi from "@pulumi/pulumi";
import type { Answer } from "../../knowledge/contract/answers.ts";
import { endpointOf } from "../../knowledge/service/process.ts";
import type { ServiceRequest } from "../placement.ts";
import type { Placed, ServiceToPlace } from "../resources.ts";
import type { SecretOnHost, SecretValue } from "../secret-source.ts";
import type { Host } from "./host.ts";
import { hostCommand } from "./host-command.ts";
import { hostSecret } from "./host-secret.ts";
import { type HostsTarget, placeOnHost } from "./placement.ts";
import { servicePlan } from "./service-plan.ts";
import { socketAddress } from "./socket-address.ts";

/** Runs a service on hosts: checks each host first, then switches it over and proves it. */
export function placeOnHosts(
    parent: pulumi.Resource,
    { hosts }: { readonly hosts: Host[] },
    service: ServiceToPlace,
): Placed {
    const ranks = hosts.map((host, rank) => placeRank(parent, host, rank, hosts, service));
    const ready = pulumi.all(ranks.map(({ urn }) => urn));
    const leader = ranks[0]!;
    const { host, port } = endpointOf(service.judged.resolved.settings);
    return {
        endpoint: pulumi
            .all([hosts[0]!.access.address, ready])
            .apply(([address]) => `http://${socketAddress(host === "127.0.0.1" ? host : address, port)}`),
        launchCommand: leader.launchCommand,
    };
}

function placeRank(
    parent: pulumi.Resource,
    host: Host,
    rank: number,
    hosts: Host[],
    { name, decided, apiKey, after }: ServiceToPlace,
) {
    const child = (role: string) => `${name}-${host.name}-${role}`;
    const source = apiKey as SecretValue | SecretOnHost | undefined;
    const key = source && rank === 0 ? hostSecret(child("key"), parent, host, source) : undefined;
    const plan = pulumi
        .all([decided, key?.path, key?.fingerprint, hosts[0]!.access.address])
        .apply(([judged, keyPath, fingerprint, leaderAddress]) => {
            const { request, spec, resolved } = judged();
            const bound = keyPath && fingerprint ? { path: keyPath, fingerprint } : undefined;
            const binding = { leaderAddress, ...(bound ? { apiKey: bound } : {}) };
            return servicePlan(
                resolved,
                placeOnHost(request as ServiceRequest<HostsTarget>, spec.nodes, rank, binding),
            );
        });
    const prepare = hostCommand(
        child("prepare"),
        host.access,
        { verb: "prepare", desired: plan.apply(({ prepare }) => ({ ...prepare })), shown: true },
        { parent, dependsOn: host },
    );
    const intend = hostCommand(
        child("intend"),
        host.access,
        { verb: "intend", desired: plan.apply(({ intend }) => ({ ...intend })), removes: "service", shown: true },
        { parent, dependsOn: [host, ...after, prepare, ...(key?.command ? [key.command] : [])] },
    );
    const activate = hostCommand(
        child("activate"),
        host.access,
        {
            verb: "activate",
            desired: plan.apply(({ activate }) => ({ ...activate })),
            attempt: pulumi.unsecret(intend.stdout).apply(attemptOf),
            shown: true,
        },
        { parent, dependsOn: intend },
    );
    return {
        urn: activate.urn,
        launchCommand: plan.apply(({ argv }) => [...argv]),
    };
}

/**
 * The attempt that `intend` answered with. The state keeps the old inputs of an `activate` that was cut off or failed, so that
 * with the old setting put back nothing of them differs; of `intend`, which ended before it, it has the new ones.
 */
function attemptOf(answer: string): string {
    return (JSON.parse(answer) as Answer<"intend">).attempt;
}
