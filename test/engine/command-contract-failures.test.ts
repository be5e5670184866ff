/**
 * What this project relies on in Pulumi's command plugin, proved with the real engine and a real ssh server for the
 * plugin that is there, which the run names: what a failure leaves behind, and where secrets show.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Contract, succeeded } from "../support/command-plugin/contract.ts";
import { type LoopbackSshd, startSshd } from "../support/command-plugin/loopback-sshd.ts";

let contract: Contract;
beforeAll(async () => {
    contract = await Contract.start();
});
beforeEach(() => contract.fresh());
afterAll(() => contract?.stop());

async function startedAndStopped(): Promise<LoopbackSshd> {
    const other = await startSshd();
    await other.stop();
    return other;
}

describe("a failure", () => {
    test("of create shows the command and its output but not its stdin, and records nothing", async () => {
        const hidden = "stdin-is-never-shown";
        const create = "echo said-this; echo and-that >&2; exit 7";
        const result = await contract.tryUp({ c: contract.command({ create, stdin: hidden }) });
        expect(result.code).not.toBe(0);
        expect(result.text).toContain(`Process exited with status 7: running "${create}":`);
        expect(result.text).toMatch(/said-this\s+and-that|and-that\s+said-this/);
        const messages = result.eventLog.split("\n").filter((line) => line.includes("diagnosticEvent"));
        expect(result.text + messages.join("\n")).not.toContain(hidden);
        expect(await contract.outputsOf("c")).toEqual({});
    });

    test("of update keeps the old inputs, so that going back to them changes nothing", async () => {
        const good = { c: contract.command({ stdin: "1" }) };
        await contract.up(good);
        const bad = await contract.tryUp({
            c: contract.command({ stdin: "2", update: `${contract.note("part")}; false` }),
        });
        expect(bad.code).not.toBe(0);
        succeeded(await contract.tryPreview(good));
        expect(await contract.noted()).toEqual(["create", "part"]);
    });

    test("of delete keeps the resource, which goes after an update of `delete`", async () => {
        await contract.up({ c: contract.command({ delete: "exit 9" }) });
        const result = await contract.engine.destroy();
        expect(result.code).not.toBe(0);
        expect(result.text).toContain('Process exited with status 9: running "exit 9":');
        expect(await contract.outputsOf("c")).toMatchObject({ delete: "exit 9" });
        await contract.up({ c: contract.command() });
        succeeded(await contract.engine.destroy());
        expect(await contract.noted()).toEqual(["create", "update", "delete"]);
    });

    test("to reach the host is told after as many new attempts as were asked for", async () => {
        const stranger = await startedAndStopped();
        const unknownKey = { hostKey: stranger.hostKey, dialErrorLimit: 1 };
        const connections = [contract.connection(contract.host, unknownKey), contract.connection(stranger)];
        for (const [again, connection] of [...connections.entries()].map(([i, to]) => [1 - i, to])) {
            const result = await contract.tryUp({ c: contract.command({ connection }) });
            expect(result.code).not.toBe(0);
            expect(result.text).toContain(`after ${again} failed attempts: `);
            expect(result.text + result.eventLog).not.toContain("PRIVATE KEY");
        }
        expect(await contract.noted()).toEqual([]);
    });

    test("of inputs that have the wrong type is told at preview", async () => {
        const result = await contract.tryPreview({ c: contract.command({ stdin: 5 }) });
        expect(result.text).toMatch(
            /error: command:remote:Command resource 'c': property stdin value \{5\} has a problem: /,
        );
    });

    test("of a command on this machine has the same words", async () => {
        const local = (inputs: object) => ({ type: "local" as const, inputs: { logging: "none", ...inputs } });
        await contract.up({ c: local({ create: "cat; echo $FOO", stdin: "in-", environment: { FOO: "bar" } }) });
        expect((await contract.outputsOf("c")).stdout).toBe("in-bar");
        const result = await contract.tryUp({ c: local({ create: "echo no >&2; exit 3" }) });
        expect(result.text).toContain('exit status 3: running "echo no >&2; exit 3":');
    });
});

describe("secrets", () => {
    const token = "token-of-a-test";

    test("a connection is in no text, event or state", async () => {
        const result = await contract.up({ c: contract.command({ stdin: "x" }) });
        const keyText = contract.host.keys[0].split("\n")[2]!;
        expect(keyText).toMatch(/^[A-Za-z0-9+/=]{60,}$/);
        expect(result.text + result.eventLog + (await contract.engine.rawState())).not.toContain(keyText);
    });

    test("a secret stdin is hidden; what the command prints is hidden only where the outputs are marked", async () => {
        const options = { additionalSecretOutputs: ["stdout", "stderr"] };
        const echo = { stdin: token, create: "cat" };
        const marked = await contract.up({ c: contract.command(echo, { secrets: ["stdin"], options }) });
        expect(marked.text + marked.eventLog + (await contract.engine.rawState())).not.toContain(token);

        await contract.fresh();
        await contract.up({ c: contract.command(echo, { secrets: ["stdin"] }) });
        expect(await contract.engine.rawState()).toContain(token);
    });
});
