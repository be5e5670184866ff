/** The one profile of every remote command; what each line of it answers is in the command contract of the engine tier. */
import { expect, test } from "vitest";
import { type Registered, runProgram } from "../../support/mocks.ts";
import { example, secret } from "./example.ts";

const everything = () =>
    example({ cache: { token: { value: secret("hf_token") } }, service: { apiKey: { value: secret("sk-key") } } });

async function commands(program: () => unknown = everything): Promise<Registered[]> {
    const { registered } = await runProgram(program);
    return registered.filter(({ type }) => type === "command:remote:Command");
}

test("a remote command has these inputs and no others", async () => {
    const found = await commands();
    expect(found).toHaveLength(8);
    for (const { name, inputs } of found) {
        const { delete: _delete, ...rest } = inputs;
        expect(Object.keys(rest).toSorted(), name).toEqual([
            "addPreviousOutputInEnv",
            "connection",
            "create",
            "logging",
            "stdin",
            "update",
        ]);
        expect(inputs, name).toMatchObject({ addPreviousOutputInEnv: false, logging: "none" });
        const text = String(inputs.update).replace(/ 0123456789ab$/, "");
        expect(inputs.create, name).toBe(/ (install|intend|build|fetch)$/.test(text) ? `${text} anew` : text);
        expect(inputs.update !== text, name).toBe(name === "chat-rack1-activate");
    }
});

test("its text is one short line that posix shells, fish and csh read alike", async () => {
    for (const { name, inputs } of await commands()) {
        for (const text of [inputs.create, inputs.delete ?? ""] as string[]) {
            expect(text.length, name).toBeLessThan(600);
            expect(text.replace(/'[^'\\!\n]*'/g, ""), name).toMatch(/^[\w./ -]*$/);
        }
    }
});

test("its desired state is canonical JSON with root, owner and name", async () => {
    for (const { name, inputs } of await commands()) {
        if (typeof inputs.stdin !== "string") {
            continue;
        }
        const document = JSON.parse(inputs.stdin);
        expect(document, name).toMatchObject({ root: "/opt/sglang", owner: "project/stack" });
        expect(Object.keys(document), name).toEqual(Object.keys(document).toSorted());
    }
});

test("a new address replaces every command, and nothing else of a host does", async () => {
    const triggers = async (host: object) =>
        (await commands(() => example({ host }))).map(({ name, replacementTrigger }) => [name, replacementTrigger]);
    const before = await triggers({});
    expect(before.every(([, trigger]) => trigger === "192.0.2.11")).toBe(true);
    expect(await triggers({ dialTimeoutSeconds: 60, privateKey: secret("KEY"), port: 2222 })).toEqual(before);
    expect((await triggers({ address: "192.0.2.12" })).every(([, trigger]) => trigger === "192.0.2.12")).toBe(true);
});

test("key and dial timeout are in the connection only", async () => {
    const stdins = async (host: object) => (await commands(() => example({ host }))).map(({ inputs }) => inputs.stdin);
    expect(await stdins({ dialTimeoutSeconds: 60, privateKey: secret("KEY") })).toEqual(await stdins({}));
});

test("what deletes something on the host names its kind; a check deletes nothing", async () => {
    const deletes = Object.fromEntries(
        (await commands()).map(({ name, inputs }) => [name, (inputs.delete as string | undefined)?.split(".pyz ")[1]]),
    );
    expect(deletes).toMatchObject({
        "rack1-agent": "remove agent",
        "sglang-rack1-build": "remove build",
        "qwen-rack1-fetch": "remove model",
        "chat-rack1-activate": undefined,
        "chat-rack1-intend": "remove service",
        "chat-rack1-prepare": undefined,
    });
});
