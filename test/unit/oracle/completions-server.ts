import { once } from "node:events";
import { createServer } from "node:http";

/** What changes an answer of the server below before it is sent. */
// biome-ignore lint/suspicious/noExplicitAny: an answer, edited by tests
export type Change = (answer: any, prompt: string) => void;

/** A server that answers /v1/completions as vLLM does: prompt and answer in one row of token ids, the first without a number. */
export async function completionsServer(change: Change = () => {}) {
    const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) {
            chunks.push(chunk);
        }
        const send = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
        if (request.url === "/v1/models") {
            return send(200, { data: [{ id: "acme/own", max_model_len: 4096 }] });
        }
        if (request.url === "/version") {
            return send(200, { version: "0.11.0" });
        }
        if (request.url !== "/v1/completions") {
            return send(404, { detail: "Not Found" });
        }
        const { prompt, max_tokens, logprobs, echo, return_tokens_as_token_ids } = JSON.parse(
            Buffer.concat(chunks).toString(),
        );
        if (prompt.length > 20_000) {
            const message = "This model's maximum context length is 4096 tokens. However, you requested more.";
            return send(400, { error: { message, type: "BadRequestError" } });
        }
        const asked = [...Buffer.from(prompt.slice(0, 200))];
        const ids = [...(echo ? asked : []), ...Array.from({ length: max_tokens }, (_, place) => 500 + place)];
        const name = (id: number) => (return_tokens_as_token_ids ? `token_id:${id}` : `t${id}`);
        const value = (id: number) => -0.1 - (id % 7) / 10;
        const best = (id: number) =>
            Object.fromEntries(
                Array.from({ length: logprobs + 1 }, (_, rank) => [name(id + rank), value(id) - rank]).toReversed(),
            );
        const answer = {
            choices: [
                {
                    logprobs: {
                        tokens: ids.map(name),
                        token_logprobs: ids.map((id, place) => (place === 0 ? null : value(id))),
                        top_logprobs: ids.map((id, place) => (place === 0 ? null : best(id))),
                    },
                },
            ],
            usage: { prompt_tokens: asked.length, completion_tokens: max_tokens },
        };
        change(answer, prompt);
        return send(200, answer);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
