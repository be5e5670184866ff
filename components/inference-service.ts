import * as pulumi from "@pulumi/pulumi";
import type { MemoryPlan } from "../knowledge/memory/index.ts";
import { typeToken } from "../placements/component.ts";
import type { Judged } from "../placements/judge.ts";
import { resourcesOf, type ServicePlacement } from "../placements/registry.ts";
import type { Decided } from "../placements/resources.ts";
import type { SecretSource } from "../placements/secret-source.ts";
import { judgedService } from "./judged-service.ts";
import type { ModelCache } from "./model-cache.ts";
import type { PatchedBuild } from "./patched-build.ts";
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
    /** A trusted server's log-probabilities, an oracle or a recording as an object, that this server's are held against. Defaults to none. */
    oracle?: unknown;
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
        const { checked, judged, decided, open } = judgedService(name, args);
        super(typeToken("InferenceService"), name, shownInputs(judged, decided, open), opts);
        if (open.length > 0 && pulumi.runtime.isDryRun()) {
            void pulumi.log.info(`open until what decides them is known: ${open.join(", ")}`, this);
        }

        const { placement, build, cache, apiKey } = checked;
        const { image } = build;
        const now = open.length === 0 ? build.imageNow : undefined;
        const service = { name, judged, decided, apiKey, now, image, after: [build, cache] };
        const placed = resourcesOf(placement).service(this, placement, service);

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

/**
 * What a diff shows of a service: the effective settings, one a line, the digest that they add up to, and what the rules said:
 * `<verdict> <rule>`, which a policy reads instead of judging again.
 */
function shownInputs(judged: Judged, decided: Decided, open: readonly string[]): pulumi.Inputs {
    const { spec, resolved } = judged;
    const shown = ({ resolved }: Judged) => ({
        settings: resolved.arguments,
        environment: Object.fromEntries(resolved.environment.map(({ name, value }) => [name, value])),
        findings: [...new Set(resolved.findings.map(({ verdict, rule }) => `${verdict} ${rule}`))].sort(),
        settingsDigest: resolved.settingsDigest,
    });
    const late = decided.apply((whole) => shown(whole()));
    const { settings, environment, findings, settingsDigest } = open.length === 0 ? shown(judged) : late;
    return {
        model: spec.model.repository,
        revision: spec.model.revision,
        release: resolved.release,
        accept: spec.fields.accept,
        settings,
        environment,
        findings,
        settingsDigest,
    };
}

function memoryOf(plan: MemoryPlan | undefined): ServiceMemory | undefined {
    if (plan === undefined) {
        return undefined;
    }
    const { fits, weightsGiBPerGpu, kvBytesPerToken, kvTokens, headroomGiB } = plan;
    return { fits, weightsGiBPerGpu, kvBytesPerToken, kvTokens, headroomGiB };
}
