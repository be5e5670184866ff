import { z } from "zod";
import { type HostsPlacement, hostsResources, type OnHosts } from "./hosts/resources.ts";
import type { BuildInPool, ModelInPool, PoolPlacement } from "./pool/gpu-pool.ts";
import { poolResources } from "./pool/resources.ts";
import type { PlacementResources } from "./resources.ts";

/** Where a build is: made on hosts, or an image that the pods of a pool run. */
export type BuildPlacement = OnHosts | BuildInPool;

/** Where a model's files are: on hosts, or on a volume of a pool. */
export type ModelPlacement = OnHosts | ModelInPool;

/** Where a service runs: on hosts, or on nodes of a pool. Nothing of one goes with the other. */
export type ServicePlacement = HostsPlacement | PoolPlacement;

type AnyResources = PlacementResources<BuildPlacement, ModelPlacement, ServicePlacement>;

/** Every kind of place, by the key that its arguments have and no other's do. */
const kinds = { hosts: hostsResources, pool: poolResources } as unknown as Record<"hosts" | "pool", AnyResources>;

/** What makes the resources of a placement. */
export function resourcesOf(place: BuildPlacement | ModelPlacement | ServicePlacement): AnyResources {
    return "hosts" in place ? kinds.hosts : kinds.pool;
}

/** The schema of a placement of a build, a model or a service. */
export function placementArgs<Part extends "build" | "model" | "service">(part: Part) {
    const schemas = Object.values(kinds).map(({ args }) => args[part]);
    return z.union(schemas) as unknown as AnyResources["args"][Part];
}
