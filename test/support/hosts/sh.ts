/** Programs of the test machine, run to their end. */
import { execFile, execFileSync } from "node:child_process";

/** What a finished program left. */
export interface Finished {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** Runs a program now and returns what it printed; throws with its error text. */
export function run(program: string, ...argv: string[]): string {
    return execFileSync(program, argv, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 << 20 });
}

/** Runs a program whose failure does not matter (taking down what may not be there). */
export function attempt(program: string, ...argv: string[]): void {
    try {
        run(program, ...argv);
    } catch {
        // Nothing was there to take down.
    }
}

/** Runs a program without blocking, with text on its stdin; never rejects for an exit status. */
export function finish(program: string, argv: string[], stdin = "", timeoutMs = 300_000): Promise<Finished> {
    return new Promise((resolve) => {
        const child = execFile(
            program,
            argv,
            { encoding: "utf8", timeout: timeoutMs, maxBuffer: 64 << 20 },
            (error, stdout, stderr) => {
                const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
                resolve({ code, stdout, stderr });
            },
        );
        child.stdin?.on("error", () => {});
        child.stdin?.end(stdin);
    });
}
