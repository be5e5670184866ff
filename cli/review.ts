import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { ending } from "./arguments.ts";
import { reviewMarkdown } from "./review/review.ts";

/** Declares `review`. */
export function declare(verb: Command): void {
    verb.option("--file <FILE>", "read the preview from a file (default: standard input)").action(ending(run));
}

/** `review`: turns `pulumi preview --json`, on standard input, into a change description in Markdown. */
function run(values: { readonly file?: string }): number {
    const text = readFileSync(values.file ?? 0, "utf8");
    let preview: unknown;
    try {
        preview = JSON.parse(text.slice(Math.max(0, text.indexOf("{"))));
    } catch {
        const message = "is not JSON: give it the output of `pulumi preview --json`";
        throw new ProblemsError("The preview cannot be read:", [{ path: values.file ?? "standard input", message }]);
    }
    process.stdout.write(reviewMarkdown(preview));
    return 0;
}
