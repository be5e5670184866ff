import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { askAgent, plainTarget } from "../placements/hosts/ssh.ts";
import { ending } from "./arguments.ts";

/** Declares `facts HOST`. */
export function declare(verb: Command): void {
    verb.argument("<HOST>", "user@address, or a name of your SSH configuration")
        .option("-o, --output <FILE>", "write the facts to a file, to be committed (default: print them)")
        .action(ending(run));
}

/** `facts HOST`: records a host's facts with the operator's own SSH client, for a file that is committed and reviewed. */
function run(host: string, values: { readonly output?: string }): number {
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
