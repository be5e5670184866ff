import { type HostsTarget, hostsPlacement } from "./hosts/placement.ts";
import type { Placement, ServiceRequest } from "./placement.ts";
import { type PoolTarget, poolPlacement } from "./pool/placement.ts";

/** Where a service is to run. */
export type Target = HostsTarget | PoolTarget;

/** Every kind of place, by the kind of its targets. */
const placements = { hosts: hostsPlacement, pool: poolPlacement };

/** The placement of a target. */
export function placementOf(target: Pick<Target, "kind">): Placement<Target> {
    return placements[target.kind] as Placement<Target>;
}

/** A service that is asked for somewhere. */
export type AnyRequest = ServiceRequest<Target>;
