import { parseArgs } from "node:util";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { describeOptions, type OptionDescription } from "../knowledge/sglang/index.ts";
import { atMost } from "./arguments.ts";

/** `options RELEASE [NAME]`: the release's own options. Exit 2 for a release or a name that does not exist. */
export function run(argv: string[]): number {
    const { values, positionals } = parseArgs({
        args: argv,
        allowPositionals: true,
        options: { json: { type: "boolean", default: false } },
    });
    atMost(2, positionals);
    const [release, name] = positionals;
    if (release === undefined) {
        throw new ProblemsError("options needs a release:", [{ path: "RELEASE", message: "such as 0.5.23" }]);
    }
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
        choices && `one of ${choices.join(" ")}`,
        option.default !== null && `default ${JSON.stringify(option.default)}`,
        since && `since ${since}`,
        until && `until ${until}`,
        deprecated && `deprecated${replacedBy ? `, use ${replacedBy}` : ""}`,
    ].filter(Boolean);
    return `${names.join(", ")}\n${notes.map((note) => `    ${note}\n`).join("")}`;
}
