import { Argument, type Command } from "commander";
import { patchSet, patchSets } from "../knowledge/artifacts/patches.ts";
import { nearest } from "../knowledge/base/nearest.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { withoutTagPrefix } from "../knowledge/base/version.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { heading, wrap } from "./text.ts";

/** Declares `patches [RELEASE]`. */
export function declare(verb: Command): void {
    verb.addArgument(new Argument("[RELEASE]", "those of one release alone").argParser(withoutTagPrefix))
        .option(...jsonOption)
        .action(ending(run));
}

/** `patches [RELEASE]`: the patches that ship, in the order in which they are applied. Exit 2 for a release without any. */
function run(release: string | undefined, values: JsonOption): number {
    const known = patchSets();
    if (release !== undefined && !known.includes(release)) {
        const meant = nearest(release, known);
        const message = `has none; there are some for ${known.join(", ")}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
        throw new ProblemsError("There are no such patches:", [{ path: release, message }]);
    }
    const sets = (release === undefined ? known : [release]).map(patchSet);
    if (values.json) {
        const rows = sets.flatMap(({ release: of, patches }) =>
            patches.map(({ text: _, ...patch }) => ({ release: of, ...patch })),
        );
        process.stdout.write(`${JSON.stringify(rows, null, 4)}\n`);
        return 0;
    }
    const texts = sets.map(({ release: of, patches }) => {
        const lines = patches.map(({ name, purpose, closes }) => {
            const rules = closes.length === 0 ? "" : ` (${closes.join(", ")})`;
            return `  ${name}\n${wrap(`${purpose}${rules}`, 6)}`;
        });
        return heading(`SGLang ${of}`) + lines.join("");
    });
    process.stdout.write(texts.join("\n"));
    return 0;
}
