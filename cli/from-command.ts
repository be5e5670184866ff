import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type LoadedDeployment, loadDeployment } from "../deployment/load.ts";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { profileFor } from "../knowledge/models/index.ts";
import { newestRelease, parseLaunchCommand } from "../knowledge/sglang/index.ts";

/** Facts that a command is planned with when none are given: a machine with eight RTX PRO 6000, in this package. */
export const assumedFacts = "facts/esc8000a-8x-rtxpro6000-server.json";

/** What a command file does not say. */
export interface CommandContext {
    /** SGLang release. Defaults to the newest that is known. */
    readonly release?: string;
    /** Facts file of the host. Defaults to {@link assumedFacts}. */
    readonly facts?: string;
    /** `config.json` of a model that has no profile. */
    readonly "model-config"?: string;
}

/** Key of a host that is never reached: a command is only planned. */
const hostKey = "ssh-ed25519 EXAMPLE";

/** A deployment of one service that starts as a launch command does. Throws a {@link ProblemsError} when the file cannot be read. */
export function deploymentFromCommand(file: string, context: CommandContext): LoadedDeployment {
    const launch = readText(file);
    const command = parseLaunchCommand(launch);
    const given = command.arguments.find(({ name }) => /^--model(-path)?$/.test(name))?.values[0];
    const wrong = (message: string) => new ProblemsError("The command cannot be planned:", [{ path: file, message }]);
    if (given === undefined) {
        const noLaunch = command.arguments.length === 0 ? command.problems.map(({ message }) => message) : [];
        throw wrong([...noLaunch, "names no model: expected --model-path OWNER/NAME or a folder"][0]!);
    }
    if (!/^[\w./~-]+$/.test(given)) {
        throw wrong(`--model-path is ${JSON.stringify(given)}: expected OWNER/NAME or a folder, written out`);
    }
    const facts = context.facts ?? join(packageRoot, assumedFacts);
    const repository = repositoryOf(given);
    const config = context["model-config"];
    const profile = config === undefined ? (profileFor(repository) ?? profileFor(basename(given)))?.id : undefined;
    const deployment = {
        hosts: { host: { address: "192.0.2.1", hostKey, facts } },
        builds: { build: { release: context.release ?? newestRelease() } },
        models: { model: { repository, config, profile } },
        services: { service: { placement: { hosts: ["host"] }, build: "build", model: "model", launch } },
    };
    return loadDeployment(deployment, (path) => readFileSync(path, "utf8"));
}

/** `owner/name` as it is; a folder by the name of its last part, or by the owner and name in a snapshot's path. */
function repositoryOf(model: string): string {
    if (/^[\w.-]+\/[\w.-]+$/.test(model)) {
        return model;
    }
    const snapshot = /(?:^|\/)(?:models--)?([\w.]+(?:-[\w.]+)*)--([\w.-]+?)(?:\/|$)/.exec(model);
    return snapshot ? `${snapshot[1]}/${snapshot[2]}` : `local/${basename(model)}`;
}

function readText(file: string): string {
    try {
        return readFileSync(file === "-" ? 0 : file, "utf8");
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const message = code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`;
        throw new ProblemsError("The command cannot be planned:", [{ path: file, message }]);
    }
}
