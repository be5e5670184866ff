import { ProblemsError, zodProblems } from "../base/problems.ts";
import { type Oracle, oracleSchema } from "../records/oracle.ts";
import { oracleOfRecording, recordingProblems, recordingSchema } from "./recording.ts";

/** An oracle file, or a recording of /generate, from its text. Throws a {@link ProblemsError} with every mistake in it. */
export function readOracle(file: string, text: string): Oracle {
    const value = parsed(file, text);
    const subject = `${file} is no oracle:`;
    if (typeof value === "object" && value !== null && "alone" in value) {
        const recording = recordingSchema.safeParse(value);
        const problems = recording.success
            ? recordingProblems(recording.data)
            : few(zodProblems(recording.error, recordingSchema));
        if (problems.length > 0) {
            throw new ProblemsError(subject, problems);
        }
        return oracleOfRecording(recording.data!);
    }
    const oracle = oracleSchema.safeParse(value);
    const problems = oracle.success ? unequalLists(oracle.data) : few(zodProblems(oracle.error, oracleSchema));
    if (problems.length > 0) {
        throw new ProblemsError(subject, problems);
    }
    return oracle.data!;
}

/** The value of a JSON text in which Python may have written NaN or Infinity, which read as no number. Throws a SyntaxError. */
export function pythonJson(text: string): unknown {
    const numbers = text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) =>
        part[0] === '"' ? part : "null",
    );
    return JSON.parse(numbers);
}

function parsed(file: string, text: string): unknown {
    try {
        return pythonJson(text);
    } catch (error) {
        const message = `is not JSON: ${(error as Error).message}`;
        throw new ProblemsError("An oracle is a JSON file:", [{ path: file, message }]);
    }
}

/** A damaged file has thousands of mistakes of one kind. */
function few<T extends { path: string; message: string }>(problems: readonly T[]): { path: string; message: string }[] {
    const most = 8;
    const rest = problems.length - most;
    return rest > 0 ? [...problems.slice(0, most), { path: "…", message: `${rest} more mistakes` }] : [...problems];
}

function unequalLists({ entries }: Oracle): { path: string; message: string }[] {
    return few(
        entries.flatMap((entry, index) => [
            ...unequal(`entries.${index}.logprobs`, entry.logprobs, "ids", entry.ids),
            ...unequal(`entries.${index}.answerLogprobs`, entry.answerLogprobs, "answerIds", entry.answerIds),
            ...unequal(`entries.${index}.topLogprobs`, entry.topLogprobs.flat(), "topIds", entry.topIds.flat()),
        ]),
    );
}

function unequal(path: string, values: readonly unknown[], name: string, ids: readonly unknown[]) {
    return values.length === ids.length
        ? []
        : [{ path, message: `has ${values.length} numbers for ${ids.length} \`${name}\`` }];
}
