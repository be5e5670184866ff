import type { BuildSpec, PatchFile } from "../knowledge/artifacts/build-plan.ts";
import { buildSpec } from "../knowledge/artifacts/build-spec.ts";
import type { ModelSpec } from "../knowledge/artifacts/model-plan.ts";
import { below } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";
import type { Lock } from "../knowledge/records/lock.ts";
import { collisions } from "../placements/hosts/collisions.ts";
import { type Judged, judge } from "../placements/judge.ts";
import { nameCollisions } from "../placements/pool/collisions.ts";
import { type FileReader, Files } from "./files.ts";
import { serviceRequest } from "./request.ts";
import type { Deployment } from "./schema.ts";
import { checkedShape } from "./shape.ts";
import { sharedProblems } from "./shared.ts";

export type { FileReader } from "./files.ts";

/** A stack file with every file that it names read, every reference followed, and every service judged. */
export interface LoadedDeployment {
    /** `<project>/<stack>`: who owns what is put on a machine. */
    readonly owner: string;
    readonly deployment: Deployment;
    /** Facts by host name and by pool name. */
    readonly facts: Readonly<Record<string, HostFacts>>;
    readonly lock: Lock;
    /** Builds by name, those of an unknown release left out. */
    readonly builds: Readonly<Record<string, BuildSpec>>;
    /** Models by name. */
    readonly models: Readonly<Record<string, ModelSpec>>;
    /** One per service whose references can be followed, in the order of the file. */
    readonly services: readonly Judged[];
    /** Mistakes; a deployment with any must not be deployed. */
    readonly problems: readonly Problem[];
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
    const { deployment, declared, problems } = checkedShape(value);
    const files = new Files(readFile, problems);
    const facts: Record<string, HostFacts> = {};
    for (const kind of ["hosts", "pools"] as const) {
        for (const [name, { facts: path }] of Object.entries(deployment[kind])) {
            const found = files.facts(path, `${kind}.${name}.facts`);
            if (found) {
                facts[name] = found;
            }
        }
    }
    const lock = files.lock(lockText);
    const builds = buildSpecs(deployment, lock, files, problems);
    const models = modelSpecs(deployment, lock, files);
    const oracles = Object.fromEntries(
        Object.entries(deployment.services).flatMap(([name, { gate }]) => {
            const found =
                gate?.oracle === undefined ? undefined : files.oracle(gate.oracle, `services.${name}.gate.oracle`);
            return found ? [[name, found]] : [];
        }),
    );
    const parts = { owner, deployment, declared, facts, builds, models, oracles };
    const services = Object.entries(deployment.services).flatMap(([name, service]) => {
        const request = serviceRequest(name, service, parts, problems);
        return request ? [judge(request)] : [];
    });
    const taken = collisions(services);
    const named = nameCollisions(
        services.map(({ request: { name, target } }) => ({ name, pool: "pool" in target ? target.name : undefined })),
    );
    services.forEach(({ request, problems: own }, index) => {
        problems.push(...below(`services.${request.name}`, [...taken[index]!, ...named[index]!, ...own]));
    });
    problems.push(...sharedProblems(deployment));
    return { owner, deployment, facts, lock, builds, models, services, problems };
}

function buildSpecs({ builds }: Deployment, lock: Lock, files: Files, problems: Problem[]): Record<string, BuildSpec> {
    const specs: Record<string, BuildSpec> = {};
    for (const [name, { patches, ...fields }] of Object.entries(builds)) {
        const wanted = patches.flatMap((patch, index) => patchOf(patch, files, `builds.${name}.patches.${index}`));
        const { spec, problems: wrong } = buildSpec(name, fields, wanted, lock.builds[name]);
        problems.push(...below(`builds.${name}`, wrong));
        if (!wrong.some(({ path }) => path === "release")) {
            specs[name] = spec;
        }
    }
    return specs;
}

/** A patch with a slash or the ending `.patch` is a file beside the stack file; any other is one that ships. */
function patchOf(patch: string, files: Files, path: string): (string | PatchFile)[] {
    if (!/\/|\.patch$/.test(patch)) {
        return [patch];
    }
    const text = files.text(patch, path);
    return text === undefined ? [] : [{ name: patch.replace(/^.*\/|\.patch$/g, ""), text }];
}

function modelSpecs({ models }: Deployment, lock: Lock, files: Files): Record<string, ModelSpec> {
    return Object.fromEntries(
        Object.entries(models).map(([name, { config: file, token: _token, ...fields }]) => {
            const config = file && files.document(file, `models.${name}.config`);
            const beside = file && files.beside(file, /config\.json$/, "hf_quant_config.json");
            const hfQuantConfig = config === undefined ? undefined : beside;
            const tensors = config === undefined ? undefined : files.tensors(file!);
            return [name, { ...fields, name, config, hfQuantConfig, tensors, locked: lock.models[fields.repository] }];
        }),
    );
}
