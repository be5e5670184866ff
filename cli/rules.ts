import type { Command } from "commander";
import { rulesJson, rulesText } from "../knowledge/rules/render.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";

/** Declares `rules`. */
export function declare(verb: Command): void {
    verb.option(...jsonOption).action(ending(run));
}

/** `rules`: the rule table. */
function run(values: JsonOption): number {
    process.stdout.write(values.json ? `${JSON.stringify(rulesJson(), null, 4)}\n` : rulesText());
    return 0;
}
