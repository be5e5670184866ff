import { parse as parseYaml } from "yaml";
import type { PatchFile } from "../knowledge/artifacts/build-plan.ts";
import { patchFiles } from "../knowledge/artifacts/patch-files.ts";
import { didYouMean } from "../knowledge/base/nearest.ts";
import { yamlMistake, zodProblems } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import type { BuildFields } from "../knowledge/fields/build.ts";
import type { ModelFields } from "../knowledge/fields/model.ts";
import { type HostFacts, hostFactsSchema } from "../knowledge/records/facts.ts";
import { emptyLock, type Lock, lockSchema } from "../knowledge/records/lock.ts";
import type { ServiceNode, ServiceSpec } from "../knowledge/service/spec.ts";
import { release as releaseOf } from "../knowledge/sglang/index.ts";
import { poolProblems } from "../placements/pool/pool-problems.ts";
import { type Deployment, type DeploymentService, deploymentSchema } from "./schema.ts";

/** Reads a file named in the stack file; throws when there is none. */
export type FileReader = (path: string) => string;

/** A stack file with every file it names read and every reference followed. */
export interface LoadedDeployment {
    /** `<project>/<stack>`: who owns what is put on a machine. */
    readonly owner: string;
    readonly deployment: Deployment;
    /** Facts by host name and by pool name. */
    readonly facts: Readonly<Record<string, HostFacts>>;
    readonly lock: Lock;
    /** Patches by build name: a name of a shipped patch, or a file that was read. */
    readonly patches: Readonly<Record<string, readonly (string | PatchFile)[]>>;
    /** One per service, in the order of the file. */
    readonly services: readonly LoadedService[];
    /** Mistakes; a deployment with any must not be deployed. */
    readonly problems: readonly Problem[];
}

/** A service with what it refers to. */
export interface LoadedService {
    readonly name: string;
    readonly service: DeploymentService;
    readonly build: BuildFields;
    readonly model: ModelFields;
    readonly spec: ServiceSpec;
}

/**
 * Checks a stack file and follows its references. Never throws for a mistake of the user's: each is one of `problems`.
 *
 * `lockText` is the lock file's text, absent before the first `pin`; `owner` is `<project>/<stack>`.
 */
export function loadDeployment(
    value: unknown,
    readFile: FileReader,
    lockText?: string,
    owner = "project/stack",
): LoadedDeployment {
    const parsed = deploymentSchema.safeParse(value);
    if (!parsed.success) {
        const nothing: Deployment = { hosts: {}, pools: {}, builds: {}, models: {}, services: {} };
        return {
            owner,
            deployment: nothing,
            facts: {},
            lock: emptyLock,
            patches: {},
            services: [],
            problems: zodProblems(parsed.error, deploymentSchema),
        };
    }
    const deployment = parsed.data;
    const problems: Problem[] = [];
    const facts: Record<string, HostFacts> = {};
    for (const kind of ["hosts", "pools"] as const) {
        for (const [name, { facts: path }] of Object.entries(deployment[kind])) {
            const document = readDocument(readFile, path, `${kind}.${name}.facts`, problems);
            const checked = document === undefined ? undefined : hostFactsSchema.safeParse(document);
            if (checked?.success) {
                facts[name] = checked.data;
            } else if (checked) {
                problems.push(...zodProblems(checked.error, hostFactsSchema, `${kind}.${name}.facts (${path})`));
            }
        }
    }
    const unknown = unknownReleases(deployment, problems);
    const lock = readLock(lockText, problems);
    const known = Object.entries(deployment.services).filter(([, { build }]) => !unknown.includes(build));
    const services = known.flatMap(([name, service]) =>
        loadService(name, service, deployment, facts, lock, readFile, problems),
    );
    problems.push(...overlaps(services), ...poolProblems(deployment));
    const patches = Object.fromEntries(
        Object.entries(deployment.builds)
            .filter(([name]) => !unknown.includes(name))
            .map(([name, build]) => [name, buildPatches(name, build, readFile, problems)]),
    );
    return { owner, deployment, facts, lock, patches, services, problems };
}

/** Names of builds of a release that is not supported: nothing more is said of them. */
function unknownReleases({ builds }: Deployment, problems: Problem[]): string[] {
    return Object.entries(builds).flatMap(([name, { release }]) => {
        try {
            releaseOf(release);
            return [];
        } catch (error) {
            problems.push({ path: `builds.${name}.release`, message: (error as RangeError).message });
            return [name];
        }
    });
}

function loadService(
    name: string,
    service: DeploymentService,
    deployment: Deployment,
    facts: Readonly<Record<string, HostFacts>>,
    lock: Lock,
    readFile: FileReader,
    problems: Problem[],
): LoadedService[] {
    const path = `services.${name}`;
    const build = lookUp(deployment.builds, service.build, `${path}.build`, "build", problems);
    const model = lookUp(deployment.models, service.model, `${path}.model`, "model", problems);
    const nodes = serviceNodes(path, service, deployment, facts, problems);
    if (!build || !model || !nodes) {
        return [];
    }
    const config = model.config && readDocument(readFile, model.config, `models.${service.model}.config`, problems);
    const { build: _build, model: _model, hosts, pool: _pool, nodes: _nodes, gpus: _gpus, apiKey, ...fields } = service;
    const spec: ServiceSpec = {
        name,
        path,
        build: { release: build.release, patches: build.patches, versions: build.versions, stock: build.stock },
        model: {
            repository: model.repository,
            revision: model.revision ?? lock.models[model.repository]?.revision,
            profile: model.profile,
            config,
        },
        placement: hosts ? "hosts" : "pool",
        nodes,
        hasApiKey: apiKey !== undefined,
        fields,
    };
    return [{ name, service, build, model, spec }];
}

function serviceNodes(
    path: string,
    service: DeploymentService,
    deployment: Deployment,
    facts: Readonly<Record<string, HostFacts>>,
    problems: Problem[],
): ServiceNode[] | undefined {
    if ((service.hosts === undefined) === (service.pool === undefined)) {
        problems.push({ path, message: "must name either `hosts` or a `pool`" });
        return undefined;
    }
    if (service.hosts && service.nodes !== undefined) {
        problems.push({ path: `${path}.nodes`, message: "goes with a `pool`: a service on hosts names each of them" });
    }
    const places = service.hosts ?? Array.from({ length: service.nodes ?? 1 }, () => service.pool!);
    const kind = service.hosts ? "hosts" : "pools";
    const nodes = places.flatMap((place, rank) => {
        const where = service.hosts ? `${path}.hosts.${rank}` : `${path}.pool`;
        const found = lookUp<unknown>(deployment[kind], place, where, kind.slice(0, -1), problems);
        const recorded = facts[place];
        if (!found || !recorded) {
            return [];
        }
        const present = recorded.gpus.map(({ index }) => index);
        const gpus = service.gpus ?? present;
        const missing = gpus.filter((index) => !present.includes(index));
        if (missing.length > 0) {
            const message = `${place} has the GPUs ${present.join(", ")}, not ${missing.join(", ")}`;
            problems.push({ path: `${path}.gpus`, message });
        }
        return [{ name: service.hosts ? place : `${place}-${rank}`, facts: recorded, gpus }];
    });
    return nodes.length === places.length ? nodes : undefined;
}

/** A patch with a slash or the ending `.patch` is a file beside the stack file; any other is one that ships. */
function buildPatches(
    name: string,
    build: BuildFields,
    readFile: FileReader,
    problems: Problem[],
): (string | PatchFile)[] {
    const wanted = build.patches.flatMap((patch, index): (string | PatchFile)[] => {
        if (!/\/|\.patch$/.test(patch)) {
            return [patch];
        }
        const text = readText(readFile, patch, `builds.${name}.patches.${index}`, problems);
        if (text !== undefined && !/^--- .*\r?\n\+\+\+ .*\r?\n@@ /m.test(text)) {
            problems.push({ path: `builds.${name}.patches.${index}`, message: `${patch} is no unified diff` });
        }
        return text === undefined ? [] : [{ name: patch.replace(/^.*\/|\.patch$/g, ""), text }];
    });
    const wrong = patchFiles(build.release, wanted).problems;
    problems.push(...wrong.map(({ path, message }) => ({ path: `builds.${name}.${path}`, message })));
    return wanted;
}

/** Services of one host may not share a GPU or a port. */
function overlaps(services: readonly LoadedService[]): Problem[] {
    const taken = new Map<string, string>();
    const problems: Problem[] = [];
    const take = (what: string, path: string, owner: string) => {
        const other = taken.get(what);
        if (other !== undefined) {
            problems.push({ path, message: `${what} is already used by services.${other}` });
        }
        taken.set(what, other ?? owner);
    };
    for (const { name, service, spec } of services) {
        for (const node of spec.placement === "hosts" ? spec.nodes : []) {
            for (const gpu of node.gpus) {
                take(`GPU ${gpu} of ${node.name}`, `services.${name}.gpus`, name);
            }
            take(`port ${service.api?.port ?? 30000} of ${node.name}`, `services.${name}.api.port`, name);
        }
    }
    return problems;
}

function lookUp<T>(
    table: Readonly<Record<string, T>>,
    name: string,
    path: string,
    kind: string,
    problems: Problem[],
): T | undefined {
    const found = Object.hasOwn(table, name) ? table[name] : undefined;
    if (found === undefined) {
        const names = Object.keys(table);
        const known = names.length === 0 ? "there is none" : `known: ${names.join(", ")}`;
        problems.push({
            path,
            message: `no ${kind} is called ${JSON.stringify(name)} (${known})${didYouMean(name, names)}`,
        });
    }
    return found;
}

function readDocument(readFile: FileReader, file: string, path: string, problems: Problem[]): unknown {
    const text = readText(readFile, file, path, problems);
    try {
        return text === undefined ? undefined : parseYaml(text);
    } catch (error) {
        problems.push({ path, message: `${file} is not YAML or JSON: ${yamlMistake((error as Error).message)}` });
        return undefined;
    }
}

function readText(readFile: FileReader, file: string, path: string, problems: Problem[]): string | undefined {
    try {
        return readFile(file);
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        problems.push({ path, message: `cannot read ${file}: ${code === "ENOENT" ? "there is no such file" : code}` });
        return undefined;
    }
}

function readLock(text: string | undefined, problems: Problem[]): Lock {
    if (text === undefined) {
        return emptyLock;
    }
    try {
        const result = lockSchema.safeParse(JSON.parse(text));
        if (result.success) {
            return result.data;
        }
        const [first] = zodProblems(result.error, lockSchema);
        problems.push({ path: "lock file", message: `${first!.path} ${first!.message}; run pin again` });
    } catch (error) {
        problems.push({ path: "lock file", message: `is not JSON: ${(error as Error).message}; run pin again` });
    }
    return emptyLock;
}
