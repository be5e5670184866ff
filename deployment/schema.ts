import { z } from "zod";
import { buildSchema } from "../knowledge/fields/build.ts";
import { hostSchema } from "../knowledge/fields/host.ts";
import { modelSchema } from "../knowledge/fields/model.ts";
import { poolSchema } from "../knowledge/fields/pool.ts";
import { serviceFieldsSchema } from "../knowledge/fields/service.ts";
import { distinct, name, secretReferenceSchema } from "../knowledge/fields/values.ts";

/**
 * The stack file: hosts and pools, builds, models, and the services that put them together.
 *
 * It holds names, numbers and references; secrets are named (`{ config: apiKey }`) and never written here.
 */

const gpus = distinct(z.int().min(0)).optional();

/** Where a service runs: on hosts, or on nodes of a pool. Nothing of one goes with the other. */
export const placementSchema = z.union([
    z.strictObject({
        /** Names of hosts; several for one server that spans them, the first of which serves. */
        hosts: distinct(z.string()),
        /** GPU indices to use on each host. Defaults to all. */
        gpus,
    }),
    z.strictObject({
        /** Name of a pool. */
        pool: z.string(),
        /** Nodes of the pool that one server spans. Defaults to 1. */
        nodes: z.int().positive().default(1),
        /** GPUs of each node, by their indices in the pool's facts; Kubernetes chooses which, so only their number counts. Defaults to all. */
        gpus,
    }),
]);

/** One inference service. */
export const serviceSchema = serviceFieldsSchema.extend({
    build: z.string(),
    model: z.string(),
    placement: placementSchema,
    apiKey: secretReferenceSchema.optional(),
});

/** The whole stack file. */
export const deploymentSchema = z.strictObject({
    hosts: z.record(name, hostSchema).default({}),
    pools: z.record(name, poolSchema).default({}),
    builds: z.record(name, buildSchema),
    models: z.record(name, modelSchema),
    services: z.record(name, serviceSchema),
});

/** See {@link deploymentSchema}. */
export type Deployment = z.output<typeof deploymentSchema>;
/** One service of a {@link Deployment}. */
export type DeploymentService = z.output<typeof serviceSchema>;
