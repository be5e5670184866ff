import type { Prompt } from "../../knowledge/oracle/prompts.ts";
import { spreadOf } from "../../knowledge/oracle/spread.ts";
import type { Oracle, OracleEntry } from "../../knowledge/records/oracle.ts";
import { type AskedServer, TooLong } from "./server.ts";

/** What a server said in all runs. */
export interface Runs extends Pick<Oracle, "entries" | "spread"> {
    /** Prompts that do not fit into its context, and what it said of them. */
    readonly tooLong: readonly (TooLong & { readonly name: string })[];
}

/** Asks every prompt `runs` times alone, one after the other, and as often all at once. Throws an Error that says what is wrong. */
export async function askAll(
    server: AskedServer,
    prompts: readonly Prompt[],
    runs: number,
    tell: (progress: string) => void,
): Promise<Runs> {
    const fitting: Prompt[] = [];
    const entries: OracleEntry[] = [];
    const tooLong: (TooLong & { name: string })[] = [];
    for (const [index, prompt] of prompts.entries()) {
        tell(`run 1 of ${runs}: prompt ${index + 1} of ${prompts.length}`);
        const said = await ask(server, prompt);
        if (said instanceof TooLong) {
            tooLong.push(Object.assign(said, { name: prompt.name }));
        } else {
            fitting.push(prompt);
            entries.push(said);
        }
    }
    if (entries.length === 0) {
        throw new Error(`no prompt fits into its context: ${tooLong[0]!.said}`);
    }
    const one = async (prompt: Prompt): Promise<OracleEntry> => {
        const said = await ask(server, prompt);
        if (said instanceof TooLong) {
            throw new Error(`prompt ${JSON.stringify(prompt.name)} fitted once and does not fit now: ${said.said}`);
        }
        return said;
    };
    const again: OracleEntry[][] = [];
    for (let run = 2; run <= runs; run++) {
        const said: OracleEntry[] = [];
        for (const [index, prompt] of fitting.entries()) {
            tell(`run ${run} of ${runs}: prompt ${index + 1} of ${fitting.length}`);
            said.push(await one(prompt));
        }
        again.push(said);
    }
    const together: OracleEntry[][] = [];
    for (let run = 1; run <= runs; run++) {
        tell(`${fitting.length} prompts at once: ${run} of ${runs}`);
        together.push(await Promise.all(fitting.map(one)));
    }
    return { entries, tooLong, spread: { again: spreadOf(entries, again), together: spreadOf(entries, together) } };
}

async function ask(server: AskedServer, prompt: Prompt): Promise<OracleEntry | TooLong> {
    try {
        return await server.ask(prompt);
    } catch (error) {
        throw new Error(`${(error as Error).message} (prompt ${JSON.stringify(prompt.name)})`);
    }
}
