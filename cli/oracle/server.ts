import { z } from "zod";
import type { Prompt } from "../../knowledge/oracle/prompts.ts";
import { pythonJson } from "../../knowledge/oracle/read.ts";
import { entryOf, type Said } from "../../knowledge/oracle/recording.ts";
import { completionsBody, generateBody, saidByCompletions, saidByGenerate } from "../../knowledge/oracle/said.ts";
import type { Oracle, OracleEntry } from "../../knowledge/records/oracle.ts";

/** A server that is asked for log-probabilities. */
export interface AskedServer {
    /** What it says of itself. */
    readonly asked: Oracle["asked"];
    /** What it says to a prompt, or that the prompt does not fit. Throws an Error that says what is wrong. */
    ask(prompt: Prompt): Promise<OracleEntry | TooLong>;
}

/** A prompt is longer than the server's context: what the server said. */
export class TooLong {
    readonly said: string;
    constructor(said: string) {
        this.said = said;
    }
}

/** One HTTP answer. */
interface Reply {
    readonly status: number;
    /** Undefined where the body is no JSON. */
    readonly body: unknown;
}

/** Node's own limit for the head of an answer. */
const answerMilliseconds = 300_000;

/** Finds out what a server is. Throws an Error where it is none that can be asked. */
export async function askedServer(address: string, key: string | undefined): Promise<AskedServer> {
    const ask = (path: string, body?: object) => request(`${address}${path}`, key, body);
    const models = modelsSchema.safeParse(answered(await ask("/v1/models"), key)).data;
    if (models === undefined) {
        throw new Error("its /v1/models lists no model: it is no SGLang or OpenAI-compatible server");
    }
    const { id: model } = models.data[0];
    const native = await firstOf(ask, ["/server_info", "/get_server_info"], sglangSchema);
    const asked = native ? sglangAsked(native, model) : await completionsAsked(ask, model);
    const [path, bodyOf, saidBy] = native
        ? (["/generate", generateBody, saidByGenerate] as const)
        : (["/v1/completions", completionsBody.bind(undefined, model), saidByCompletions] as const);
    return {
        asked,
        ask: async (prompt) => {
            const reply = await ask(path, bodyOf(prompt.asked));
            const refused = refusal(reply);
            if (reply.status === 400 && /context length|longer than/i.test(refused)) {
                return new TooLong(refused);
            }
            return entry(prompt, saidBy(answered(reply, key)), path);
        },
    };
}

const modelsSchema = z.object({ data: z.tuple([z.object({ id: z.string() })], z.unknown()) });
const text = z.string().nullish();
/** As far as it is needed: the answer holds the API key, too. */
const sglangSchema = z.object({
    model_path: z.string(),
    revision: text,
    version: text,
    quantization: text,
    kv_cache_dtype: text,
});
const versionSchema = z.object({ version: z.string() });

function sglangAsked({ model_path, ...of }: z.output<typeof sglangSchema>, model: string): Oracle["asked"] {
    // a path on the server says less than the name it is served by
    const name = /^[^/]+\/[^/]+$/.test(model_path) ? model_path : model;
    const kvCache = of.kv_cache_dtype === "auto" ? undefined : (of.kv_cache_dtype ?? undefined);
    return {
        server: "sglang",
        release: of.version ?? undefined,
        model: name,
        revision: of.revision ?? undefined,
        quantization: of.quantization ?? undefined,
        kvCache,
    };
}

async function completionsAsked(ask: (path: string) => Promise<Reply>, model: string): Promise<Oracle["asked"]> {
    const found = await firstOf(ask, ["/version"], versionSchema);
    return { server: "vllm", release: found?.version, model };
}

/** The first of some paths that is answered in that form. */
async function firstOf<S extends z.ZodType>(
    ask: (path: string) => Promise<Reply>,
    paths: readonly string[],
    schema: S,
): Promise<z.output<S> | undefined> {
    for (const path of paths) {
        const { status, body } = await ask(path);
        const found = schema.safeParse(body);
        if (status === 200 && found.success) {
            return found.data;
        }
    }
    return undefined;
}

function entry({ name, kind, asked }: Prompt, said: Said | undefined, path: string): OracleEntry {
    if (said === undefined) {
        throw new Error(
            path === "/generate"
                ? "its answers have no log-probabilities of the prompt's tokens"
                : "its answers have no log-probabilities of the prompt's tokens by token id; vLLM has them (`echo`, " +
                      "`return_tokens_as_token_ids`), and SGLang has by /generate",
        );
    }
    return rounded(entryOf({ name, kind, ...(typeof asked === "string" ? { text: asked } : {}) }, said));
}

/** Half of what a float of 32 bits says is noise of its last bits. */
function rounded(found: OracleEntry): OracleEntry {
    const short = (value: number | null) => (value === null ? null : Number(value.toFixed(6)));
    return {
        ...found,
        logprobs: found.logprobs.map(short),
        answerLogprobs: found.answerLogprobs.map(short),
        topLogprobs: found.topLogprobs.map((place) => place.map(short)),
    };
}

async function request(url: string, key: string | undefined, body?: object): Promise<Reply> {
    const headers = {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body ? { "content-type": "application/json" } : {}),
    };
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    try {
        const response = await fetch(url, { ...sent, headers, signal: AbortSignal.timeout(answerMilliseconds) });
        return { status: response.status, body: jsonOrNothing(await response.text()) };
    } catch (error) {
        throw new Error(unreachable(error as Unreachable));
    }
}

function jsonOrNothing(text: string): unknown {
    try {
        return pythonJson(text);
    } catch {
        return undefined;
    }
}

/** How fetch tells of a connection that failed. */
type Unreachable = Error & { readonly cause?: Error & { readonly code?: string } };

function unreachable(error: Unreachable): string {
    return error.name === "TimeoutError"
        ? `it gave no answer within ${answerMilliseconds / 1000} s`
        : `it cannot be reached: ${error.cause?.code ?? error.cause?.message ?? error.message}`;
}

/** The body of an answer with status 200. */
function answered(reply: Reply, key: string | undefined): unknown {
    const { status, body } = reply;
    if (status === 401 || status === 403) {
        const given =
            key === undefined ? "give its key with --key-file or --key-env" : "the key that was given is not its key";
        throw new Error(`it refuses (${status}): ${given}`);
    }
    if (status !== 200) {
        const said = refusal(reply);
        throw new Error(`it answers ${status}${said === "" ? "" : `: ${said.slice(0, 300)}`}`);
    }
    return body;
}

/** What a refusal says, in the forms of SGLang and vLLM. */
function refusal({ body }: Reply): string {
    const found = body as { message?: unknown; error?: { message?: unknown } | string } | undefined;
    const said = found?.message ?? (typeof found?.error === "object" ? found.error.message : found?.error);
    return typeof said === "string" ? said : "";
}
