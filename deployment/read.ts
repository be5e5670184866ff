import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve as resolvePath } from "node:path";
import { parse as parseYaml } from "yaml";
import { ProblemsError, yamlMistake } from "../knowledge/base/problems.ts";
import { type LoadedDeployment, loadDeployment } from "./load.ts";

/** Stack name of a file such as `Pulumi.blackwell.yaml`; of another file its name without ending. */
function stackName(path: string): string {
    return basename(path)
        .replace(/^Pulumi\./, "")
        .replace(/\.ya?ml$/, "");
}

/** Path of a stack's lock file, beside its stack file. */
export function lockPath(stackFile: string): string {
    return join(dirname(resolvePath(stackFile)), "locks", `${stackName(stackFile)}.json`);
}

/**
 * Reads a stack file with everything that it names, without an engine: `Pulumi.<stack>.yaml`, or a file that holds the
 * deployment alone. Paths in it are relative to its folder.
 *
 * Throws a {@link ProblemsError} when the file cannot be read or has no deployment; mistakes inside it are `problems`.
 */
export function readStackFile(path: string): LoadedDeployment {
    const folder = dirname(resolvePath(path));
    const lock = lockPath(path);
    const { project, deployment } = deploymentOf(path);
    return loadDeployment(
        deployment,
        (file) => readFileSync(resolvePath(folder, file), "utf8"),
        existsSync(lock) ? readFileSync(lock, "utf8") : undefined,
        `${project}/${stackName(path)}`,
    );
}

/** The deployment in a file, and the project that its key names; `project` where the file holds the deployment alone. */
function deploymentOf(path: string): { project: string; deployment: unknown } {
    const wrong = (message: string) => new ProblemsError("The stack file cannot be read:", [{ path, message }]);
    let document: unknown;
    try {
        document = parseYaml(readFileSync(path, "utf8"));
    } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        throw wrong(code === "ENOENT" ? "there is no such file" : yamlMistake(message));
    }
    if (document === null || document === undefined) {
        throw wrong("is empty; it needs `config`, or `services`, `models` and `builds`");
    }
    if (typeof document !== "object" || Array.isArray(document)) {
        throw wrong("must be a map with `config`, or with `services`, `models` and `builds`");
    }
    if (!("config" in document)) {
        return { project: "project", deployment: document };
    }
    const config = Object.entries(document.config ?? {});
    const found = config.find(([key]) => key.endsWith(":deployment"));
    if (!found) {
        throw wrong("has no `<project>:deployment` under `config`");
    }
    return { project: found[0].replace(/:deployment$/, ""), deployment: found[1] };
}
