import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { largeStack } from "../support/large-stack.ts";
import { compare } from "./measure.ts";

/** `plan` of 64 hosts with a service each, and what of it every start of the command takes. */
export async function planOfLargeStack(rounds: number): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "large-"));
    try {
        const file = join(folder, "stack.yaml");
        await writeFile(file, largeStack(64));
        const run = (...words: string[]) =>
            promisify(execFile)(process.execPath, [join(packageRoot, "cli/main.ts"), ...words], { maxBuffer: 2 ** 28 });
        const times = await compare(rounds, {
            start: () => run("--version"),
            plan: () => run("plan", "--file", file),
        });
        return `plan of 64 hosts and services: ${times.plan.toFixed(2)} s, ${times.start.toFixed(2)} s of it to start`;
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}
