import { z } from "zod";
import { buildSchema } from "../knowledge/fields/build.ts";
import { field, rowOf } from "../knowledge/fields/field.ts";
import { hostSchema } from "../knowledge/fields/host.ts";
import { modelSchema } from "../knowledge/fields/model.ts";
import { poolSchema } from "../knowledge/fields/pool.ts";
import { serviceFieldsSchema } from "../knowledge/fields/service.ts";
import { name, secretReferenceSchema } from "../knowledge/fields/values.ts";
import { placementFields } from "../placements/index.ts";

/**
 * The stack file: hosts and pools, builds, models, and the services that put them together.
 *
 * It holds names, numbers and references; secrets are named (`{ config: apiKey }`) and never written here.
 */

const { gate } = serviceFieldsSchema.shape;

/** One inference service. */
export const serviceSchema = serviceFieldsSchema.extend({
    gate: field(
        gate.unwrap().extend({
            oracle: field(z.string().min(1), {
                says: "File of a trusted server's log-probabilities, an oracle or a recording of `/generate`, that this server's are held against",
                default: "none",
                examples: ["oracles/qwen.json"],
            }).optional(),
        }),
        { says: rowOf(gate)!.says },
    ).optional(),
    build: field(z.string(), { says: "Name of a build", examples: ["sglang", "other-build"] }),
    model: field(z.string(), { says: "Name of a model", examples: ["qwen", "other-model"] }),
    placement: field(placementFields, {
        says: "Where it runs: on hosts, or on nodes of a pool. Nothing of one goes with the other",
    }),
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
