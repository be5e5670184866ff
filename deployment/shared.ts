import type { Problem } from "../knowledge/base/settings.ts";
import { placementOf } from "../placements/index.ts";
import { kindOf } from "./request.ts";
import type { Deployment } from "./schema.ts";

/** Where the builds and models of a stack file are needed, and what cannot be there together. */
export function sharedProblems(deployment: Deployment): Problem[] {
    const { builds, models } = deployment;
    const both = (path: string) => ({
        path,
        message: "is used on hosts and in a pool, which hold it differently: give each an entry of its own",
    });
    return [
        ...Object.entries(builds).flatMap(([name, { image }]) => {
            const { hosts, pools } = usersOf(deployment, "build", name);
            return [
                ...(hosts.length > 0 && pools.length > 0 ? [both(`builds.${name}`)] : []),
                ...(hosts.length > 0 && image !== undefined
                    ? [
                          {
                              path: `builds.${name}.image`,
                              message: "only pods run an image, and this build is made on hosts: leave it out",
                          },
                      ]
                    : []),
            ];
        }),
        ...Object.entries(models).flatMap(([name, { token }]) => {
            const { hosts, pools } = usersOf(deployment, "model", name);
            const kind = hosts.length > 0 ? "hosts" : pools.length > 0 ? "pool" : undefined;
            const wrong = token && kind && placementOf({ kind }).secretProblem(kindOf(token));
            return [
                ...(hosts.length > 0 && pools.length > 0 ? [both(`models.${name}`)] : []),
                ...(pools.length > 1
                    ? [
                          {
                              path: `models.${name}`,
                              message: `is used in the pools ${pools.join(" and ")}: give each an entry of its own`,
                          },
                      ]
                    : []),
                ...(wrong ? [{ path: `models.${name}.token`, message: wrong }] : []),
            ];
        }),
    ];
}

/** Hosts and pools where the services run that use a build or a model, each once. */
export function usersOf(
    { services }: Pick<Deployment, "services">,
    part: "build" | "model",
    name: string,
): { hosts: string[]; pools: string[] } {
    const places = Object.values(services).flatMap((service) => (service[part] === name ? [service.placement] : []));
    const hosts = places.flatMap((place) => ("hosts" in place ? place.hosts : []));
    const pools = places.flatMap((place) => ("pool" in place ? [place.pool] : []));
    return { hosts: [...new Set(hosts)], pools: [...new Set(pools)] };
}
