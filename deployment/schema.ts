import { z } from "zod";
import { buildSchema } from "../knowledge/fields/build.ts";
import { field } from "../knowledge/fields/field.ts";
import { hostSchema } from "../knowledge/fields/host.ts";
import { modelSchema } from "../knowledge/fields/model.ts";
import { poolSchema } from "../knowledge/fields/pool.ts";
import { serviceFieldsSchema } from "../knowledge/fields/service.ts";
import { distinct, name, secretReferenceSchema, size } from "../knowledge/fields/values.ts";

/**
 * The stack file: hosts and pools, builds, models, and the services that put them together.
 *
 * It holds names, numbers and references; secrets are named (`{ config: apiKey }`) and never written here.
 */

/** One inference service. */
export const serviceSchema = serviceFieldsSchema.extend({
    build: field(z.string(), { says: "Name of a build", examples: ["sglang", "other-build"] }),
    model: field(z.string(), { says: "Name of a model", examples: ["qwen", "other-model"] }),
    hosts: field(distinct(z.string()), {
        says: "Hosts to run on; several for one server that spans them, the first of which serves. Either this or `pool`",
        default: "none",
        examples: [["node2"]],
    }).optional(),
    pool: field(z.string(), {
        says: "Node pool to run in. Either this or `hosts`",
        default: "none",
        examples: ["other-pool"],
    }).optional(),
    nodes: field(size, {
        says: "Nodes of the pool that one server spans",
        default: "1",
        examples: [2],
    }).optional(),
    gpus: field(distinct(z.int().min(0)), {
        says: "Indices of the GPUs to use on each host",
        default: "all",
        examples: [[0, 1, 2, 3]],
    }).optional(),
    apiKey: field(secretReferenceSchema, {
        says: "API key; required when the server listens on more than a loopback address",
        default: "none",
    }).optional(),
});

/** The whole stack file. */
export const deploymentSchema = z.strictObject({
    hosts: field(z.record(name, hostSchema).default({}), { says: "Bare-metal machines by name" }),
    pools: field(z.record(name, poolSchema).default({}), { says: "Kubernetes node pools by name" }),
    builds: field(z.record(name, buildSchema), { says: "Builds of SGLang by name" }),
    models: field(z.record(name, modelSchema), { says: "Models by name" }),
    services: field(z.record(name, serviceSchema), { says: "Inference services by name" }),
});

/** See {@link deploymentSchema}. */
export type Deployment = z.output<typeof deploymentSchema>;
/** One service of a {@link Deployment}. */
export type DeploymentService = z.output<typeof serviceSchema>;
