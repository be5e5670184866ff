/** A host that gets a new address: the service moves, and the old machine is left clean. */
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

beforeAll(async () => {
    const wheelhouse = makeWheelhouse(join(mkdtempSync(join(tmpdir(), "wheels-")), "house"), {
        standIns: [standInRelease],
        requirements: ["huggingface_hub==1.33.0"],
    });
    hub = await startHub({ [repository]: tinyModel }, gatewayAddress());
    first = await startHost({ name: "node1", wheelhouse });
    second = await startHost({ name: "node2", wheelhouse, shell: "/usr/bin/fish" });
    stack = await E2eStack.create("moves", [first], { hub, wheelhouse, repository });
});

afterAll(async () => {
    await stack?.close();
    hub?.stop();
    first?.stop();
    second?.stop();
});

const state = async (host: TestHost) => (await host.exec("systemctl is-active sglang-tiny")).stdout.trim();

it("brings the service up on the new machine, then takes it from the old one", async () => {
    expect((await stack.engine.up()).code).toBe(0);
    expect([await state(first), await state(second)]).toEqual(["active", "inactive"]);
    Object.assign(stack.file.hosts.node1!, {
        address: second.address,
        hostKey: second.hostKey,
        privateKey: { file: second.privateKeyPath },
    });
    stack.write();
    const moved = await stack.engine.up();
    expect(moved.code, moved.text).toBe(0);
    expect([await state(first), await state(second)]).toEqual(["inactive", "active"]);
    expect((await first.exec("ls /opt/sglang/builds /opt/sglang/services 2>/dev/null | grep -v :")).stdout.trim()).toBe(
        "",
    );
    const again = await stack.engine.preview({ expectNoChanges: true });
    expect(again.code, again.text).toBe(0);
});
