import { readFileSync } from "node:fs";
import { ProblemsError } from "../../knowledge/base/problems.ts";

/** The text of a file. Throws a {@link ProblemsError} that begins with `subject` where it cannot be read. */
export function fileText(subject: string, file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const message = code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`;
        throw new ProblemsError(subject, [{ path: file, message }]);
    }
}
