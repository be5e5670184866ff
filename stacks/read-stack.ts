import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { deploymentReadiness } from "../knowledge/deployment-readiness.ts";
import { type LoadedDeployment, loadDeployment } from "../knowledge/load-deployment.ts";
import { packageRoot } from "../knowledge/package-root.ts";
import type { Problem } from "../knowledge/settings.ts";

/**
 * Reads the `deployment` of the stack's configuration and everything that it names.
 *
 * A preview shows a deployment that is not ready yet (an example address, a model that is not pinned); an update refuses it
 * before anything is touched.
 */
export function readStack(): LoadedDeployment {
    const value = new pulumi.Config().requireObject<unknown>("deployment");
    const lockPath = join(packageRoot, "locks", `${pulumi.getStack()}.json`);
    const lock = existsSync(lockPath) ? readFileSync(lockPath, "utf8") : undefined;
    const loaded = loadDeployment(value, (path) => readFileSync(join(packageRoot, path), "utf8"), lock);
    refuse("cannot be read", loaded.problems);
    if (!pulumi.runtime.isDryRun()) {
        refuse("is not ready for an update", deploymentReadiness(loaded));
    }
    return loaded;
}

function refuse(what: string, problems: readonly Problem[]): void {
    if (problems.length > 0) {
        const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
        throw new pulumi.RunError(`Pulumi.${pulumi.getStack()}.yaml ${what}:\n${lines.join("\n")}`);
    }
}
