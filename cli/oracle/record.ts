import { renameSync, writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { ProblemsError } from "../../knowledge/base/problems.ts";
import type { Problem } from "../../knowledge/base/settings.ts";
import { packedOracle } from "../../knowledge/oracle/packed.ts";
import { ownPrompts, shippedPrompts } from "../../knowledge/oracle/prompts.ts";
import { recordText } from "../../knowledge/oracle/report.ts";
import type { Oracle } from "../../knowledge/records/oracle.ts";
import { ending } from "../arguments.ts";
import { fileText } from "./file-text.ts";
import { askAll } from "./runs.ts";
import { askedServer } from "./server.ts";

interface RecordOptions {
    readonly out: string;
    readonly prompts?: string;
    readonly runs: number;
    readonly keyFile?: string;
    readonly keyEnv?: string;
    readonly revision?: string;
    readonly quantization?: string;
    readonly kvCache?: string;
}

/** Declares `oracle record`. */
export function declareRecord(verb: Command): void {
    verb.command("record")
        .description("ask a trusted server, SGLang or vLLM, for the numbers that others are held to")
        .argument("<URL>", "its address, such as http://192.0.2.20:30000", address)
        .requiredOption("--out <FILE>", "the oracle file to write, for `gate.oracle`")
        .option("--prompts <FILE>", 'more prompts: {"prompts": [{"name": …, "text": …}]}')
        .option("--runs <N>", "times to ask, alone and as often all at once", count, 3)
        .option("--key-file <FILE>", "file that holds the server's API key")
        .addOption(new Option("--key-env <NAME>", "variable that holds it").conflicts("keyFile"))
        .option("--revision <REVISION>", "of the model, where the server does not say")
        .option("--quantization <METHOD>", "of the weights, where the server does not say")
        .option("--kv-cache <TYPE>", "of the cache, where the server does not say")
        .action(ending(runRecord));
}

/** `oracle record URL`: writes nothing unless the server is one that others can be held to. */
async function runRecord(url: string, values: RecordOptions): Promise<number> {
    const refused = (problems: readonly Problem[]) =>
        new ProblemsError(`${url} cannot be recorded; nothing was written:`, problems);
    const { version, prompts } = shippedPrompts();
    const own =
        values.prompts === undefined
            ? []
            : ownPrompts(values.prompts, fileText("No prompts can be read:", values.prompts), prompts);
    const key = keyOf(values);
    const said = await (async () => {
        const server = await askedServer(url, key);
        return { server, ...(await askAll(server, [...prompts, ...own], values.runs, progress())) };
    })().catch((error: Error) => {
        throw refused([{ path: "server", message: error.message }]);
    });
    const { server, tooLong, entries, spread } = said;
    const { revision = server.asked.revision, quantization = server.asked.quantization } = values;
    const oracle: Oracle = {
        schema: 1,
        asked: { ...server.asked, revision, quantization, kvCache: values.kvCache ?? server.asked.kvCache },
        promptSet: own.length > 0 ? `${version}+own` : version,
        entries,
        spread,
    };
    const text = `${JSON.stringify(oracle)}\n`;
    // what the stack file would say of it
    const { problems } = packedOracle(values.out, text);
    if (problems.length > 0) {
        throw refused(problems);
    }
    writeFileSync(`${values.out}.new`, text);
    renameSync(`${values.out}.new`, values.out);
    for (const { name, said: why } of tooLong) {
        process.stdout.write(`left out: prompt ${JSON.stringify(name)} does not fit into its context: ${why}\n`);
    }
    process.stdout.write(`${recordText(oracle)}wrote ${values.out}\n`);
    return 0;
}

/** Tells on standard error how far it is, where it takes longer than anybody likes to wait in the dark. */
function progress(): (text: string) => void {
    const often = 2000;
    let last = Date.now();
    return (text) => {
        if (Date.now() - last >= often) {
            last = Date.now();
            process.stderr.write(`${text}\n`);
        }
    };
}

function keyOf({ keyFile, keyEnv }: RecordOptions): string | undefined {
    const key =
        keyFile === undefined
            ? keyEnv && process.env[keyEnv]?.trim()
            : fileText("There is no API key:", keyFile).trim();
    if (key === "" || (keyEnv !== undefined && key === undefined)) {
        const path = keyFile === undefined ? "--key-env" : "--key-file";
        throw new ProblemsError("There is no API key:", [{ path, message: `${keyFile ?? keyEnv} holds nothing` }]);
    }
    return key;
}

/** Without what follows it: `/v1` is where OpenAI's clients are pointed. */
function address(text: string): string {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) {
        throw new InvalidArgumentError("It begins with http:// or https://.");
    }
    if (url.username !== "" || url.password !== "" || url.search !== "") {
        throw new InvalidArgumentError("A key is given with --key-file or --key-env.");
    }
    return `${url.origin}${url.pathname}`.replace(/(\/v1)?\/*$/, "");
}

function count(text: string): number {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) {
        throw new InvalidArgumentError("It must be a whole number above 0.");
    }
    return value;
}
