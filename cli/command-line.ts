import { styleText } from "node:util";
import { Command, type Help } from "commander";
import { didYouMean } from "../knowledge/base/nearest.ts";
import { packageJson } from "../knowledge/base/package-root.ts";
import { verbs } from "./verbs.ts";

/** The command with all of its verbs; only the one that is named is loaded and knows what it takes. Throws a CommanderError when there is no such verb. */
export async function commandLine(named: string): Promise<Command> {
    const program = new Command("pulumi-sglang")
        .usage("VERB …")
        .description("SGLang on RTX PRO 6000 Blackwell machines. Each verb explains itself: VERB --help.")
        .version(packageJson<{ version: string }>("package.json").version, "--version", "print the version")
        .helpOption("-h, --help", "explain the command or a verb")
        .helpCommand(false)
        .exitOverride()
        .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll("\n", " ")}\n`) })
        .configureHelp({ commandUsage, subcommandTerm: (verb) => verb.name(), styleTitle });
    for (const [name, { summary, load }] of Object.entries(verbs)) {
        const verb = program.command(name).description(summary);
        if (name === named) {
            (await load()).declare(verb);
        }
    }
    if (!named.startsWith("-") && !Object.hasOwn(verbs, named)) {
        program.error(`error: there is no verb ${JSON.stringify(named)}${didYouMean(named, Object.keys(verbs))}`);
    }
    return program;
}

/** `pulumi-sglang topology FILE [options]`: the command, what it must have, what it may have. */
function commandUsage(this: Help, command: Command): string {
    const words = command.registeredArguments.map((argument) => {
        const name = `${argument.name()}${argument.variadic ? "…" : ""}`;
        return argument.required ? name : `[${name}]`;
    });
    const names: string[] = [];
    for (let one: Command | null = command; one; one = one.parent) {
        names.unshift(one.name());
    }
    return [...names, ...words, command.parent ? "[options]" : command.usage()].join(" ");
}

/** Headings stand out on a terminal; commander takes colour away where there is none. */
function styleTitle(title: string): string {
    return styleText("bold", title, { validateStream: false });
}
