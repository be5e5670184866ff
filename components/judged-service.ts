import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { below } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { type ServiceFields, serviceFieldsSchema } from "../knowledge/fields/service.ts";
import { type PackedOracle, packedOracle } from "../knowledge/oracle/packed.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import { checkArgs, input, invalid, isLater } from "../placements/component.ts";
import type { AnyRequest } from "../placements/index.ts";
import { type Judged, judge, objections } from "../placements/judge.ts";
import { placementArgs, resourcesOf } from "../placements/registry.ts";
import type { Decided } from "../placements/resources.ts";
import { kindOf, secretSource } from "../placements/secret-source.ts";
import type { InferenceServiceArgs } from "./inference-service.ts";
import { ModelCache } from "./model-cache.ts";
import { PatchedBuild } from "./patched-build.ts";

const { environment } = serviceFieldsSchema.shape;
const { keyType, valueType } = environment.unwrap();

const serviceArgs = serviceFieldsSchema.extend({
    build: z.custom<PatchedBuild>((value) => value instanceof PatchedBuild, "must be a PatchedBuild"),
    cache: z.custom<ModelCache>((value) => value instanceof ModelCache, "must be a ModelCache"),
    placement: placementArgs("service"),
    profile: z.string().optional(),
    modelConfig: z.unknown().optional(),
    oracle: z.unknown().optional(),
    apiKey: secretSource.optional(),
    environment: z.record(keyType, input(valueType as z.ZodType<string>)).optional(),
});

type CheckedArgs = z.output<typeof serviceArgs>;

/** A service's arguments, checked and judged. */
export interface JudgedService {
    readonly checked: CheckedArgs;
    /** What is known when the program runs. */
    readonly judged: Judged;
    /** The same with what comes later, once it is known. */
    readonly decided: Decided;
    /** Settings and variables that are open until then; none when everything is known. */
    readonly open: readonly string[];
}

/** Checks the arguments of a service and judges what they ask for. Throws a `RunError` that names every mistake and every refusal. */
export function judgedService(name: string, args: InferenceServiceArgs): JudgedService {
    const checked = checkArgs("InferenceService", name, serviceArgs, args);
    const variables = checked.environment ?? {};
    const facts = resourcesOf(checked.placement).facts(checked.placement);
    const judged = judge(
        requestOf(
            name,
            checked,
            facts.map((one) => (pulumi.Output.isInstance(one) ? undefined : one)),
            Object.fromEntries(Object.entries(variables).filter(([, value]) => !isLater(value))),
        ),
    );
    const problems = [...misplaced(args, judged), ...objections(judged)];
    if (problems.length > 0) {
        throw invalid("InferenceService", name, problems);
    }
    const open = [...judged.open, ...Object.keys(variables).filter((variable) => isLater(variables[variable]))];
    if (open.length === 0) {
        return { checked, judged, decided: pulumi.output(() => judged), open };
    }
    const decided = pulumi.all([facts, variables]).apply(([known, values]) => {
        const whole = judge(requestOf(name, checked, known as HostFacts[], values));
        const wrong = objections(whole);
        if (wrong.length > 0) {
            throw invalid("InferenceService", name, wrong);
        }
        return () => whole;
    });
    return { checked, judged, decided, open };
}

function requestOf(
    name: string,
    { build, cache, placement, profile, modelConfig, oracle, apiKey, environment: given, ...fields }: CheckedArgs,
    facts: readonly (HostFacts | undefined)[],
    variables: Readonly<Record<string, unknown>>,
): AnyRequest {
    return {
        name,
        build: build.spec,
        model: { ...cache.spec, ...(profile ? { profile } : {}), config: modelConfig },
        target: resourcesOf(placement).target(placement, facts),
        apiKey: apiKey && kindOf(apiKey),
        oracle: oracle === undefined ? undefined : oracleOf(name, oracle),
        fields: {
            ...(fields as ServiceFields),
            ...(given ? { environment: variables as Record<string, string> } : {}),
        },
    };
}

/** An oracle, ready to travel. Throws a `RunError` that names every mistake in it. */
function oracleOf(name: string, oracle: unknown): PackedOracle | undefined {
    const { found, problems } = packedOracle("oracle", JSON.stringify(oracle));
    if (problems.length > 0) {
        throw invalid("InferenceService", name, below("oracle", problems));
    }
    return found;
}

/** A build or cache that is elsewhere, and what of a machine another service of this program has. */
function misplaced({ placement, build, cache }: InferenceServiceArgs, judged: Judged): Problem[] {
    const place = resourcesOf(placement);
    const elsewhere = [
        { path: "build", message: place.elsewhere(placement, build.placement) },
        { path: "cache", message: place.elsewhere(placement, cache.placement) },
    ];
    return [
        ...elsewhere.flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }])),
        ...place.taken(placement, judged),
    ];
}
