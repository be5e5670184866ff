/** The main job: from one stack file to a proved service on a real systemd host, and back. */
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { E2eStack, standInRelease } from "../support/e2e-stack.ts";
import { startHost, type TestHost } from "../support/hosts/host.ts";
import { gatewayAddress } from "../support/hosts/network.ts";
import { makeWheelhouse } from "../support/hosts/wheelhouse.ts";
import { type Hub, startHub, tinyModel } from "../support/standin-hub/hub.ts";

const repository = "acme/tiny";
const faults = "/etc/standin-sglang.env";
const hubToken = "hf_SentinelOfTheHubToken";
const apiKey = "SentinelOfTheApiKey0123";
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

/** A preview that must find nothing to do. */
async function expectNoChanges(): Promise<void> {
    const { code, text } = await stack.engine.preview({ expectNoChanges: true });
    expect(code, text).toBe(0);
}

const current = () => on("basename $(readlink -f /opt/sglang/services/tiny/current)");

function setHost(fields: Record<string, unknown>): void {
    Object.assign(stack.file.hosts.node1!, fields);
    stack.write();
}

function setModel(fields: Record<string, unknown>): void {
    Object.assign(stack.file.models.tiny!, fields);
    stack.write();
}

function setService(fields: Record<string, unknown>): void {
    Object.assign(stack.file.services.tiny!, fields);
    stack.write();
}

function setFp4Gemm(fp4Gemm: string): void {
    setService({ backends: { fp4Gemm, moeRunner: "flashinfer_cutlass" } });
}

/** Searches everything that people and other programs can read for the key and the token. */
async function expectSecretsOnlyInTheirFiles(output: string): Promise<void> {
    const secrets = [apiKey, hubToken];
    const onMachine = [
        output,
        await stack.engine.rawState(),
        await stack.engine.run(["stack", "history"]).then(({ text }) => text),
    ];
    const onHost = await on(
        "ps auxwwe; journalctl --no-pager; cat /etc/systemd/system/sglang-*; systemctl show 'sglang-*'",
    );
    for (const secret of secrets) {
        expect(
            onMachine.some((text) => text.includes(secret)),
            `${secret} in output or state`,
        ).toBe(false);
        expect(onHost.includes(secret), `${secret} in processes, journal or units`).toBe(false);
        const files = await on(`grep -rlF -- ${secret} /opt /srv /etc /run /tmp /var /root /home 2>/dev/null`);
        const modes = await on(`stat -c '%a %n' ${files.split("\n").join(" ")} 2>/dev/null`);
        expect(
            modes.split("\n").filter((line) => line !== "" && !/^[46]00 \/(opt\/sglang\/secrets|run\/)/.test(line)),
        ).toEqual([]);
    }
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
        await expectNoChanges();
        await up();
        expect(await mainPid()).toBe(pid);
    });
});

describe("a changed backend", () => {
    it("is that setting and two digests in the preview, and one restart", async () => {
        const pid = await mainPid();
        await setFp4Gemm("flashinfer_cutlass");
        const { text } = await stack.engine.preview({ diff: true });
        const changes = text.split("\n").filter((line) => /^\s*[~+-] [\w-]+ *:/.test(line));
        expect(changes.filter((line) => line.includes('"flashinfer_cudnn" => "flashinfer_cutlass"')).length).toBe(2);
        expect(changes.length, changes.join("\n")).toBeLessThanOrEqual(15);
        await up();
        expect(await mainPid()).not.toBe(pid);
        expect(await on("systemctl show -p NRestarts --value sglang-tiny")).toBe("0");
    });
});

describe("what changes no setting", () => {
    it.each<[string, () => void | Promise<void>]>([
        ["a comment", () => appendFileSync(stack.path, "# a comment\n")],
        ["the dial timeout", () => setHost({ dialTimeoutSeconds: 20 })],
        ["another way to the same SSH key", () => setHost({ privateKey: { file: host.privateKeyPath } })],
        [
            "a hub token",
            async () => {
                await stack.secret("hubToken", hubToken);
                setModel({ token: { config: "hubToken" } });
            },
        ],
        [
            "another hub token",
            async () => {
                await stack.secret("hubToken", `${hubToken}-rotated`);
            },
        ],
    ])("%s restarts nothing", async (_, change) => {
        const pid = await mainPid();
        await change();
        await up();
        expect(await mainPid()).toBe(pid);
        await expectNoChanges();
    });
});

describe("an API key", () => {
    it("restarts once, opens the server to its holder only, and is in no place but its file", async () => {
        const pid = await mainPid();
        await stack.secret("apiKey", apiKey);
        setService({ apiKey: { config: "apiKey" } });
        const text = await up();
        expect(await mainPid()).not.toBe(pid);
        const status = (header: string) =>
            on(`curl -s -o /dev/null -w '%{http_code}' ${header} http://127.0.0.1:30000/v1/models`);
        expect(await status("")).toBe("401");
        expect(await status(`-H 'Authorization: Bearer ${apiKey}'`)).toBe("200");
        await expectNoChanges();
        await expectSecretsOnlyInTheirFiles(text);
    });
});

describe("a generation that the gate refuses", () => {
    it.each([
        ["bang"],
        ["nan-weights"],
        ["nan-marker"],
        ["garbage-under-load"],
        ["crash-in-decode"],
        ["wrong-answer"],
        ["empty"],
        ["die-at-start"],
        ["never-ready"],
    ])("with the fault %s is taken back, and the old one serves", async (name) => {
        const before = await current();
        await on(`echo STANDIN_FAULT_WHEN=fp4-gemm-backend=flashinfer_cudnn:${name} > ${faults}`);
        await setFp4Gemm("flashinfer_cudnn");
        const result = await stack.engine.up();
        expect(result.code).not.toBe(0);
        expect(result.text).toContain(`the previous generation ${before} serves again`);
        expect(await current()).toBe(before);
        expect(await on("systemctl is-active sglang-tiny")).toBe("active");
        await expectSecretsOnlyInTheirFiles(result.text);
        await setFp4Gemm("flashinfer_cutlass");
    });

    it("leaves a preview that says truly what will change, and going back restarts nothing", async () => {
        const pid = await mainPid();
        await up();
        expect(await mainPid()).toBe(pid);
        await expectNoChanges();
    });

    it("gives way to a good setting in one run, and a slow load is not a no", async () => {
        await on(`echo STANDIN_FAULT_WHEN=fp4-gemm-backend=flashinfer_cudnn:slow-load:15 > ${faults}`);
        await setFp4Gemm("flashinfer_cudnn");
        await up();
        expect(await on("systemctl is-active sglang-tiny")).toBe("active");
        await expectNoChanges();
    });
});

describe("a host that restarts", () => {
    it("gates the service again before it counts as up", async () => {
        await host.reboot();
        await expect
            .poll(() => on("systemctl is-active sglang-tiny"), { timeout: 90_000, interval: 1_000 })
            .toBe("active");
        expect(JSON.parse(await on("cat /run/sglang-tiny/verdict.json")).verdict).toBe("yes");
    });

    it("stops a service whose numbers are wrong then, and swaps nothing", async () => {
        const before = await current();
        await on(`echo STANDIN_FAULT=bang > ${faults}`);
        await host.reboot().catch(() => "a failed unit makes the host `degraded`");
        await expect
            .poll(() => on("systemctl is-active sglang-tiny"), { timeout: 90_000, interval: 1_000 })
            .toBe("failed");
        expect(await current()).toBe(before);
        await on(`rm ${faults}; systemctl reset-failed sglang-tiny; systemctl start sglang-tiny`);
    });
});

describe("destroy", () => {
    it("removes what the stack made and nothing else, and keeps the weights", async () => {
        await on("touch /opt/sglang/not-ours /srv/models/not-ours");
        const { code, text } = await stack.engine.destroy();
        expect(code, text).toBe(0);
        expect(await on("systemctl show -p LoadState --value sglang-tiny")).toBe("not-found");
        expect(await on("ls /opt/sglang/builds /opt/sglang/secrets 2>/dev/null | grep -v :")).toBe("");
        expect(await on("ls /opt/sglang/not-ours /srv/models/not-ours | wc -l")).toBe("2");
        expect(await on("ls /srv/models/acme--tiny/*/model-00001-of-00002.safetensors | wc -l")).toBe("1");
    });
});
