/** Several services on two hosts, one that spans both, and a second stack that calls everything the same. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { E2eStack, standInRelease } from "../support/e2e-stack.ts";
import { startHost, type TestHost } from "../support/hosts/host.ts";
import { gatewayAddress } from "../support/hosts/network.ts";
import { makeWheelhouse } from "../support/hosts/wheelhouse.ts";
import { type Hub, startHub, tinyModel } from "../support/standin-hub/hub.ts";

const repository = "acme/tiny";
let first: TestHost;
let second: TestHost;
let hub: Hub;
let stack: E2eStack;
let other: E2eStack;

beforeAll(async () => {
    const wheelhouse = makeWheelhouse(join(mkdtempSync(join(tmpdir(), "wheels-")), "house"), {
        standIns: [standInRelease],
        requirements: ["huggingface_hub==1.33.0"],
    });
    hub = await startHub({ [repository]: tinyModel }, gatewayAddress());
    first = await startHost({ name: "node1", wheelhouse });
    second = await startHost({ name: "node2", wheelhouse });
    const pins = { hub, wheelhouse, repository };
    stack = await E2eStack.create("several", [first, second], pins);
    stack.file.hosts.node2!.privateKey = { file: second.privateKeyPath };
    const on = (hosts: string[], gpus: number[]) => ({ placement: { hosts, gpus } });
    const wide = { ...stack.file.services.tiny!, ...on(["node1", "node2"], [0, 1, 2, 3]) };
    stack.file.services = {
        wide,
        chat: { ...wide, ...on(["node1"], [4, 5]), api: { port: 30001 } },
        code: { ...wide, ...on(["node2"], [4, 5]), api: { port: 30001 } },
    };
    stack.write();
    other = await E2eStack.create("other", [first], pins);
    Object.assign(other.file.services.tiny!, { ...on(["node1"], [6, 7]), api: { port: 30002 } });
    other.file.services = { chat: other.file.services.tiny! };
    other.write();
});

afterAll(async () => {
    await stack?.close();
    await other?.close();
    hub?.stop();
    first?.stop();
    second?.stop();
});

/** The services that run on a host. */
async function running(host: TestHost): Promise<string> {
    const { stdout } = await host.exec("systemctl list-units 'sglang-*' --state=running --plain --no-legend");
    return stdout
        .replace(/^sglang-(\S+)\.service .*$/gm, "$1")
        .trim()
        .replaceAll("\n", " ");
}

it("starts them all at once, each with GPUs and a port of its own", async () => {
    const { code, text } = await stack.engine.up();
    expect(code, text).toBe(0);
    expect([await running(first), await running(second)]).toEqual(["chat wide", "code wide"]);
    const { stdout } = await second.exec("cat /opt/sglang/services/wide/current/arguments.json | tr -d ' \\n'");
    expect(stdout).toContain(`"--dist-init-addr","${first.address}:20000"`);
    expect(stdout).toContain('"--nnodes","2","--node-rank","1"');
    expect((await stack.engine.preview({ expectNoChanges: true })).code).toBe(0);
});

it("refuses a service of another stack's name before anything is done for it", async () => {
    const { code, text } = await other.engine.up();
    expect(code).not.toBe(0);
    expect(text).toContain("the service slot 'chat' on this host belongs to stack 'pulumi-sglang/several'");
    expect(await running(first)).toBe("chat wide");
    expect((await stack.engine.preview({ expectNoChanges: true })).code).toBe(0);
});

it("shares build and weights with a stack that calls host, build and model the same", async () => {
    other.file.services = { tool: other.file.services.chat! };
    other.write();
    const downloads = (await hub.requests()).filter(({ sent }) => sent > 0).length;
    const { code, text } = await other.engine.up();
    expect(code, text).toBe(0);
    expect(await running(first)).toBe("chat tool wide");
    expect((await first.exec("ls /opt/sglang/builds | wc -l")).stdout.trim()).toBe("1");
    expect((await hub.requests()).filter(({ sent }) => sent > 0).length).toBe(downloads);
});

it("leaves what the other stack uses, and nothing after the last", async () => {
    stack.file.models.tiny!.retention = "Purge";
    stack.write();
    expect((await stack.engine.up()).code).toBe(0);
    const gone = await stack.engine.destroy();
    expect(gone.code, gone.text).toBe(0);
    expect([await running(first), await running(second)]).toEqual(["tool", ""]);
    expect((await first.exec("ls /srv/models/acme--tiny/*/config.json | wc -l")).stdout.trim()).toBe("1");
    expect((await second.exec("ls -d /opt/sglang /srv/models/*")).stdout.trim()).toBe("");
    const last = await other.engine.destroy();
    expect(last.code, last.text).toBe(0);
    expect((await first.exec("ls -d /opt/sglang; getent passwd sglang")).stdout.trim()).toBe("");
});
