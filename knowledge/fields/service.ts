import { z } from "zod";
import { field } from "./field.ts";
import { apiSchema } from "./service/api.ts";
import { backendsSchema } from "./service/backends.ts";
import { gateSchema } from "./service/gate.ts";
import { kvCacheSchema } from "./service/kv-cache.ts";
import { objectives } from "./service/objective.ts";
import { parallelismSchema } from "./service/parallelism.ts";
import { parsersSchema } from "./service/parsers.ts";
import { schedulingSchema } from "./service/scheduling.ts";
import { speculativeSchema } from "./service/speculative.ts";
import { acceptSchema, environmentSchema, extraArgsSchema } from "./service/untyped.ts";
import { size } from "./values.ts";

/**
 * The typed settings of an inference service, engine-neutral and the same on a host and in a pool.
 *
 * Every field is optional. What is left out is decided by the profile, the rules, the topology or the memory plan, and
 * the plan says by which.
 */
export const serviceFieldsSchema = z
    .strictObject({
        objective: field(z.enum(objectives), {
            says: "What is made fast, after everything is safe: few users (`latency`), many (`throughput`), or between (`balanced`); `none` sets nothing for speed",
            default: "balanced; `none` for a service with a `launch`",
            declared: "Objective",
            examples: ["throughput", "none"],
        }),
        backends: field(backendsSchema, {
            says: "Kernel backends: which implementation computes what. What is left out is set by the rules for the release, never left to SGLang's `auto` where that is wrong",
            declared: "BackendSettings",
        }),
        parallelism: field(parallelismSchema, {
            says: "How the model is spread over GPUs",
            declared: "ParallelismSettings",
        }),
        kvCache: field(kvCacheSchema, { says: "Key-value cache", declared: "KvCacheSettings" }),
        scheduling: field(schedulingSchema, { says: "Admission of requests", declared: "SchedulingSettings" }),
        speculative: field(speculativeSchema, {
            says: "Speculative decoding",
            default: "none",
            declared: "SpeculativeSettings",
        }),
        parsers: field(parsersSchema, {
            says: "Parsers of the answer; `none` switches one off that the model's profile would set",
            declared: "ParserSettings",
        }),
        api: field(apiSchema, { says: "The HTTP side", declared: "ApiSettings" }),
        gate: field(gateSchema, {
            says: "Questions that a started server must answer before it counts as deployed",
            declared: "GateSettings",
        }),
        environment: field(environmentSchema, {
            says: "Environment of the server, NCCL included; checked by the rules",
            default: "what the topology and the rules set",
            examples: [{ NCCL_DEBUG: "INFO" }],
        }),
        launch: field(z.string(), {
            says: "A launch command as it was used elsewhere: each part is kept, translated or refused. Typed fields win over it",
            default: "none",
            examples: ["python3 -m sglang.launch_server --schedule-policy lpm"],
        }),
        extraArgs: field(extraArgsSchema, {
            says: "Further options of the release, by long name without dashes; checked against the release's option table",
            default: "none",
            examples: [{ "schedule-policy": "lpm" }],
        }),
        accept: field(z.array(acceptSchema), {
            says: "Rules that are overridden on purpose",
            default: "none",
            declared: "AcceptedRule",
        }),
        adopt: field(z.boolean(), {
            says: "On hosts: a systemd unit `sglang-<service>.service` that somebody else made is kept aside and its place taken, instead of refused",
            default: "refused, with the unit's name",
            examples: [true],
        }),
        startupBudgetMinutes: field(size, {
            says: "Time from start to ready",
            unit: "minutes",
            default: "30",
            examples: [45],
        }),
    })
    .partial();

/** See {@link serviceFieldsSchema}. */
export type ServiceFields = z.output<typeof serviceFieldsSchema>;
