/**
 * Which resources each component makes, with which inputs. Mocks cannot show what the engine does with them: order of work,
 * replacement and previews are in the engine tier.
 */
import { describe, expect, test } from "vitest";
import { Host, ModelCache, PatchedBuild } from "../../../index.ts";
import { outputValue, type Registered, runProgram } from "../../support/mocks.ts";
import { example, hostArgs, secret } from "./example.ts";

const remote = "command:remote:Command";
const listed = (registered: Registered[]) =>
    registered.map(({ type, name, parent }) => [type, name, parent]).toSorted(byName);
const byName = (a: (string | undefined)[], b: (string | undefined)[]) => (String(a[1]) < String(b[1]) ? -1 : 1);
const named = (registered: Registered[], name: string) => registered.find((resource) => resource.name === name)!;
const desired = ({ inputs }: Registered) => JSON.parse(inputs.stdin as string) as Record<string, unknown>;

describe("a Host", () => {
    test("is one component and one command that installs the agent", async () => {
        const { registered } = await runProgram(() => new Host("rack1", hostArgs()));
        expect(listed(registered)).toEqual([
            ["sglang:index:Host", "rack1", undefined],
            [remote, "rack1-agent", "rack1"],
        ]);
    });

    test("shows what a reviewer knows it by, and no facts file", async () => {
        const { registered } = await runProgram(() => new Host("rack1", hostArgs()));
        expect(named(registered, "rack1").inputs).toEqual({
            address: "192.0.2.11",
            gpus: "8 x NVIDIA RTX PRO 6000 Blackwell Server Edition",
            hostKey: hostArgs().hostKey,
            port: 22,
            root: "/opt/sglang",
            sudo: "passwordless",
            user: "deploy",
        });
    });

    test("needs no sudo for root, and asks `sudo -n` for anybody else", async () => {
        for (const [user, start] of [
            ["root", "python3 -I -c"],
            ["deploy", "sudo -n python3 -I -c"],
        ] as const) {
            const { registered } = await runProgram(() => new Host("rack1", hostArgs({ user })));
            const { create } = named(registered, "rack1-agent").inputs;
            expect(create, user).toMatch(new RegExp(`^${start} `));
        }
    });

    test("tells the plugin where the host and the machine in between are, and their keys", async () => {
        const jump = { address: "198.51.100.1", hostKey: hostArgs().hostKey };
        const args = hostArgs({ proxy: jump, privateKey: secret("KEY") });
        const { registered } = await runProgram(() => new Host("rack1", args));
        const { hostKey } = jump;
        expect(named(registered, "rack1-agent").inputs.connection).toEqual({
            secret: {
                host: "192.0.2.11",
                port: 22,
                user: "deploy",
                hostKey,
                perDialTimeout: 15,
                privateKey: "KEY",
                dialErrorLimit: 10,
                proxy: {
                    host: "198.51.100.1",
                    port: 22,
                    user: "root",
                    hostKey,
                    perDialTimeout: 15,
                    privateKey: "KEY",
                    dialErrorLimit: 10,
                },
            },
        });
    });
});

describe("a PatchedBuild", () => {
    test("is one component and one command a host", async () => {
        const { registered } = await runProgram(() => {
            const hosts = [new Host("a", hostArgs()), new Host("b", hostArgs({ address: "192.0.2.12" }))];
            return new PatchedBuild("sglang", {
                placement: { hosts },
                release: "0.5.23",
                patches: ["redact-credentials"],
            });
        });
        expect(listed(registered).filter(([, name]) => name?.startsWith("sglang"))).toEqual([
            ["sglang:index:PatchedBuild", "sglang", undefined],
            [remote, "sglang-a-build", "sglang"],
            [remote, "sglang-b-build", "sglang"],
        ]);
    });

    test("shows patches by name, digest and size, and their text only to the host", async () => {
        const text = "--- a/sglang/x.py\n+++ b/sglang/x.py\n@@ -1 +1 @@\n-a\n+b\n";
        const { registered } = await runProgram(() => {
            const hosts = [new Host("a", hostArgs())];
            return new PatchedBuild("sglang", {
                placement: { hosts },
                release: "0.5.23",
                patches: [{ name: "mine", text }],
            });
        });
        const component = named(registered, "sglang").inputs;
        expect(component.patches).toEqual([{ lines: "+1 -1", name: "mine", sha256: expect.stringMatching(/^.{12}$/) }]);
        expect(desired(named(registered, "sglang-a-build"))).toMatchObject({
            generation: component.digest,
            patches: [{ name: "mine", text, stripLevel: 1, base: "site-packages" }],
        });
    });

    test("is named by what is in its patches, not by the words above them", async () => {
        const diff = "--- a/sglang/x.py\n+++ b/sglang/x.py\n@@ -1 +1 @@\n-a\n+b\n";
        const digestWith = async (text: string) => {
            const patches = [{ name: "mine", text }];
            const { value } = await runProgram(
                () =>
                    new PatchedBuild("sglang", {
                        placement: { hosts: [new Host("a", hostArgs())] },
                        release: "0.5.23",
                        patches,
                    }),
            );
            return outputValue(value!.digest);
        };
        const digest = await digestWith(`Why: one reason.\n---\n${diff}`);
        expect(await digestWith(`Why: another, better reason.\n---\n${diff}`)).toBe(digest);
        expect(await digestWith(diff.replace("+b", "+c"))).not.toBe(digest);
    });
});

describe("a ModelCache", () => {
    test("is one component and one command a host, and one more for the token", async () => {
        const args = { repository: "owner/name" };
        const without = await runProgram(
            () => new ModelCache("glm", { ...args, placement: { hosts: [new Host("a", hostArgs())] } }),
        );
        const token = { value: secret("hf_0123456789") };
        const hosts = () => [new Host("a", hostArgs())];
        const with_ = await runProgram(() => new ModelCache("glm", { ...args, placement: { hosts: hosts() }, token }));
        const own = (registered: Registered[]) => listed(registered).filter(([, name]) => name?.startsWith("glm"));
        expect(own(without.registered)).toEqual([
            ["sglang:index:ModelCache", "glm", undefined],
            [remote, "glm-a-fetch", "glm"],
        ]);
        expect(own(with_.registered)).toEqual([
            ["sglang:index:ModelCache", "glm", undefined],
            [remote, "glm-a-fetch", "glm"],
            [remote, "glm-a-token", "glm"],
        ]);
    });
});

describe("an InferenceService", () => {
    test("adds a check, an intent and a switch, and a key where there is one", async () => {
        const { registered } = await runProgram(() => example({ service: { apiKey: { value: secret("sk-0123") } } }));
        expect(listed(registered)).toEqual([
            ["sglang:index:InferenceService", "chat", undefined],
            [remote, "chat-rack1-activate", "chat"],
            [remote, "chat-rack1-intend", "chat"],
            [remote, "chat-rack1-key", "chat"],
            [remote, "chat-rack1-prepare", "chat"],
            ["sglang:index:ModelCache", "qwen", undefined],
            [remote, "qwen-rack1-fetch", "qwen"],
            ["sglang:index:Host", "rack1", undefined],
            [remote, "rack1-agent", "rack1"],
            ["sglang:index:PatchedBuild", "sglang", undefined],
            [remote, "sglang-rack1-build", "sglang"],
        ]);
    });

    test("hands the host the settings that its own inputs show", async () => {
        const { registered, value } = await runProgram(() => example({ service: { api: { port: 8001 } } }));
        const shown = named(registered, "chat").inputs as { settings: object; settingsDigest: string };
        const activate = desired(named(registered, "chat-rack1-activate"));
        expect(activate.arguments).toMatchObject(shown.settings);
        expect(activate.arguments).toMatchObject({ port: 8001 });
        expect(activate.settingsDigest).toBe(shown.settingsDigest);
        expect(await outputValue(value!.service.endpoint)).toBe("http://127.0.0.1:8001");
        expect(await outputValue(value!.service.launchCommand)).toEqual(expect.arrayContaining(["--tp-size", "8"]));
    });

    test("shows its switch to reviewers and hides the long commands", async () => {
        const { registered } = await runProgram(() => example());
        const hidden = registered.filter(({ hideDiffs }) => hideDiffs.includes("stdin")).map(({ name }) => name);
        expect(hidden.toSorted()).toEqual(["qwen-rack1-fetch", "rack1-agent", "sglang-rack1-build"]);
    });
});
