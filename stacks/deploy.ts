import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { InferenceService } from "../components/inference-service.ts";
import { ModelCache } from "../components/model-cache.ts";
import { PatchedBuild } from "../components/patched-build.ts";
import type { LoadedDeployment } from "../deployment/load.ts";
import type { HostFields } from "../knowledge/fields/host.ts";
import type { SecretReference } from "../knowledge/fields/values.ts";
import { Host } from "../placements/hosts/host.ts";
import type { GpuPool } from "../placements/pool/gpu-pool.ts";
import type { SecretSource } from "../placements/secret-source.ts";

/** Composes the components that a stack file asks for. Gives the URL of each service. */
export function deploy({
    deployment,
    facts,
    lock,
    patches,
    services,
}: LoadedDeployment): Record<string, pulumi.Output<string>> {
    const hosts = mapValues(deployment.hosts, (host, name) => {
        const { facts: _file, privateKey, ...rest } = host;
        return new Host(name, { ...rest, privateKey: keyText(privateKey), facts: facts[name]! });
    });
    const pools = mapValues(deployment.pools, ({ facts: _file, context, ...rest }, name): GpuPool => {
        const provider = new kubernetes.Provider(name, { context, clusterIdentifier: context ?? name });
        return { ...rest, provider, facts: facts[name]! };
    });
    const hostsOf = (kind: "build" | "model", name: string) => {
        const users = services.filter(({ service }) => service[kind] === name);
        return [...new Set(users.flatMap(({ service }) => service.hosts ?? []))].map((host) => hosts[host]!);
    };
    const poolOf = (name: string) =>
        services.find(({ service }) => service.model === name && service.pool)?.service.pool;
    const imageOf = (name: string) => {
        const user = services.find(({ service }) => service.model === name && service.pool);
        return user && deployment.builds[user.service.build]!.image;
    };
    const builds = mapValues(deployment.builds, ({ patches: _patches, ...rest }, name) => {
        const args = { ...rest, patches: [...patches[name]!], hosts: hostsOf("build", name), lock: lock.builds[name] };
        return new PatchedBuild(name, args);
    });
    const caches = mapValues(deployment.models, ({ token, profile: _profile, config: _config, ...rest }, name) => {
        const pool = poolOf(name);
        return new ModelCache(name, {
            ...rest,
            hosts: hostsOf("model", name),
            pool: pool === undefined ? undefined : pools[pool],
            image: imageOf(name),
            token: secretSource(token),
            lock: lock.models[rest.repository],
        });
    });
    return Object.fromEntries(
        services.map(({ name, service, model, spec }) => {
            const inference = new InferenceService(name, {
                ...spec.fields,
                build: builds[service.build]!,
                cache: caches[service.model]!,
                profile: model.profile,
                modelConfig: spec.model.config,
                hosts: service.hosts?.map((host) => hosts[host]!),
                gpus: service.gpus,
                pool: service.pool === undefined ? undefined : pools[service.pool],
                nodes: service.nodes,
                apiKey: secretSource(service.apiKey),
            } as ConstructorParameters<typeof InferenceService>[1]);
            return [name, inference.endpoint];
        }),
    );
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
