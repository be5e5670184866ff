import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type LoadedDeployment, loadDeployment } from "../deployment/load.ts";
import { lockPath } from "../deployment/read.ts";
import { deploymentReadiness } from "../deployment/readiness.ts";
import { below } from "../knowledge/base/problems.ts";
import type { Problem } from "../knowledge/base/settings.ts";
import { userError } from "../placements/component.ts";
import { objections } from "../placements/judge.ts";

/**
 * Reads the `deployment` of the stack's configuration and everything that it names.
 *
 * A preview shows a deployment that is not ready yet (an example address, a model that is not pinned); an update refuses it
 * before anything is touched.
 */
export function readStack(): LoadedDeployment {
    const value = new pulumi.Config().requireObject<unknown>("deployment");
    const folder = projectFolder();
    const lock = lockPath(join(folder, `Pulumi.${pulumi.getStack()}.yaml`));
    const loaded = loadDeployment(
        value,
        (path) => readFileSync(resolve(folder, path), "utf8"),
        existsSync(lock) ? readFileSync(lock, "utf8") : undefined,
    );
    refuse("cannot be deployed", [...loaded.problems, ...refusedSettings(loaded)]);
    if (!pulumi.runtime.isDryRun()) {
        refuse("is not ready for an update", deploymentReadiness(loaded));
    }
    return loaded;
}

/** Settings that a rule refuses, of all services at once. */
function refusedSettings({ services }: LoadedDeployment): Problem[] {
    return services.flatMap(({ request, resolved }) =>
        below(`services.${request.name}`, objections({ problems: [], resolved })),
    );
}

function refuse(what: string, problems: readonly Problem[]): void {
    if (problems.length > 0) {
        const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
        throw userError(`Pulumi.${pulumi.getStack()}.yaml ${what}:\n${lines.join("\n")}`);
    }
}

/** Folder of `Pulumi.yaml`; older language hosts do not say it, and run the program in a folder below. */
function projectFolder(): string {
    const told = pulumi.getRootDirectory();
    let folder = isAbsolute(told) ? told : process.cwd();
    while (!existsSync(join(folder, "Pulumi.yaml")) && folder !== dirname(folder)) {
        folder = dirname(folder);
    }
    return folder;
}
