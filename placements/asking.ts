import { hostsStatus } from "./hosts/status.ts";
import type { Target } from "./index.ts";
import { poolStatus } from "./pool/status.ts";
import type { PlacementStatus } from "./status.ts";

const kinds = { hosts: hostsStatus, pool: poolStatus };

/** How the service of a target is asked. */
export function statusOf(target: Target): PlacementStatus<Target> {
    return kinds[target.kind] as PlacementStatus<Target>;
}
