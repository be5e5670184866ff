import { Argument, type Command } from "commander";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { withoutTagPrefix } from "../knowledge/base/version.ts";
import { describeOptions, type OptionDescription } from "../knowledge/sglang/index.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";

/** Declares `options RELEASE [NAME]`. */
export function declare(verb: Command): void {
    verb.addArgument(new Argument("<RELEASE>", "such as 0.5.23 or v0.5.23").argParser(withoutTagPrefix))
        .argument("[NAME]", "one option alone, by any of its names")
        .option(...jsonOption)
        .action(ending(run));
}

/** `options RELEASE [NAME]`: the release's own options. Exit 2 for a release or a name that does not exist. */
function run(release: string, name: string | undefined, values: JsonOption): number {
    let options: OptionDescription[];
    try {
        options = describeOptions(release, name);
    } catch (error) {
        if (error instanceof RangeError) {
            throw new ProblemsError("There is no such option:", [{ path: name ?? release, message: error.message }]);
        }
        throw error;
    }
    process.stdout.write(values.json ? `${JSON.stringify(options, null, 4)}\n` : options.map(optionText).join(""));
    return 0;
}

function optionText({ names, choices, deprecated, replacedBy, since, until, ...option }: OptionDescription): string {
    const notes = [
        `takes ${option.takes}`,
        choices && `one of ${choices.join(" ")}`,
        option.default !== null && `default ${JSON.stringify(option.default)}`,
        since && `since ${since}`,
        until && `until ${until}`,
        deprecated && `deprecated${replacedBy ? `, use ${replacedBy}` : ""}`,
    ].filter(Boolean);
    return `${names.join(", ")}\n${notes.map((note) => `    ${note}\n`).join("")}`;
}
