import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** Path of a recording of a real server; test/fixtures/oracle/README.md says of which. */
export const recordedFile = (name: string): string => join(packageRoot, "test/fixtures/oracle", `${name}.json`);

// biome-ignore lint/suspicious/noExplicitAny: a recording, edited by tests
export type Recording = any;

/** A recording as a value that a test may change. */
export function recorded(name: string): Recording {
    return JSON.parse(readFileSync(recordedFile(name), "utf8"));
}

/** The same with every answer changed. */
export function eachAnswer(recording: Recording, change: (answer: Recording, prompt: number) => void): Recording {
    for (const [index, answer] of [...recording.alone.flat(), ...recording.together].entries()) {
        change(answer, index % recording.prompts.length);
    }
    return recording;
}
