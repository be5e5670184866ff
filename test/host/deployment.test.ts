/** The main job: from one stack file to a proved service on a real systemd host, and back. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { E2eStack, standInRelease } from "../support/e2e-stack.ts";
import { startHost, type TestHost } from "../support/hosts/host.ts";
import { gatewayAddress } from "../support/hosts/network.ts";
import { makeWheelhouse } from "../support/hosts/wheelhouse.ts";
import { type Hub, startHub, tinyModel } from "../support/standin-hub/hub.ts";

const repository = "acme/tiny";
const fault = "/etc/standin-sglang.env";
let host: TestHost;
let hub: Hub;
let stack: E2eStack;

beforeAll(async () => {
    const wheelhouse = makeWheelhouse(join(mkdtempSync(join(tmpdir(), "wheels-")), "house"), {
        standIns: [standInRelease],
        requirements: ["huggingface_hub==1.33.0"],
    });
    hub = await startHub({ [repository]: tinyModel }, gatewayAddress());
    host = await startHost({ name: "node1", wheelhouse });
    stack = await E2eStack.create("e2e", [host], { hub, wheelhouse, repository });
});

afterAll(async () => {
    await stack?.close();
    hub?.stop();
    host?.stop();
});

/** What a command on the host prints. */
async function on(command: string): Promise<string> {
    const { stdout } = await host.exec(command);
    return stdout.trim();
}

const mainPid = () => on("systemctl show -p MainPID --value sglang-tiny");

/** Asserts that an `up` went well, and shows what it said when not. */
async function up(): Promise<string> {
    const result = await stack.engine.up();
    expect(result.code, result.text).toBe(0);
    return result.text;
}

describe("a stack file on a host", () => {
    it("becomes a service that was proved", async () => {
        await up();
        expect(await on("systemctl is-active sglang-tiny")).toBe("active");
        expect(JSON.parse(await on("curl -s http://127.0.0.1:30000/v1/models")).data[0].id).toBe(repository);
        const verdict = JSON.parse(await on("cat /opt/sglang/services/tiny/current/verdict.json"));
        expect(verdict.verdict).toBe("yes");
    });

    it("changes nothing the second time", async () => {
        const pid = await mainPid();
        const preview = await stack.engine.preview({ expectNoChanges: true });
        expect(preview.code, preview.text).toBe(0);
        await up();
        expect(await mainPid()).toBe(pid);
    });
});

describe("a changed backend", () => {
    it("is that setting and one digest in the preview, and one restart", async () => {
        const pid = await mainPid();
        stack.file.services.tiny!.backends = { fp4Gemm: "flashinfer_cutlass", moeRunner: "flashinfer_cutlass" };
        stack.write();
        const { text } = await stack.engine.preview({ diff: true });
        console.log(text);
        await up();
        expect(await mainPid()).not.toBe(pid);
    });
});
