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

/** One inference service. */
export const serviceSchema = serviceFieldsSchema.extend({
    build: z.string(),
    model: z.string(),
    hosts: distinct(z.string()).optional(),
    pool: z.string().optional(),
    /** Nodes of the pool. Defaults to 1. */
    nodes: z.int().positive().optional(),
    /** GPU indices to use on each host. Defaults to all. */
    gpus: distinct(z.int().min(0)).optional(),
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
