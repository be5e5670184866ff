import { type Command, Option } from "commander";
import { planDeployment } from "../deployment/plan.ts";
import { readStackFile } from "../deployment/read.ts";
import { deploymentReadiness } from "../deployment/readiness.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { ending, onlyWith } from "./arguments.ts";
import { assumedFacts, type CommandContext, deploymentFromCommand } from "./from-command/deployment.ts";
import { writeStack } from "./from-command/write-stack.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { planDocument } from "./plan/plan-document.ts";
import { renderPlan } from "./plan/render-plan.ts";
import { writePlan } from "./plan/write-plan.ts";
import { declareStack, type StackOptions, stackFileOf } from "./stack-option.ts";

/** Exit status of a plan that something stands against. */
const refusedStatus = 3;
const wrongFileStatus = 2;

interface Options extends StackOptions, CommandContext, JsonOption {
    readonly fromCommand?: string;
    readonly write?: string;
    readonly writeStack?: string;
}

/** Declares `plan`. */
export function declare(verb: Command): void {
    const says =
        "plan a launch as it is kept: a script, docker run, unit, compose or Kubernetes file, Dockerfile, Makefile, docker inspect; - is standard input, /proc/PID a running server";
    const fromCommand = new Option("--from-command <FILE>", says);
    declareStack(verb)
        .description(`${verb.description()}; exit 3 when something is refused, 2 when the file is wrong`)
        .addOption(fromCommand.conflicts(["stack", "file"]))
        .option("--launch <WHICH>", "with --from-command: of several launches the one that counts, by number or place")
        .option(
            "--release <V>",
            "with --from-command: the SGLang release (default: what the launch names, else the newest that is known)",
        )
        .option("--facts <FILE>", `with --from-command: the host's facts (default: ${assumedFacts} of this package)`)
        .option("--model-config <FILE>", "with --from-command: config.json of a model that has no profile")
        .option(
            "--write-stack <FILE>",
            "with --from-command: also write it as a stack file, which plans to the same arguments",
        )
        .option("--write <DIR>", "also write units, arguments and environments, or manifests, to files below DIR")
        .option(...jsonOption)
        .action(ending(run));
    onlyWith(verb, "fromCommand", ["launch", "release", "facts", "modelConfig", "writeStack"]);
}

/** `plan`: exit 0; 3 when something is refused; 2 when the file is wrong. */
function run(values: Options): number {
    const read = values.fromCommand === undefined ? undefined : deploymentFromCommand(values.fromCommand, values);
    const loaded = read?.loaded ?? readStackFile(stackFileOf(values));
    const plan = planDeployment(loaded, read ? [] : deploymentReadiness(loaded));
    if (values.write !== undefined) {
        writePlan(plan, values.write);
    }
    if (read && values.writeStack !== undefined) {
        if (plan.problems.length > 0) {
            throw new ProblemsError("The stack file is not written:", plan.problems);
        }
        writeStack(values.writeStack, read.stack, read.notes);
    }
    const document = () =>
        `${JSON.stringify({ ...planDocument(plan), ...(read && { launch: read.notes }) }, null, 4)}\n`;
    process.stdout.write(values.json ? document() : renderPlan(plan, read?.notes));
    if (read && values.facts === undefined && !values.json) {
        process.stdout.write(`Planned for the host of ${assumedFacts}; --facts FILE plans for yours.\n`);
    }
    const wrong = plan.problems.length > 0 || plan.services.length === 0;
    return wrong ? wrongFileStatus : plan.refused ? refusedStatus : 0;
}
