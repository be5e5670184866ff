import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { InferenceService } from "../components/inference-service.ts";
import { ModelCache } from "../components/model-cache.ts";
import { PatchedBuild } from "../components/patched-build.ts";
import type { ServiceSettings } from "../components/service-settings.ts";
import type { LoadedDeployment } from "../deployment/load.ts";
import type { Deployment } from "../deployment/schema.ts";
import { usersOf } from "../deployment/shared.ts";
import type { HostFields } from "../knowledge/fields/host.ts";
import type { SecretReference } from "../knowledge/fields/values.ts";
import { Host } from "../placements/hosts/host.ts";
import type { GpuPool } from "../placements/pool/gpu-pool.ts";
import type { SecretSource } from "../placements/secret-source.ts";

/** Composes the components that a stack file asks for. Gives the URL of each service. */
export function deploy(loaded: LoadedDeployment): Record<string, pulumi.Output<string>> {
    const { deployment, facts, lock, services } = loaded;
    const hosts = mapValues(deployment.hosts, ({ facts: _file, privateKey, ...host }, name) => {
        const key = keyText(privateKey);
        return new Host(name, { ...host, ...(key ? { privateKey: key } : {}), facts: facts[name]! });
    });
    const pools = mapValues(deployment.pools, ({ facts: _file, context, ...pool }, name): GpuPool => {
        const provider = new kubernetes.Provider(name, { context, clusterIdentifier: context ?? name });
        return { ...pool, provider, facts: facts[name]! };
    });
    const placeOf = (part: "build" | "model", name: string) => {
        const users = usersOf(deployment, part, name);
        const [pool] = users.pools;
        return pool === undefined ? { hosts: users.hosts.map((host) => hosts[host]!) } : { pool: pools[pool]! };
    };
    const builds = mapValues(used(deployment, "build", loaded.builds), (build, name) => {
        const { name: _name, locked: _locked, image, patches, ...rest } = build;
        const place = placeOf("build", name);
        return new PatchedBuild(name, {
            ...rest,
            patches: [...patches],
            placement: "pool" in place && image ? { ...place, image } : place,
            lock: lock.builds[name],
        });
    });
    const caches = mapValues(used(deployment, "model", deployment.models), (model, name) => {
        const { token, profile: _profile, config: _config, storageGiB, ...rest } = model;
        const place = placeOf("model", name);
        const user = services.find(({ request }) => request.model.name === name)!;
        const { image } = user.request.build;
        const inPool = { ...(image ? { image } : {}), ...(storageGiB ? { storageGiB } : {}) };
        return new ModelCache(name, {
            ...rest,
            placement: "pool" in place ? { ...place, ...inPool } : place,
            token: secretSource(token),
            lock: lock.models[rest.repository],
        });
    });
    return Object.fromEntries(
        services.map(({ request }) => {
            const { name, build, model, fields, oracle } = request;
            const { placement, apiKey } = deployment.services[name]!;
            // a file may name any backend of its release, the declarations only those that can be right on SM120
            const settings = fields as ServiceSettings;
            const inference = new InferenceService(name, {
                ...settings,
                build: builds[build.name]!,
                cache: caches[model.name]!,
                profile: model.profile,
                modelConfig: model.config,
                oracle: oracle?.oracle,
                placement:
                    "hosts" in placement
                        ? { ...placement, hosts: placement.hosts.map((host) => hosts[host]!) }
                        : { ...placement, pool: pools[placement.pool]! },
                apiKey: secretSource(apiKey),
            });
            return [name, inference.endpoint];
        }),
    );
}

/** Those of a table that some service uses: nothing is made for the others. */
function used<T>(
    deployment: Deployment,
    part: "build" | "model",
    table: Readonly<Record<string, T>>,
): Record<string, T> {
    const names = new Set(Object.values(deployment.services).map((service) => service[part]));
    return Object.fromEntries(Object.entries(table).filter(([name]) => names.has(name)));
}

function mapValues<T, U>(table: Readonly<Record<string, T>>, map: (value: T, name: string) => U): Record<string, U> {
    return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value, name)]));
}

function secretSource(reference: SecretReference | undefined): SecretSource | undefined {
    if (reference === undefined || !("config" in reference)) {
        return reference;
    }
    return { value: new pulumi.Config().requireSecret(reference.config) };
}

function keyText(reference: HostFields["privateKey"]): pulumi.Input<string> | undefined {
    if (reference === undefined) {
        return undefined;
    }
    if ("config" in reference) {
        return new pulumi.Config().requireSecret(reference.config);
    }
    return pulumi.secret(readFileSync(reference.file.replace(/^~(?=\/)/, homedir()), "utf8"));
}
