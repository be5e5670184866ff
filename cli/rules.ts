import { parseArgs } from "node:util";
import { rulesJson, rulesText } from "../knowledge/rules/render.ts";

/** `rules`: the rule table. */
export function run(argv: string[]): number {
    const { values } = parseArgs({ args: argv, options: { json: { type: "boolean", default: false } } });
    process.stdout.write(values.json ? `${JSON.stringify(rulesJson(), null, 4)}\n` : rulesText());
    return 0;
}
