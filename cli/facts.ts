import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { atMost } from "./arguments.ts";
import { askAgent, plainTarget } from "./remote-agent.ts";

/** `facts HOST`: records a host's facts with the operator's own SSH client, for a file that is committed and reviewed. */
export function run(argv: string[]): number {
    const { values, positionals } = parseArgs({
        args: argv,
        allowPositionals: true,
        options: { output: { type: "string", short: "o" } },
    });
    atMost(1, positionals);
    const [host] = positionals;
    if (!host) {
        throw new ProblemsError("facts needs a host:", [
            { path: "HOST", message: "user@address, or a name of your SSH configuration" },
        ]);
    }
    const facts = askAgent(plainTarget(host), "facts", {});
    const text = `${JSON.stringify(facts, null, 4)}\n`;
    if (values.output === undefined) {
        process.stdout.write(text);
    } else {
        writeFileSync(values.output, text);
        process.stdout.write(`wrote ${values.output}: ${facts.gpus.length} GPUs, driver ${facts.driver}\n`);
    }
    return 0;
}
