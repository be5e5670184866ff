import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type ServiceFields, serviceFieldsSchema } from "../knowledge/fields/service.ts";
import type { MemoryPlan } from "../knowledge/memory/index.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import { checkArgs, input, invalid, isLater, typeToken } from "../placements/component.ts";
import type { AnyRequest } from "../placements/index.ts";
import { type Judged, judge, objections } from "../placements/judge.ts";
import { placementArgs, resourcesOf, type ServicePlacement } from "../placements/registry.ts";
import { kindOf, type SecretSource, secretSource } from "../placements/secret-source.ts";
import { ModelCache } from "./model-cache.ts";
import { PatchedBuild } from "./patched-build.ts";
import type { ServiceSettings } from "./service-settings.ts";

/** Arguments of {@link InferenceService}. */
export interface InferenceServiceArgs extends Omit<ServiceSettings, "environment"> {
    /** Build that serves; where the service runs. */
    build: PatchedBuild;
    /** Model that is served; where the service runs. */
    cache: ModelCache;
    /** Where it runs: on hosts, or on nodes of a pool. */
    placement: ServicePlacement;
    /** Id of the model's profile. Defaults to the profile that lists the repository. */
    profile?: string;
    /** The model's `config.json`, for a model without a profile. */
    modelConfig?: unknown;
    /** API key. Required when the server listens on more than the loopback address. */
    apiKey?: SecretSource;
    /** Environment of the server, NCCL included; checked by the rules. */
    environment?: Record<string, pulumi.Input<string>>;
}

/** What the memory of one GPU is planned to hold. */
export interface ServiceMemory {
    /** Whether everything fits. */
    fits: boolean;
    /** Weights on one GPU, GiB. */
    weightsGiBPerGpu: number;
    /** Bytes of one token in the KV cache of one GPU. */
    kvBytesPerToken: number;
    /** Tokens that the KV cache holds. */
    kvTokens: number;
    /** GiB left outside weights and pools, for graphs, activations and workspaces. */
    headroomGiB: number;
}

const { environment } = serviceFieldsSchema.shape;
const { keyType, valueType } = environment.unwrap();

const serviceArgs = serviceFieldsSchema.extend({
    build: z.custom<PatchedBuild>((value) => value instanceof PatchedBuild, "must be a PatchedBuild"),
    cache: z.custom<ModelCache>((value) => value instanceof ModelCache, "must be a ModelCache"),
    placement: placementArgs("service"),
    profile: z.string().optional(),
    modelConfig: z.unknown().optional(),
    apiKey: secretSource.optional(),
    environment: z.record(keyType, input(valueType as z.ZodType<string>)).optional(),
});

/**
 * One inference server: its settings made safe for SM120, launched, and proved by questions before it counts as deployed.
 *
 * @example
 * ```ts
 * const service = new InferenceService("qwen", { build, cache, placement: { hosts: [host] }, api: { port: 8000 } });
 * export const endpoint = service.endpoint;
 * ```
 */
export class InferenceService extends pulumi.ComponentResource {
    /** URL of the server. Known at preview; whoever uses it waits until the server was proved. */
    public readonly endpoint: pulumi.Output<string>;
    /** Launch command, one argument an element; on several hosts the first host's. */
    public readonly launchCommand: pulumi.Output<string[]>;
    /** What the rules changed or warn about. */
    public readonly findings: pulumi.Output<string[]>;
    /** Memory plan of one GPU; undefined when the model cannot be planned. */
    public readonly memory: pulumi.Output<ServiceMemory | undefined>;

    /** Throws a `RunError` that names every invalid argument and every setting that a rule refuses. */
    constructor(name: string, args: InferenceServiceArgs, opts?: pulumi.ComponentResourceOptions) {
        const checked = checkArgs("InferenceService", name, serviceArgs, args);
        const { build, cache, placement, profile, modelConfig, apiKey, environment = {}, ...fields } = checked;
        const place = resourcesOf(placement);
        const recorded = place.facts(placement);
        const request = (facts: readonly (HostFacts | undefined)[], variables: Record<string, string>): AnyRequest => ({
            name,
            build: build.spec,
            model: { ...cache.spec, ...(profile ? { profile } : {}), config: modelConfig },
            target: place.target(placement, facts),
            apiKey: apiKey && kindOf(apiKey),
            fields: {
                ...(fields as ServiceFields),
                ...(checked.environment ? { environment: variables } : {}),
            },
        });
        const known = Object.entries(environment).filter((entry): entry is [string, string] => !isLater(entry[1]));
        const judged = judge(
            request(
                recorded.map((facts) => (pulumi.Output.isInstance(facts) ? undefined : facts)),
                Object.fromEntries(known),
            ),
        );
        const later = Object.keys(environment).filter((variable) => isLater(environment[variable]));
        const problems = [
            ...elsewhere("build", place.elsewhere(args.placement, build.placement)),
            ...elsewhere("cache", place.elsewhere(args.placement, cache.placement)),
            ...place.taken(args.placement, judged),
            ...objections(judged),
        ];
        if (problems.length > 0) {
            throw invalid("InferenceService", name, problems);
        }
        const open = [...judged.open, ...later];
        const decided: pulumi.Output<() => Judged> =
            open.length === 0
                ? pulumi.output(() => judged)
                : pulumi.all([recorded, environment]).apply(([facts, variables]) => {
                      const whole = judge(request(facts as HostFacts[], variables as Record<string, string>));
                      const wrong = objections(whole);
                      if (wrong.length > 0) {
                          throw invalid("InferenceService", name, wrong);
                      }
                      return () => whole;
                  });
        super(typeToken("InferenceService"), name, shownInputs(judged, decided, open), opts);
        if (open.length > 0 && pulumi.runtime.isDryRun()) {
            void pulumi.log.info(`open until what decides them is known: ${open.join(", ")}`, this);
        }

        const placed = place.service(this, placement, {
            name,
            judged,
            decided,
            apiKey,
            image: build.image,
            after: [build, cache],
        });

        this.endpoint = placed.endpoint;
        this.launchCommand = placed.launchCommand;
        this.findings = decided.apply((now) =>
            now().resolved.findings.map(({ rule, verdict, message }) => `${verdict} ${rule}: ${message}`),
        );
        this.memory = decided.apply((now) => memoryOf(now().resolved.memory));
        this.registerOutputs({
            endpoint: this.endpoint,
            launchCommand: this.launchCommand,
            findings: this.findings,
            memory: this.memory,
        });
    }
}

function elsewhere(path: string, message: string | undefined) {
    return message === undefined ? [] : [{ path, message }];
}

/**
 * What a diff shows of a service: the effective settings, one a line, the digest that they add up to, and what the rules said:
 * `<verdict> <rule>`, which a policy reads instead of judging again.
 */
function shownInputs(judged: Judged, decided: pulumi.Output<() => Judged>, open: readonly string[]): pulumi.Inputs {
    const { spec, resolved } = judged;
    const shown = ({ resolved }: Judged) => ({
        settings: resolved.arguments,
        environment: Object.fromEntries(resolved.environment.map(({ name, value }) => [name, value])),
        findings: [...new Set(resolved.findings.map(({ verdict, rule }) => `${verdict} ${rule}`))].sort(),
        settingsDigest: resolved.settingsDigest,
    });
    const now = shown(judged);
    const late = decided.apply((whole) => shown(whole()));
    return {
        model: spec.model.repository,
        revision: spec.model.revision,
        release: resolved.release,
        accept: spec.fields.accept,
        ...(open.length === 0
            ? now
            : {
                  settings: late.apply(({ settings }) => settings),
                  environment: late.apply(({ environment }) => environment),
                  findings: late.apply(({ findings }) => findings),
                  settingsDigest: late.apply(({ settingsDigest }) => settingsDigest),
              }),
    };
}

function memoryOf(plan: MemoryPlan | undefined): ServiceMemory | undefined {
    if (plan === undefined) {
        return undefined;
    }
    const { fits, weightsGiBPerGpu, kvBytesPerToken, kvTokens, headroomGiB } = plan;
    return { fits, weightsGiBPerGpu, kvBytesPerToken, kvTokens, headroomGiB };
}
