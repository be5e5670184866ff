#!/usr/bin/env node
import { CommanderError } from "commander";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { commandLine } from "./command-line.ts";

/** Exit status of a mistake in what was given. */
const wrongInput = 2;

/** Runs the command line; a verb sets the exit status itself. */
async function main(argv: readonly string[]): Promise<void> {
    try {
        // a word alone asks for help of the verb that follows it, if one does
        const words = argv.length === 0 || argv[0] === "help" ? [...argv.slice(1, 2), "--help"] : argv;
        await (await commandLine(words[0]!)).parseAsync([...words], { from: "user" });
    } catch (error) {
        if (error instanceof CommanderError) {
            // what it says is written already; help and the version end with 0
            process.exitCode = error.exitCode === 0 ? 0 : wrongInput;
        } else if (isUsers(error)) {
            process.stderr.write(`${error.message}\n`);
            process.exitCode = wrongInput;
        } else {
            throw error;
        }
    }
}

/** Whether an error is about what was given: a file that is wrong, or a path that cannot be used. */
function isUsers(error: unknown): error is Error {
    return error instanceof ProblemsError || (error as NodeJS.ErrnoException).syscall !== undefined;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // a reader such as `head` has seen enough
    process.exit(error.code === "EPIPE" ? 0 : 1);
});
await main(process.argv.slice(2));
