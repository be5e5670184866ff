import { parseArgs } from "node:util";
import { planDeployment } from "../deployment/plan.ts";
import { readStackFile } from "../deployment/read.ts";
import { deploymentReadiness } from "../deployment/readiness.ts";
import { together } from "./arguments.ts";
import { assumedFacts, deploymentFromCommand } from "./from-command.ts";
import { planDocument } from "./plan/plan-document.ts";
import { renderPlan } from "./plan/render-plan.ts";
import { writePlan } from "./plan/write-plan.ts";
import { stackFileOf, stackOptions } from "./stack-option.ts";

/** Exit status of a plan that something stands against. */
const refusedStatus = 3;
const wrongFileStatus = 2;

/** `plan`: exit 0; 3 when something is refused; 2 when the file is wrong. */
export function run(argv: string[]): number {
    const { values } = parseArgs({
        args: argv,
        options: {
            ...stackOptions,
            "from-command": { type: "string" },
            release: { type: "string" },
            facts: { type: "string" },
            "model-config": { type: "string" },
            write: { type: "string" },
            json: { type: "boolean", default: false },
        },
    });
    together(values, {
        oneOf: ["stack", "file", "from-command"],
        need: "from-command",
        for: ["release", "facts", "model-config"],
    });
    const command = values["from-command"];
    const loaded = command === undefined ? readStackFile(stackFileOf(values)) : deploymentFromCommand(command, values);
    const notReady = command === undefined ? deploymentReadiness(loaded) : [];
    const plan = planDeployment(loaded, notReady);
    if (values.write !== undefined) {
        writePlan(plan, values.write);
    }
    process.stdout.write(values.json ? `${JSON.stringify(planDocument(plan), null, 4)}\n` : renderPlan(plan));
    if (command !== undefined && values.facts === undefined && !values.json) {
        process.stdout.write(`Planned for the host of ${assumedFacts}; --facts FILE plans for yours.\n`);
    }
    return plan.problems.length > 0 ? wrongFileStatus : plan.refused ? refusedStatus : 0;
}
