/**
 * What this project relies on in Pulumi's command plugin, proved with the real engine and a real ssh server for the
 * plugin that is there, which the run names: what goes into a command and what comes out of it.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Contract } from "../support/command-plugin/contract.ts";
import { startSshd } from "../support/command-plugin/loopback-sshd.ts";
import type { EngineResult } from "../support/engine.ts";

let contract: Contract;
beforeAll(async () => {
    contract = await Contract.start();
});
beforeEach(() => contract.fresh());
afterAll(() => contract?.stop());

/** Messages of the event log that hold this text. */
const messages = (result: EngineResult, text: string) =>
    result.eventLog.split("\n").filter((line) => line.includes("diagnosticEvent") && line.includes(text));

test("no stdin is an empty input, one of a mebibyte arrives whole; of the output one final newline is cut", async () => {
    const count = "wc -c | tr -d ' '";
    const big = "x".repeat(1024 * 1024);
    await contract.up({
        none: contract.command({ create: count }),
        big: contract.command({ create: count, stdin: big }),
        cut: contract.command({ create: "printf 'a\\n\\n'; printf 'b\\n\\n' >&2" }),
    });
    expect((await contract.outputsOf("none")).stdout).toBe("0");
    expect((await contract.outputsOf("big")).stdout).toBe("1048576");
    expect(await contract.outputsOf("cut")).toMatchObject({ stdout: "a\n", stderr: "b\n" });
});

test("an environment variable that the host refuses is an error", async () => {
    const result = await contract.tryUp({ c: contract.command({ environment: { FOO: "1" } }) });
    expect(result.code).not.toBe(0);
    expect(result.text).toContain('could not set environment variable "FOO": ssh: setenv failed');
    expect(await contract.noted()).toEqual([]);
});

test("previous output is offered by default: a warning where the host refuses it, an end where it is too long", async () => {
    const print = (count: number) => `head -c ${count} /dev/zero | tr '\\0' x; echo`;
    const commands = (stdin: string) => ({
        offered: contract.command({ create: print(9), update: print(9), stdin, addPreviousOutputInEnv: undefined }),
        kept: contract.command({ create: print(300_000), update: print(9), stdin }),
        long: contract.command({ create: print(300_000), update: print(9), stdin, addPreviousOutputInEnv: undefined }),
    });
    await contract.up(commands("1"));
    const result = await contract.tryUp(commands("2"));
    const refusals = messages(result, "Unable to set");
    expect(refusals.filter((line) => line.includes("::offered"))).toHaveLength(1);
    expect(refusals.filter((line) => line.includes("::kept"))).toEqual([]);
    expect(result.code).not.toBe(0);
    expect(messages(result, "EOF").every((line) => line.includes("::long"))).toBe(true);
    expect(await contract.outputsOf("kept")).toMatchObject({ stdin: "2" });
    expect(await contract.outputsOf("long")).toMatchObject({ stdin: "1" });
});

test("output is shown while the command runs, and only then, with logging on", async () => {
    const create = "echo a-line-to-see";
    const quiet = await contract.up({ c: contract.command({ create }) });
    expect(messages(quiet, "a-line-to-see")).toEqual([]);
    await contract.fresh();
    const shown = messages(await contract.up({ c: contract.command({ create, logging: undefined }) }), "a-line-to-see");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/"ephemeral":true/);
});

test("an interrupted update waits for the command and records it", async () => {
    const create = `${contract.note("began")}; sleep 3; ${contract.note("ended")}; echo done`;
    const result = await contract.tryUp(
        { c: contract.command({ create }) },
        {
            onStart: async (child) => {
                while (child.exitCode === null && !(await contract.wasNoted("began"))) {
                    await new Promise((resolve) => setTimeout(resolve, 100));
                }
                child.kill("SIGINT");
            },
        },
    );
    expect(result.code).not.toBe(0);
    expect(await contract.noted()).toEqual(["began", "ended"]);
    expect((await contract.outputsOf("c")).stdout).toBe("done");
});

test("a bastion is one hop on the way", async () => {
    const bastion = await startSshd();
    try {
        const { dialErrorLimit, perDialTimeout, ...proxy } = contract.connection(bastion) as Record<string, unknown>;
        const connection = contract.connection(contract.host, { proxy });
        await contract.up({ c: contract.command({ stdin: "through", connection }) });
        expect((await contract.outputsOf("c")).stdout).toBe("through");
        await bastion.stop();
        const result = await contract.tryUp({ c: contract.command({ stdin: "again", connection }) });
        expect(result.code).not.toBe(0);
        expect(result.text).toContain("failed attempts: ");
    } finally {
        await bastion.stop();
    }
});
