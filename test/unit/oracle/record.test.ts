/** `oracle record` against a stand-in for SGLang and one for vLLM: what it writes is read by `compare`, the stack file and the agent's gate. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { limitsFor } from "../../../knowledge/oracle/limits.ts";
import { packedOracle } from "../../../knowledge/oracle/packed.ts";
import { shippedPrompts } from "../../../knowledge/oracle/prompts.ts";
import { type Oracle, oracleSchema, promptKinds } from "../../../knowledge/records/oracle.ts";
import { freePort, type StandinServer, startStandin } from "../../support/standin-server/server.ts";
import { type Change, completionsServer } from "./completions-server.ts";

// each server takes seconds to start, and each prompt a while
vi.setConfig({ testTimeout: 180_000 });

let folder: string;
let sound: StandinServer;
beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "record-"));
    sound = await startStandin();
});
const running: { stop(): unknown }[] = [];
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));
afterAll(async () => {
    await sound.stop();
    rmSync(folder, { recursive: true });
});

async function standin(...given: Parameters<typeof startStandin>): Promise<StandinServer> {
    const server = await startStandin(...given);
    running.push(server);
    return server;
}

async function run(command: string, args: string[], environment: Record<string, string> = {}, input = "") {
    const child = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, ...environment } });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
    });
    child.stdin.end(input);
    const [status] = await once(child, "close");
    return { status: status as number, stdout, stderr };
}

const file = (name: string) => join(folder, name);
const sglang = (words: string[], environment?: Record<string, string>) =>
    run(process.execPath, [join(packageRoot, "cli/main.ts"), ...words], environment);
const record = (url: string, out: string, more: string[] = [], environment?: Record<string, string>) =>
    sglang(["oracle", "record", url, "--out", out, "--runs", "1", ...more], environment);
const written = (name: string): Oracle => oracleSchema.parse(JSON.parse(readFileSync(file(name), "utf8")));

/** What the gate's own oracle says in front of a server: nothing, or its reason. */
async function gateOf(oracle: Oracle, url: string): Promise<string> {
    const { found, problems } = packedOracle("oracle", JSON.stringify(oracle));
    expect(problems).toEqual([]);
    const asked = { sha256: found!.sha256, packed: found!.packed, limits: limitsFor(oracle, {}) };
    const program = `
import json, sys, time
from sglang_agent.gate import oracle
from sglang_agent.gate.client import Client
from sglang_agent.gate.no import No
from sglang_agent.gate.run import Gate
gate = Gate({"timeoutSeconds": 60}, Client("127.0.0.1", int(sys.argv[1])), lambda: True, lambda _: None)
try:
    oracle.prove(gate, json.load(sys.stdin), time.monotonic() + 60)
except No as no:
    print(no.check, no.reason)
`;
    const environment = { PYTHONPATH: join(packageRoot, "agent"), PYTHONDONTWRITEBYTECODE: "1" };
    const said = await run("python3", ["-c", program, new URL(url).port], environment, JSON.stringify(asked));
    expect(said.stderr).toBe("");
    return said.stdout;
}

test("the prompts of the package are of every kind, from one word to thousands", () => {
    const { prompts } = shippedPrompts();
    expect(new Set(prompts.map(({ kind }) => kind))).toEqual(new Set(promptKinds));
    expect(new Set(prompts.map(({ name }) => name)).size).toBe(prompts.length);
    const lengths = prompts.map(({ asked }) => asked.length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([3, expect.closeTo(24_000, -3)]);
});

test("what a sound server says is recorded, and compare and the gate hold others to it", async () => {
    writeFileSync(file("own.json"), JSON.stringify({ prompts: [{ name: "ours", ids: [5, 6, 7] }] }));
    const done = await record(`${sound.url}/v1`, "sound.json", ["--prompts", "own.json", "--quantization", "fp8"]);
    expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining("asked at once: the same numbers\n") });
    const oracle = written("sound.json");
    expect(oracle).toMatchObject({
        promptSet: "1+own",
        asked: { server: "sglang", model: "acme/tiny", quantization: "fp8" },
    });
    expect(oracle.entries.at(-1)).toMatchObject({ name: "ours", ids: [5, 6, 7] });
    expect(oracle.entries.at(-1)).not.toHaveProperty("text");
    expect(await gateOf(oracle, sound.url)).toBe("");
    const noisy = await standin("noise:4");
    expect(await gateOf(oracle, noisy.url)).toContain("the numbers are not those of the oracle");
    expect((await record(noisy.url, "noisy.json", ["--prompts", "own.json"])).status).toBe(0);
    expect((await sglang(["oracle", "compare", "sound.json", "sound.json"])).status).toBe(0);
    expect((await sglang(["oracle", "compare", "sound.json", "noisy.json"])).status).toBe(1);
});

test("prompts that do not fit are left out and named", async () => {
    const { url } = await standin("", "--context-length", "500");
    const { status, stdout } = await record(url, "short.json");
    expect(status).toBe(0);
    expect(stdout).toMatch(/left out: prompt "ledger-1000" does not fit into its context: The input \(936 tokens\)/);
    expect(written("short.json").entries.map(({ name }) => name)).not.toContain("ledger-8000");
    expect(written("short.json").entries.length).toBe(shippedPrompts().prompts.length - 3);
});

test("a server that is not repeatable is told as that, with how far it is from itself", async () => {
    const { url } = await standin("wrong-in-batch:12");
    const { status, stdout } = await record(url, "crowd.json", ["--runs", "2"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/asked again: the same numbers\nasked at once: not the same numbers: prompt tokens are \d/);
    expect(stdout).toContain("MORE THAN A SOUND SERVER");
    expect(written("crowd.json").spread.together!.figures.promptMean).toBeGreaterThan(0.3);
});

test("the key of a server comes from a file or a variable", async () => {
    const { url } = await standin("", "--api-key", "sesame");
    writeFileSync(file("key"), "sesame\n");
    expect((await record(url, "k.json", ["--key-file", "key"])).status).toBe(0);
    expect((await record(url, "k.json", ["--key-env", "KEY"], { KEY: "sesame" })).status).toBe(0);
    const lacking = await record(url, "no.json");
    expect(lacking.stderr).toContain("it refuses (401): give its key with --key-file or --key-env");
    const wrong = await record(url, "no.json", ["--key-env", "KEY"], { KEY: "simsim" });
    expect(wrong.stderr).toContain("it refuses (401): the key that was given is not its key");
    expect(wrong.stderr).not.toContain("simsim");
    expect((await record(url, "no.json", ["--key-env", "KEY"])).stderr).toContain("--key-env: KEY holds nothing");
    expect((await record(url, "no.json", ["--key-file", "none"])).stderr).toContain("none: there is no such file");
    expect((await record(url.replace("//", "//me:sesame@"), "no.json")).stderr).toContain("--key-file or --key-env");
    expect(readFileSync(file("k.json"), "utf8")).not.toContain("sesame");
    expect(existsSync(file("no.json"))).toBe(false);
});

test("a server without numbers is refused with the place, and nothing is written", async () => {
    const { url } = await standin("nan-weights");
    const { status, stderr } = await record(url, "nan.json");
    expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringMatching(
            /nothing was written:\n {2}numbers: log-probability 0 of the answer 0 is no number: such a server is no reference\n$/,
        ),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("nan"))).toEqual([]);
});

test("a server that nobody reaches is told in one line", async () => {
    const { status, stderr } = await record(`http://127.0.0.1:${await freePort()}`, "none.json");
    expect(status).toBe(2);
    expect(stderr).toMatch(
        /^\S+ cannot be recorded; nothing was written:\n {2}server: it cannot be reached: .*ECONNREFUSED.*\n$/,
    );
});

/** What is said of a server in the form of vLLM. */
async function completions(out: string, change?: Change) {
    const server = await completionsServer(change);
    running.push(server);
    return record(server.url, out);
}

test("vLLM is asked by /v1/completions, and what does not fit there is left out too", async () => {
    const { status, stdout } = await completions("vllm.json");
    expect(status).toBe(0);
    expect(stdout).toContain('left out: prompt "ledger-8000"');
    const { asked, entries } = written("vllm.json");
    expect(asked).toEqual({ server: "vllm", release: "0.11.0", model: "acme/own" });
    const [the] = entries;
    expect(the).toMatchObject({ text: "The", ids: [84, 104, 101], logprobs: [null, -0.7, -0.4] });
    expect(the!.answerIds.slice(0, 2)).toEqual([500, 501]);
    expect(the!.topIds[0]).toEqual([500, 501, 502, 503, 504]);
    expect(the!.topLogprobs[0]).toEqual([-0.4, -1.4, -2.4, -3.4, -4.4]);
});

test.each<[string, Change, RegExp]>([
    [
        "texts in the place of token ids",
        ({ choices: [{ logprobs }] }) => {
            logprobs.tokens = logprobs.tokens.map(() => "word");
        },
        /no log-probabilities of the prompt's tokens by token id.* \(prompt "one-word"\)$/,
    ],
    [
        "no log-probabilities",
        ({ choices }) => delete choices[0].logprobs,
        /no log-probabilities of the prompt's tokens/,
    ],
    ["the answer's only", ({ usage }) => usage.prompt_tokens++, /no log-probabilities of the prompt's tokens/],
    [
        "minus infinity",
        ({ choices: [{ logprobs }] }, prompt) => {
            logprobs.token_logprobs[2] = prompt === "The" ? -9999 : -1;
        },
        /numbers: log-probability 2 of the prompt 0 is no number/,
    ],
])("vLLM with %s is refused", async (_, change, said) => {
    const { status, stderr } = await completions("bad.json", change);
    expect(status).toBe(2);
    expect(stderr.trimEnd()).toMatch(said);
    expect(existsSync(file("bad.json"))).toBe(false);
});

test.each([
    ["{", /is not JSON/],
    ['{"prompts": []}', /prompts: must have at least 1 entry/],
    ['{"prompts": [{"name": "a"}]}', /prompts\.0/],
    [
        '{"prompts": [{"name": "the-word", "text": "x"}, {"name": "c", "text": "x"}]}',
        /prompts\.1\.name: there is a prompt "c" already/,
    ],
])("own prompts %s are refused before anything is asked", async (text, said) => {
    writeFileSync(file("wrong.json"), text);
    const { status, stderr } = await record("http://127.0.0.1:9", "none.json", ["--prompts", "wrong.json"]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
});
