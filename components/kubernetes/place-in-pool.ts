import * as pulumi from "@pulumi/pulumi";
import type { Placed, ServiceToPlace } from "../placement.ts";
import type { GpuPool } from "./gpu-pool.ts";

/** Runs a service in a node pool. */
export function placeInPool(_parent: pulumi.Resource, name: string, _pool: GpuPool, _place: ServiceToPlace): Placed {
    throw new pulumi.RunError(`${name}: serving from a pool is not built yet`);
}
