#!/usr/bin/env node
import { packageJson } from "../knowledge/base/package-root.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { usage, verbs } from "./verbs.ts";

/** Exit status of a mistake in what was given. */
const wrongInput = 2;

async function main(argv: readonly string[]): Promise<number> {
    const [name = "help", ...rest] = argv;
    if (["help", "--help", "-h"].includes(name)) {
        process.stdout.write(usage());
        return 0;
    }
    if (name === "--version") {
        process.stdout.write(`${packageJson<{ version: string }>("package.json").version}\n`);
        return 0;
    }
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (!verb) {
        process.stderr.write(`There is no verb ${JSON.stringify(name)}.\n\n${usage()}`);
        return wrongInput;
    }
    if (rest.includes("--help") || rest.includes("-h")) {
        process.stdout.write(usage([name]));
        return 0;
    }
    try {
        return await (await verb.load()).run(rest);
    } catch (error) {
        if (isUsers(error)) {
            process.stderr.write(`${error.message}\n`);
            return wrongInput;
        }
        throw error;
    }
}

/** Whether an error is about what was given: a file that is wrong, an option that there is not, a path that cannot be used. */
function isUsers(error: unknown): error is Error {
    const { code, syscall } = error as NodeJS.ErrnoException;
    return error instanceof ProblemsError || code?.startsWith("ERR_PARSE_ARGS") === true || syscall !== undefined;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // a reader such as `head` has seen enough
    process.exit(error.code === "EPIPE" ? 0 : 1);
});
process.exitCode = await main(process.argv.slice(2));
