import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { lockPath, readStackFile } from "../deployment/read.ts";
import { buildPlan } from "../knowledge/artifacts/build-plan.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { type Lock, lockSchema } from "../knowledge/records/lock.ts";
import { pinModel } from "./pin/hub.ts";
import { pinPackages } from "./pin/packages.ts";
import { pinTree } from "./pin/tree.ts";
import { stackFileOf, stackOptions } from "./stack-option.ts";

/**
 * `pin`: asks the hub and the package index what a stack file means today, and writes `locks/<stack>.json`.
 *
 * A gated repository is asked with the token in `HF_TOKEN`. Nothing is written when anything cannot be found.
 */
export async function run(argv: string[]): Promise<number> {
    const { values } = parseArgs({
        args: argv,
        options: stackOptions,
    });
    const path = stackFileOf(values);
    const { deployment, builds, problems, services } = readStackFile(path);
    if (problems.length > 0) {
        throw new ProblemsError(`${path} cannot be pinned:`, problems);
    }
    const lock: Lock = { schema: 1, models: {}, builds: {} };
    const failures: { path: string; message: string }[] = [];
    const attempt = async <T>(where: string, work: Promise<T>, keep: (found: T) => void) => {
        try {
            keep(await work);
            process.stdout.write(`${where}: pinned\n`);
        } catch (error) {
            failures.push({ path: where, message: (error as Error).message });
        }
    };
    for (const [name, model] of Object.entries(deployment.models)) {
        await attempt(`models.${name}`, pinModel(model), (found) => {
            lock.models[model.repository] = found;
        });
    }
    const onHosts = new Set(
        services.flatMap(({ request: { target, build } }) => (target.kind === "hosts" ? [build.name] : [])),
    );
    for (const [name, build] of Object.entries(builds)) {
        if (onHosts.has(name) && build.dependencies === "full") {
            const { desired } = buildPlan(build);
            await attempt(`builds.${name}`, Promise.all([pinPackages(build), pinTree(desired)]), (found) => {
                lock.builds[name] = { packages: found[0], treeSha256: found[1] };
            });
        }
    }
    if (failures.length > 0) {
        throw new ProblemsError(`${path} is not pinned; nothing was written:`, failures);
    }
    const target = lockPath(path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.new`, `${JSON.stringify(lockSchema.parse(lock), null, 4)}\n`);
    renameSync(`${target}.new`, target);
    process.stdout.write(`wrote ${target}; commit it\n`);
    return 0;
}
