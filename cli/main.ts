#!/usr/bin/env node
import { ProblemsError } from "../knowledge/problems.ts";
import { usage, verbs } from "./verbs.ts";

/** Exit status of a mistake in what was given. */
const wrongInput = 2;

async function main(argv: readonly string[]): Promise<number> {
    const [name = "help", ...rest] = argv;
    if (["help", "--help", "-h"].includes(name)) {
        process.stdout.write(usage());
        return 0;
    }
    const verb = verbs[name];
    if (!verb) {
        process.stderr.write(`There is no verb ${JSON.stringify(name)}.\n\n${usage()}`);
        return wrongInput;
    }
    try {
        return await (await verb.load()).run(rest);
    } catch (error) {
        if (error instanceof ProblemsError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS")) {
            process.stderr.write(`${(error as Error).message}\n`);
            return wrongInput;
        }
        throw error;
    }
}

process.exitCode = await main(process.argv.slice(2));
