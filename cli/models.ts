import type { Command } from "commander";
import { nearest } from "../knowledge/base/nearest.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { type Checkpoint, type ModelProfile, profileFor, profiles, repositoriesOf } from "../knowledge/models/index.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { heading, table, wrap } from "./text.ts";

/** Declares `models [MODEL]`. */
export function declare(verb: Command): void {
    verb.argument("[MODEL]", "one model alone, by its id or by a repository")
        .option(...jsonOption)
        .action(ending(run));
}

/** `models [MODEL]`: what is known of models. Exit 2 for one that is not known. */
function run(name: string | undefined, values: JsonOption): number {
    const found = name === undefined ? profiles() : [named(name)];
    process.stdout.write(values.json ? `${JSON.stringify(found, null, 4)}\n` : found.map(modelText).join("\n"));
    return 0;
}

function named(name: string): ModelProfile {
    const profile = profileFor(name);
    if (profile) {
        return profile;
    }
    const known = profiles();
    const meant = nearest(name, [...known.map(({ id }) => id), ...known.flatMap(repositoriesOf)]);
    const message = `is not known${meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`} A model without a profile is planned from its own config.json`;
    throw new ProblemsError("There is no such model:", [{ path: name, message }]);
}

function modelText({ id, architecture, since, checkpoints, parsers, drafts, evidence }: ModelProfile): string {
    const rows = [
        ["architecture", `${architecture}, since SGLang ${since}`],
        ["parsers", `reasoning ${parsers.reasoning ?? "none"}, tool calls ${parsers.toolCall ?? "none"}`],
        ...checkpoints.map((checkpoint) => [checkpoint.repository, checkpointText(checkpoint)]),
        ...drafts.map(({ repository, algorithm }) => [repository, `draft, ${algorithm}`]),
    ];
    const said = evidence.map(({ outcome, statement, sources }) =>
        wrap(`${outcome}: ${statement} (${sources.join(", ")})`, 2),
    );
    return `${heading(id)}${table(rows)}${said.join("")}`;
}

function checkpointText({ method, diskGB, minimumGpus }: Checkpoint): string {
    const size = diskGB === undefined ? "" : `, ${diskGB} GB on disk`;
    return `${method}${size}, at least ${minimumGpus} ${minimumGpus === 1 ? "GPU" : "GPUs"} of 96 GB`;
}
