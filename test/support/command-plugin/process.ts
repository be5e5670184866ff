import { spawn } from "node:child_process";

/** A program to run: its input is closed after `stdin`, and `log` gets each complete line of the streams it names. */
export interface Program {
    argv: string[];
    stdin?: string;
    environment?: NodeJS.ProcessEnv;
    directory?: string;
    logging?: string;
    log: (line: string) => void;
}

/** What a program did. `output` is both streams as they came; stdout and stderr are cut by one final newline. */
export interface Outcome {
    code: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
    output: string;
}

/** The longest line, in bytes, that the real plugin can log; it waits forever for the end of a longer one. */
const longestLine = 64 * 1024;

/** Runs a program to its end. Raises an error when it cannot be started, or when the real plugin would hang. */
export async function runProgram(program: Program): Promise<Outcome> {
    const [file, ...args] = program.argv as [string, ...string[]];
    const child = spawn(file, args, { cwd: program.directory, env: program.environment, stdio: "pipe" });
    const all: Buffer[] = [];
    const stdout = collect(child.stdout, all, logs(program.logging, "stdout") ? program.log : undefined);
    const stderr = collect(child.stderr, all, logs(program.logging, "stderr") ? program.log : undefined);
    child.stdin.on("error", () => {});
    child.stdin.end(program.stdin ?? "");
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (...ended) => resolve(ended));
    });
    if (stdout.tooLong || stderr.tooLong) {
        throw new Error("a line longer than 64 KiB was printed with logging on: the real command plugin hangs on it");
    }
    return { code, signal, stdout: text(stdout.chunks), stderr: text(stderr.chunks), output: decode(all) };
}

function logs(logging: string | undefined, stream: "stdout" | "stderr"): boolean {
    return logging === undefined || logging === stream || logging === "stdoutAndStderr";
}

function collect(stream: NodeJS.ReadableStream, all: Buffer[], log: ((line: string) => void) | undefined) {
    const collected = { chunks: [] as Buffer[], tooLong: false };
    const decoder = new TextDecoder();
    let rest = "";
    stream.on("data", (chunk: Buffer) => {
        collected.chunks.push(chunk);
        all.push(chunk);
        if (log !== undefined) {
            const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
            rest = lines.pop()!;
            lines.forEach(log);
            collected.tooLong ||= [...lines, rest].some((line) => Buffer.byteLength(line) >= longestLine);
        }
    });
    stream.on("end", () => rest !== "" && log?.(rest));
    return collected;
}

function text(chunks: Buffer[]): string {
    return decode(chunks).replace(/\n$/, "");
}

/** Raises an error for bytes that are not UTF-8: with the real plugin the program then fails. */
function decode(chunks: Buffer[]): string {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
}
