import * as pulumi from "@pulumi/pulumi";
import { startupBudgetSeconds } from "../../knowledge/service/process.ts";
import type { Placed, ServiceToPlace } from "../placement.ts";
import type { Host } from "./host.ts";
import { hostCommand } from "./host-command.ts";
import { hostSecret } from "./host-secret.ts";
import { servicePlan } from "./service-plan.ts";

/** Runs a service on hosts: checks each host first, then switches it over and proves it. */
export function placeOnHosts(parent: pulumi.Resource, name: string, hosts: Host[], place: ServiceToPlace): Placed {
    const ranks = hosts.map((host, rank) => placeOnHost(parent, name, host, rank, hosts, place));
    const ready = pulumi.all(ranks.map(({ urn }) => urn));
    const leader = ranks[0]!;
    const port = Number(place.service.settings.port?.value ?? 30000);
    const listen = String(place.service.settings.host?.value ?? "127.0.0.1");
    return {
        endpoint: pulumi
            .all([hosts[0]!.access.address, ready])
            .apply(([address]) => `http://${listen === "127.0.0.1" ? listen : address}:${port}`),
        launchCommand: leader.launchCommand,
    };
}

function placeOnHost(
    parent: pulumi.Resource,
    name: string,
    host: Host,
    rank: number,
    hosts: Host[],
    { service, spec, build, cache, apiKey }: ServiceToPlace,
) {
    const child = (role: string) => `${name}-${host.name}-${role}`;
    const key = apiKey && rank === 0 ? hostSecret(child("key"), parent, host, apiKey) : undefined;
    const plan = pulumi
        .all([key?.path, key?.fingerprint, hosts[0]!.access.address])
        .apply(([keyPath, fingerprint, leaderAddress]) =>
            servicePlan(service, {
                root: host.access.root,
                owner: host.access.owner,
                facts: host.facts,
                gpus: spec.nodes[rank]!.gpus,
                build: build.planFor(),
                model: { path: cache.plan.path, manifestDigest: cache.plan.manifestDigest ?? "not-pinned" },
                apiKey: keyPath && fingerprint ? { path: keyPath, fingerprint } : undefined,
                cluster: hosts.length > 1 ? { nodes: hosts.length, rank, leaderAddress } : undefined,
                startupBudgetSeconds: startupBudgetSeconds(spec.fields),
            }),
        );
    const prepare = hostCommand(
        child("prepare"),
        host.access,
        { verb: "prepare", desired: plan.apply(({ prepare }) => ({ ...prepare })), shown: true },
        { parent, dependsOn: host },
    );
    const activate = hostCommand(
        child("activate"),
        host.access,
        { verb: "activate", desired: plan.apply(({ activate }) => ({ ...activate })), removes: "service", shown: true },
        { parent, dependsOn: [host, build, cache, prepare, ...(key?.command ? [key.command] : [])] },
    );
    return {
        urn: activate.urn,
        launchCommand: plan.apply(({ argv }) => [...argv]),
    };
}
