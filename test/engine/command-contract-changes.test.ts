/**
 * What this project relies on in Pulumi's command plugin, proved with the real engine and a real ssh server for the
 * plugin that is there, which the run names: how changes are planned, shown and carried out.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Commands, Contract, type Planned, succeeded } from "../support/command-plugin/contract.ts";
import { type LoopbackSshd, startSshd } from "../support/command-plugin/loopback-sshd.ts";

let contract: Contract;
beforeAll(async () => {
    contract = await Contract.start();
});
afterAll(() => contract?.stop());

describe("a command that is created", () => {
    test("shows JSON on stdin as a tree, runs once, and runs `delete` at the end", async () => {
        await contract.fresh();
        const commands = { c: contract.command({ stdin: '{"a":1,"b":{"deep":"x"}}' }) };
        const preview = await contract.previewDiff(commands);
        expect(preview).toMatch(/stdin *: \(json\) \{\n *a: 1\n *b: \{\n *deep: "x"/);
        expect(await contract.noted()).toEqual([]);

        await contract.up(commands);
        expect(await contract.noted()).toEqual(["create"]);
        expect(await contract.outputsOf("c")).toMatchObject({ stdout: '{"a":1,"b":{"deep":"x"}}', stderr: "" });

        succeeded(await contract.tryPreview(commands));
        await contract.up(commands);
        succeeded(await contract.engine.refresh());
        expect(await contract.noted()).toEqual([]);

        succeeded(await contract.engine.destroy());
        expect(await contract.noted()).toEqual(["delete"]);
    });
});

describe("a change", () => {
    let shown: string;
    let planned: Record<string, Planned>;
    let notedByPreview: string[];
    let noted: string[];

    beforeAll(async () => {
        await contract.fresh();
        await contract.up(before());
        await contract.noted();
        shown = await contract.previewDiff(after());
        planned = await contract.planned(after());
        notedByPreview = await contract.noted();
        await contract.up(after());
        noted = await contract.noted();
    });

    /** A command that notes its name when it is updated. */
    const named = (name: string, inputs: object, secrets: string[] = []) =>
        contract.command({ create: "cat", update: `${contract.note(name)}; cat`, ...inputs }, { secrets });

    const before = (): Commands => ({
        stays: named("stays", { stdin: '{"a":1}' }),
        key: named("key", { stdin: '{"a":1,"b":1}' }),
        space: named("space", { stdin: '{"a":1}' }),
        deletes: named("deletes", {}),
        rotated: named("rotated", {}),
        marked: named("marked", { stdin: "same" }),
        maps: named("maps", { environment: { LC_A: "1", LC_B: "1" }, stdin: "x" }),
        dependent: named("dependent", { stdin: "{{key.stdout}}" }),
    });

    const after = (): Commands => ({
        stays: named("stays", { stdin: '{"a":1}' }),
        key: named("key", { stdin: '{"a":2,"b":1}' }),
        space: named("space", { stdin: '{ "a":1}' }),
        deletes: named("deletes", { delete: contract.note("other") }),
        rotated: named("rotated", {
            connection: contract.connection(contract.host, { privateKey: contract.host.keys[1], perDialTimeout: 6 }),
        }),
        marked: named("marked", { stdin: "same" }, ["stdin"]),
        maps: named("maps", {
            create: contract.note("$LC_B"),
            update: undefined,
            environment: { LC_B: "2", LC_C: "1" },
        }),
        dependent: named("dependent", { stdin: "{{key.stdout}}" }),
    });

    test("of one key in stdin shows that key alone as changed", () => {
        expect(shown).toMatch(/~ stdin: \(json\) \{\n *~ a: 1 => 2\n *b: 1\n/);
        expect(planned.key).toEqual({ op: "update", properties: { stdin: "update" } });
    });

    test("of white space in stdin, or of `delete` alone, is an update", () => {
        expect(planned.space).toEqual({ op: "update", properties: { stdin: "update" } });
        expect(planned.deletes).toEqual({ op: "update", properties: { delete: "update" } });
    });

    test("of key or dial timeout is an update that shows neither", () => {
        expect(shown).toContain("~ connection: [secret] => [secret]");
        expect(planned.rotated).toEqual({ op: "update", properties: { connection: "update" } });
    });

    test("of a plain stdin to the same text as a secret is an update", () => {
        expect(planned.marked).toEqual({ op: "update", properties: { stdin: "update" } });
    });

    test("to properties that come or go, or are inside a map, is named by path", () => {
        expect(planned.maps).toEqual({
            op: "update",
            properties: {
                create: "update",
                "environment.LC_A": "delete",
                "environment.LC_B": "update",
                "environment.LC_C": "add",
                stdin: "delete",
                update: "delete",
            },
        });
    });

    test("of what another command prints is unknown to a preview, which runs nothing", () => {
        expect(shown).toContain("=> [unknown]");
        expect(planned.dependent).toEqual({ op: "update", properties: { stdin: "update" } });
        expect(notedByPreview).toEqual([]);
    });

    test("runs `update`, or `create` where there is none, of what changed and of nothing else", async () => {
        expect(noted.toSorted()).toEqual(["2", "deletes", "dependent", "key", "marked", "rotated", "space"]);
        expect(planned.stays).toBeUndefined();
        expect((await contract.outputsOf("dependent")).stdout).toBe('{"a":2,"b":1}');
    });
});

describe("a replacement", () => {
    beforeEach(() => contract.fresh());

    test("by replacementTrigger creates on the new address, then deletes on the old one", async () => {
        const second = await startSshd();
        try {
            const port = '$(echo "$SSH_CONNECTION" | cut -d" " -f4)';
            const at = (to: LoopbackSshd) => {
                const notes = { create: contract.note(`create ${port}`), delete: contract.note(`delete ${port}`) };
                const options = { replacementTrigger: `127.0.0.1:${to.port}` };
                return { c: contract.command({ ...notes, connection: contract.connection(to) }, { options }) };
            };
            await contract.up(at(contract.host));
            expect((await contract.planned(at(second))).c?.op).toBe("replace");
            await contract.up(at(second));
            const { port: first } = contract.host;
            expect(await contract.noted()).toEqual([`create ${first}`, `create ${second.port}`, `delete ${first}`]);
        } finally {
            await second.stop();
        }
    });

    test("is not made by a replacementTrigger that is set for the first time, but by any change of `triggers`", async () => {
        const options = { replacementTrigger: "a" };
        const pair = (triggers?: string[]) => ({
            c: contract.command({ create: contract.note("c") }, triggers && { options }),
            d: contract.command({ create: contract.note("d"), triggers }),
        });
        await contract.up(pair());
        const added = await contract.planned(pair(["a"]));
        expect(added.c).toBeUndefined();
        expect(added.d).toEqual({ op: "replace", properties: { triggers: "add-replace" } });
        await contract.up(pair(["a"]));
        expect((await contract.planned(pair(["b", "c"]))).d).toEqual({
            op: "replace",
            properties: { "triggers[0]": "update-replace", "triggers[1]": "add-replace" },
        });
        expect((await contract.noted()).slice(2)).toEqual(["d", "delete"]);
    });
});
