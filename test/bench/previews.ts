import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { succeeded } from "../support/command-plugin/contract.ts";
import { Engine, projectCopy } from "../support/engine.ts";
import { emptyProgram } from "./empty-program.ts";
import { compare } from "./measure.ts";

/** Preview of the shipped blackwell stack from nothing, over that of an empty program. */
export async function previewOfBlackwell(rounds: number): Promise<string> {
    const empty = await emptyProgram();
    const folder = await mkdtemp(join(tmpdir(), "blackwell-"));
    const engine = await Engine.create({ program: await projectCopy(folder) });
    try {
        await engine.stackInit("blackwell");
        const times = await compare(rounds, {
            empty: async () => succeeded(await empty.engine.preview()),
            blackwell: async () => succeeded(await engine.preview()),
        });
        return ratio("preview of the blackwell stack", times.blackwell, times.empty);
    } finally {
        await engine.close();
        await empty.close();
        await rm(folder, { recursive: true, force: true });
    }
}

/** One line of the report. */
export function ratio(what: string, seconds: number, ofEmpty: number): string {
    const times = `${seconds.toFixed(2)} s, an empty program ${ofEmpty.toFixed(2)} s`;
    return `${what}: ${(seconds / ofEmpty).toFixed(2)} times an empty program (${times})`;
}
