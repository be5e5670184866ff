import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ProblemsError } from "../knowledge/base/problems.ts";
import { reviewMarkdown } from "./review/review.ts";

/** `review`: turns `pulumi preview --json`, on standard input, into a change description in Markdown. */
export function run(argv: string[]): number {
    const { values } = parseArgs({ args: argv, options: { file: { type: "string" } } });
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
