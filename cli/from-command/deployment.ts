import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { type LoadedDeployment, loadDeployment } from "../../deployment/load.ts";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { below, ProblemsError } from "../../knowledge/base/problems.ts";
import type { Problem } from "../../knowledge/base/settings.ts";
import { shellQuoted } from "../../knowledge/base/shell-quoted.ts";
import { type LaunchCommand, parseLaunchCommand } from "../../knowledge/launch/launch-command.ts";
import { profileFor } from "../../knowledge/models/index.ts";
import { type HostFacts, hostFactsSchema } from "../../knowledge/records/facts.ts";
import { newestRelease, releases, settingsFromLaunch } from "../../knowledge/sglang/index.ts";
import { cardsUsed } from "./cards.ts";
import { repositoryOf } from "./repository.ts";
import { launchSource } from "./source.ts";
import type { writeStack } from "./write-stack.ts";

/** Facts that a command is planned with when none are given: a machine with eight RTX PRO 6000, in this package. */
export const assumedFacts = "facts/esc8000a-8x-rtxpro6000-server.json";

/** What a command file does not say. */
export interface CommandContext {
    /** SGLang release. Defaults to the one that the command names, else to the newest that is known. */
    readonly release?: string;
    /** Facts file of the host. Defaults to {@link assumedFacts}. */
    readonly facts?: string;
    /** `config.json` of a model that has no profile. */
    readonly modelConfig?: string;
    /** Of several launches the one that counts: its number from 1, or its place. */
    readonly launch?: string;
}

/** A launch as it was read, and the deployment that it becomes. */
export interface CommandDeployment {
    readonly loaded: LoadedDeployment;
    /** The stack file's content. */
    readonly stack: Parameters<typeof writeStack>[1];
    /** What was taken for granted or left out, in sentences. */
    readonly notes: readonly string[];
}

/** Key of a host that is never reached: a command is only planned. */
const hostKey = "ssh-ed25519 EXAMPLE";

/** A deployment of one service that starts as a launch command does. Throws a {@link ProblemsError} when the file cannot be read. */
export function deploymentFromCommand(file: string, context: CommandContext): CommandDeployment {
    const { text, read } = launchSource(file);
    const command = parseLaunchCommand(text, { read, ...(context.launch && { choice: context.launch }) });
    const wrong = (problems: readonly Problem[]) => new ProblemsError("The command cannot be planned:", problems);
    const given = modelOf(command);
    if (given === undefined) {
        const none = { path: file, message: "names no model: expected --model-path OWNER/NAME or a folder" };
        throw wrong(
            command.problems.length > 0 ? command.problems.map(({ message }) => ({ path: file, message })) : [none],
        );
    }
    const release = context.release?.replace(/^v(?=\d)/, "") ?? command.release ?? newestRelease();
    const factsFile = context.facts ?? join(packageRoot, assumedFacts);
    const settings = releases().includes(release) ? settingsFromLaunch(command, release).settings : {};
    const number = (name: string) => {
        const value = settings[name]?.value;
        return value === undefined || value === false ? undefined : Number(value);
    };
    const cards = cardsUsed(command.gpus, number, recordedFacts(factsFile));
    const repository = repositoryOf(given);
    const config = context.modelConfig ?? ownConfig(given);
    const profile = config === undefined ? (profileFor(repository) ?? profileFor(basename(given)))?.id : undefined;
    const names = hostNames(number("nnodes") ?? 1);
    const { CUDA_VISIBLE_DEVICES: _, NVIDIA_VISIBLE_DEVICES: __, ...environment } = command.environment;
    const stack = {
        hosts: Object.fromEntries(
            names.map((name, index) => [name, { address: `192.0.2.${index + 1}`, hostKey, facts: factsFile }]),
        ),
        builds: { build: { release } },
        models: {
            model: { repository, ...(config !== undefined && { config }), ...(profile !== undefined && { profile }) },
        },
        services: {
            service: {
                placement: { hosts: names, ...(cards.gpus && { gpus: cards.gpus }) },
                build: "build",
                model: "model",
                launch: normalized(command, environment),
            },
        },
    };
    const loaded = loadDeployment(stack, (path) => readFileSync(path, "utf8"));
    const problems = [...below("services.service", [...command.problems, ...cards.problems]), ...loaded.problems];
    const notes = [
        ...command.notes.map((note) => `${note[0]!.toUpperCase()}${note.slice(1)}.`),
        `SGLang ${release}: ${releaseFrom(context, command)}.`,
        `GPUs ${cards.gpus?.join(", ") ?? "all"}: from ${cards.from}.`,
    ];
    return { loaded: { ...loaded, problems }, stack, notes };
}

function releaseFrom({ release }: CommandContext, command: LaunchCommand): string {
    if (release !== undefined) {
        return "from --release";
    }
    if (command.release !== undefined) {
        return command.image?.includes(command.release)
            ? `from the image ${command.image}`
            : "from a version that the text names";
    }
    const image = command.image === undefined ? "" : ` (the image ${command.image} names none)`;
    return `assumed, the newest that is known${image}; --release plans for another`;
}

function modelOf({ model, arguments: given }: LaunchCommand): string | undefined {
    return model ?? given.findLast(({ name }) => /^--model([-_]path)?$/.test(name))?.values[0];
}

/** The launch as one command, an option a line, without what its host decides. */
function normalized(
    { program, model, arguments: given }: LaunchCommand,
    environment: Readonly<Record<string, string>>,
): string {
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const start = program === "sglang serve" ? ["sglang", "serve"] : ["python3", "-m", "sglang.launch_server"];
    const options = given.map(({ name, values }) => {
        const [first = ""] = values;
        return values.length === 1 && first.startsWith("-") ? [`${name}=${first}`] : [name, ...values];
    });
    const first = [
        ...(variables.length > 0 ? ["env", ...variables] : []),
        ...start,
        ...(model === undefined ? [] : [model]),
    ];
    return `${[first, ...options].map(shellQuoted).join(" \\\n  ")}\n`;
}

/** `config.json` of a model that is a folder here. */
function ownConfig(model: string): string | undefined {
    const file = join(model, "config.json");
    return isAbsolute(model) && existsSync(file) ? file : undefined;
}

function hostNames(count: number): string[] {
    return count === 1 ? ["host"] : Array.from({ length: Math.min(count, 64) }, (_, index) => `host${index + 1}`);
}

/** Facts that can be read; what is wrong with others is told when the deployment is loaded. */
function recordedFacts(file: string): HostFacts | undefined {
    try {
        return hostFactsSchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
    } catch {
        return undefined;
    }
}
