import { z } from "zod";
import { type HostsTarget, hostsPlacement } from "./hosts/placement.ts";
import { hostsFields, hostsTarget } from "./hosts/stack-part.ts";
import type { Placement, ServiceRequest } from "./placement.ts";
import { type PoolTarget, poolPlacement } from "./pool/placement.ts";
import { poolFields, poolTarget } from "./pool/stack-part.ts";
import type { Find, StackParts, StackSecrets } from "./stack-part.ts";

/** Where a service is to run. */
export type Target = HostsTarget | PoolTarget;

/** A service that is asked for somewhere. */
export type AnyRequest = ServiceRequest<Target>;

/** Every kind of place, by the kind of its targets. */
const placements = { hosts: hostsPlacement, pool: poolPlacement };

/** The placement of a target. */
export function placementOf(target: Pick<Target, "kind">): Placement<Target> {
    return placements[target.kind] as Placement<Target>;
}

/** The `placement` of a service in a stack file: one of the kinds, and nothing of one goes with another. */
export const placementFields = z.union([hostsFields, poolFields]);

/** The target that a stack file's `placement` names; nothing while it refers to what is not there. */
export function targetOf(
    fields: z.output<typeof placementFields>,
    parts: StackParts,
    find: Find,
    secrets: StackSecrets,
): Target | undefined {
    return "hosts" in fields ? hostsTarget(fields, parts, find) : poolTarget(fields, parts, find, secrets);
}
