/** Where secrets go: into the standard input of one command each, marked as secret there, and nowhere else. */
import { describe, expect, test } from "vitest";
import { type Registered, runProgram } from "../../support/mocks.ts";
import { type ExampleChanges, example, secret } from "./example.ts";

const token = "hf_TheHubTokenOfATest";
const key = "sk-TheApiKeyOfATest";
const login = "THE PRIVATE KEY OF A TEST";

const withSecrets = (changes: { token?: string; key?: string } = {}): ExampleChanges => ({
    host: { privateKey: secret(login) },
    cache: { token: { value: secret(changes.token ?? token) } },
    service: { apiKey: { value: secret(changes.key ?? key) }, api: { listen: "0.0.0.0" } },
});

const named = (registered: Registered[], name: string) => registered.find((resource) => resource.name === name)!;
const json = (value: unknown) => JSON.stringify(value) ?? "";

describe("a secret", () => {
    test("is the whole, secret standard input of a command of its own", async () => {
        const { registered } = await runProgram(() => example(withSecrets()));
        expect(named(registered, "qwen-rack1-token").inputs.stdin).toEqual({ secret: token });
        expect(named(registered, "chat-rack1-key").inputs.stdin).toEqual({ secret: key });
    });

    test("is in no other input of any resource, components included", async () => {
        const { registered } = await runProgram(() => example(withSecrets()));
        expect(registered).toHaveLength(12);
        for (const { name, inputs, replacementTrigger } of registered) {
            const { stdin, connection, ...rest } = inputs;
            const others = json([rest, replacementTrigger, typeof stdin === "string" ? stdin : ""]);
            for (const text of [token, key, login]) {
                expect(others, name).not.toContain(text);
            }
        }
    });

    test("masks nothing around it", async () => {
        const { registered } = await runProgram(() => example(withSecrets()));
        const masked = registered.flatMap(({ name, inputs }) =>
            Object.entries(inputs).flatMap(([property, value]) =>
                json(value).includes('"secret":') ? [`${name} ${property}`] : [],
            ),
        );
        const commands = registered.filter(({ type }) => type === "command:remote:Command");
        expect(masked.toSorted()).toEqual(
            [
                ...commands.map(({ name }) => `${name} connection`),
                "chat-rack1-key stdin",
                "qwen-rack1-token stdin",
            ].toSorted(),
        );
    });

    test("that the user forgot to mark is marked all the same", async () => {
        const cache = { token: { value: token } };
        const { registered } = await runProgram(() => example({ cache, host: { privateKey: login } }));
        expect(named(registered, "qwen-rack1-token").inputs.stdin).toEqual({ secret: token });
        for (const { name, inputs } of registered) {
            const { stdin: _stdin, connection: _connection, ...rest } = inputs;
            expect(json(rest), name).not.toMatch(new RegExp(`${token}|${login}`));
        }
    });

    test("keeps what the command prints secret too", async () => {
        const { registered } = await runProgram(() => example(withSecrets()));
        for (const { name, type, secretOutputs } of registered) {
            if (type === "command:remote:Command") {
                expect(secretOutputs, name).toEqual(expect.arrayContaining(["stdout", "stderr"]));
            }
        }
    });
});

describe("a new value", () => {
    const stdinOf = async (changes: ExampleChanges, name: string) => {
        const { registered } = await runProgram(() => example(changes));
        return { stdin: named(registered, name).inputs.stdin, create: named(registered, name).inputs.create };
    };

    test("of the API key changes what `activate` asks for", async () => {
        const before = await stdinOf(withSecrets(), "chat-rack1-activate");
        const again = await stdinOf(withSecrets(), "chat-rack1-activate");
        const after = await stdinOf(withSecrets({ key: "sk-another" }), "chat-rack1-activate");
        expect(again).toEqual(before);
        expect(after.stdin).not.toBe(before.stdin);
    });

    test("of the hub token changes nothing that a service is made from", async () => {
        const before = await stdinOf(withSecrets(), "chat-rack1-activate");
        const after = await stdinOf(withSecrets({ token: "hf_another" }), "chat-rack1-activate");
        expect(after).toEqual(before);
    });

    test("gets a file of its own, and the same value the same file", async () => {
        const before = await stdinOf(withSecrets(), "qwen-rack1-token");
        const again = await stdinOf(withSecrets(), "qwen-rack1-token");
        const after = await stdinOf(withSecrets({ token: "hf_another" }), "qwen-rack1-token");
        expect(before.create).toMatch(/ secret \/opt\/sglang\/secrets\/qwen-rack1-token-[0-9a-f-]{8,}$/);
        expect(again.create).toBe(before.create);
        expect(after.create).not.toBe(before.create);
    });
});
