import * as pulumi from "@pulumi/pulumi";
import { type ServiceFields, serviceFieldsSchema } from "../knowledge/fields/service.ts";
import { resolve } from "../knowledge/service/resolve.ts";
import type { ResolvedService, ServiceSpec } from "../knowledge/service/spec.ts";
import { checkArgs, invalid, typeToken } from "../placements/component.ts";
import type { Host } from "../placements/hosts/host.ts";
import { placeOnHosts } from "../placements/hosts/place-on-hosts.ts";
import type { GpuPool } from "../placements/pool/gpu-pool.ts";
import { placeInPool } from "../placements/pool/place-in-pool.ts";
import { refusals } from "../placements/refusals.ts";
import type { SecretSource } from "../placements/secret-source.ts";
import type { ModelCache } from "./model-cache.ts";
import type { PatchedBuild } from "./patched-build.ts";
import type { ServiceSettings } from "./service-settings.ts";

/** Arguments of {@link InferenceService}. */
export interface InferenceServiceArgs extends ServiceSettings {
    /** Build that serves. */
    build: PatchedBuild;
    /** Model that is served. */
    cache: ModelCache;
    /** Id of the model's profile. Defaults to the profile that lists the repository. */
    profile?: string;
    /** The model's `config.json`, for a model without a profile. */
    modelConfig?: unknown;
    /** Hosts to run on; several for one server that spans them, the first of which serves. Either this or `pool`. */
    hosts?: Host[];
    /** GPU indices to use on each host. Defaults to all. */
    gpus?: number[];
    /** Kubernetes node pool to run in. Either this or `hosts`. */
    pool?: GpuPool;
    /** Nodes of the pool that one server spans. Defaults to 1. */
    nodes?: number;
    /** API key. Required when the server listens on more than the loopback address. */
    apiKey?: SecretSource;
}

/**
 * One inference server: its settings made safe for SM120, launched, and proved by questions before it counts as deployed.
 *
 * @example
 * ```ts
 * const service = new InferenceService("qwen", { build, cache, hosts: [host], api: { port: 8000 } });
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
    public readonly memory: ResolvedService["memory"];

    /** Throws a `RunError` that names every invalid argument and every setting that a rule refuses. */
    constructor(name: string, args: InferenceServiceArgs, opts?: pulumi.ComponentResourceOptions) {
        const { build, cache, profile, modelConfig, hosts, gpus, pool, nodes, apiKey, ...settings } = args;
        const fields = checkArgs("InferenceService", name, serviceFieldsSchema, settings);
        const spec: ServiceSpec = {
            name,
            path: name,
            build: { release: build.release, patches: build.patches, versions: build.versions, stock: build.stock },
            model: { repository: cache.repository, revision: cache.revision, profile, config: modelConfig },
            placement: hosts ? "hosts" : "pool",
            nodes: hosts
                ? hosts.map((host) => ({ name: host.name, facts: host.facts, gpus: gpusOf(host.facts, gpus) }))
                : poolNodes(name, pool, nodes ?? 1, gpus),
            hasApiKey: apiKey !== undefined,
            fields,
        };
        const service = resolve(spec);
        if (service.refused) {
            throw invalid("InferenceService", name, refusals(service));
        }
        const shown = shownInputs(service, fields, spec);
        const place = { service, spec, build, cache, apiKey };
        super(typeToken("InferenceService"), name, shown, opts);

        const placed = hosts ? placeOnHosts(this, name, hosts, place) : placeInPool(this, name, pool!, place);

        this.endpoint = placed.endpoint;
        this.launchCommand = placed.launchCommand;
        this.findings = pulumi.output(
            service.findings.map(({ rule, verdict, message }) => `${verdict} ${rule}: ${message}`),
        );
        this.memory = service.memory;
        this.registerOutputs({ endpoint: this.endpoint });
    }
}

function gpusOf(facts: Host["facts"], wanted: number[] | undefined): number[] {
    return wanted ?? facts.gpus.map(({ index }) => index);
}

function poolNodes(name: string, pool: GpuPool | undefined, count: number, gpus: number[] | undefined) {
    if (!pool) {
        throw invalid("InferenceService", name, [{ path: "hosts", message: "give either `hosts` or a `pool`" }]);
    }
    return Array.from({ length: count }, (_, rank) => ({
        name: `node-${rank}`,
        facts: pool.facts,
        gpus: gpusOf(pool.facts, gpus),
    }));
}

/** What a diff shows of a service: the effective settings, one a line, and the digest that they add up to. */
function shownInputs(service: ResolvedService, fields: ServiceFields, spec: ServiceSpec): Record<string, unknown> {
    return {
        model: spec.model.repository,
        revision: spec.model.revision,
        release: service.release,
        settings: service.arguments,
        environment: Object.fromEntries(service.environment.map(({ name, value }) => [name, value])),
        accept: fields.accept,
        settingsDigest: service.settingsDigest,
    };
}
