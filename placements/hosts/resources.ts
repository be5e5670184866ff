import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { buildPlan } from "../../knowledge/artifacts/build-plan.ts";
import { modelPlan } from "../../knowledge/artifacts/model-plan.ts";
import { distinct, gpuList } from "../../knowledge/fields/values.ts";
import type { Judged } from "../judge.ts";
import type { PlacementResources } from "../resources.ts";
import type { SecretOnHost, SecretValue } from "../secret-source.ts";
import { collisions } from "./collisions.ts";
import { Host } from "./host.ts";
import { hostCommand } from "./host-command.ts";
import { hostSecret } from "./host-secret.ts";
import { placeOnHosts } from "./place-on-hosts.ts";

/** Hosts that keep a build or a model. */
export interface OnHosts {
    /** The hosts, none of them twice. */
    hosts: Host[];
}

/** Hosts that a service runs on. */
export interface HostsPlacement extends OnHosts {
    /** GPU indices to use on each host. Defaults to all. */
    gpus?: number[];
}

const host = z.custom<Host>((value) => value instanceof Host, "must be a Host");
const onHosts = z.strictObject({ hosts: distinct(host) });

/** Services of this program by host: what they want of it. */
const placed = new WeakMap<Host, Judged[]>();

/** Bare-metal hosts, as components use them. */
export const hostsResources: PlacementResources<OnHosts, OnHosts, HostsPlacement> = {
    args: { build: onHosts, model: onHosts, service: onHosts.extend({ gpus: gpuList.optional() }) },

    facts: ({ hosts }) => hosts.map(({ facts, knownFacts }) => knownFacts ?? facts),

    target: ({ hosts, gpus }, facts) => ({
        kind: "hosts",
        hosts: hosts.map(({ name, access: { root, owner } }, rank) => {
            const known = facts[rank];
            return { name, root, owner, ...(known ? { facts: known } : {}) };
        }),
        gpus,
    }),

    elsewhere: ({ hosts }, other) => {
        const there = "hosts" in other ? other.hosts : [];
        const missing = hosts.filter((one) => !there.includes(one)).map(({ name }) => name);
        return missing.length === 0 ? undefined : `is not on ${missing.join(", ")}: name the same hosts there`;
    },

    taken: ({ hosts }, judged) => {
        const earlier = [...new Set(hosts.flatMap((one) => placed.get(one) ?? []))];
        for (const one of hosts) {
            placed.set(one, [...(placed.get(one) ?? []), judged]);
        }
        return collisions([...earlier, judged]).at(-1)!;
    },

    build(parent, spec, { hosts }) {
        const { digest, desired } = buildPlan(spec);
        const made = hosts.map((one) =>
            hostCommand(
                `${spec.name}-${one.name}-build`,
                one.access,
                { verb: "build", desired: { ...desired }, removes: "build" },
                { parent, dependsOn: one },
            ),
        );
        return { digest: pulumi.output(digest), made };
    },

    model(parent, spec, { hosts }, token) {
        const { desired } = modelPlan(spec);
        return hosts.map((one) => {
            const secret =
                token && hostSecret(`${spec.name}-${one.name}-token`, parent, one, token as SecretValue | SecretOnHost);
            return hostCommand(
                `${spec.name}-${one.name}-fetch`,
                one.access,
                {
                    verb: "fetch",
                    desired: pulumi.output(secret?.path).apply((tokenFile) => ({ ...desired, tokenFile })),
                    removes: "model",
                },
                { parent, dependsOn: secret?.command ? [one, secret.command] : one },
            );
        });
    },

    service: placeOnHosts,
};
