/** Runs that end early, hosts that are called something else, and hosts that are not ready: nothing is lost, made twice or left. */
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
    stack = await E2eStack.create("cut", [host], { hub, wheelhouse, repository });
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

/** Starts an `up`, kills the CLI as soon as that unit is there on the host, and gives its lock back. */
async function killedUp(unit: string): Promise<void> {
    let kill = () => {};
    const ended = stack.engine.up({
        onStart: (child) => {
            kill = () => child.kill("SIGKILL");
        },
    });
    await expect.poll(() => on(`systemctl is-active ${unit}`), { timeout: 60_000, interval: 100 }).toMatch(/^activ/);
    kill();
    await ended;
    expect((await stack.engine.run(["cancel", "--yes", "-s", stack.name])).code).toBe(0);
}

async function up(): Promise<void> {
    const { code, text } = await stack.engine.up();
    expect(code, text).toBe(0);
}

describe("a CLI that is killed", () => {
    it("in the first start leaves nothing that a destroy does not remove", async () => {
        await killedUp("sglang-tiny");
        const { code, text } = await stack.engine.destroy();
        expect(code, text).toBe(0);
        expect(await on("systemctl is-active sglang-tiny; ls -d /opt/sglang /etc/systemd/system/sglang*")).toBe(
            "inactive",
        );
    });

    it("in a build is followed by a run that waits for the same build", async () => {
        await killedUp("sglang-job-build-sglang");
        await up();
        expect(await on("ls /opt/sglang/log | grep -c ^build-")).toBe("1");
        expect(await on("systemctl is-active sglang-tiny")).toBe("active");
    });

    it("in a switch is followed by a run that waits for the same switch", async () => {
        await on("echo STANDIN_FAULT=slow-load:5 > /etc/standin-sglang.env");
        stack.file.services.tiny!.backends = { fp4Gemm: "flashinfer_cutlass", moeRunner: "flashinfer_cutlass" };
        stack.write();
        await killedUp("sglang-job-activate-tiny");
        await up();
        await on("rm /etc/standin-sglang.env");
        expect(await on("ls /opt/sglang/log | grep -c ^activate-")).toBe("2");
        const { code, text } = await stack.engine.preview({ expectNoChanges: true });
        expect(code, text).toBe(0);
    });
});

it("confines the server as far as a GPU server allows", async () => {
    const said = await on("systemd-analyze security --no-pager sglang-tiny | tail -1");
    expect(Number(/: ([\d.]+) /.exec(said)?.[1]), said).toBeLessThanOrEqual(3);
});

it("says all that a host lacks at once, and stops nothing", async () => {
    const pid = await mainPid();
    const card = "GPU-00000000-0000-4000-8000-000000000005";
    await on(`systemd-run -q --unit=holder sleep 600; systemd-run -q --unit=stranger python3 -m http.server 30007
        echo '[{"pid": "'$(systemctl show -p MainPID --value holder)'", "gpu_uuid": "${card}"}]' > /usr/local/share/nvidia-smi/apps.json
        mv /usr/local/cuda-13.0/bin/nvcc /root/nvcc
        until curl -s -o /dev/null localhost:30007; do sleep 0.2; done`);
    stack.file.services.tiny!.api = { port: 30007 };
    stack.write();
    const { code, text } = await stack.engine.up();
    expect(code).not.toBe(0);
    expect(text).toMatch(/not ready for tiny \(3 problems\); nothing was stopped/);
    expect(text).toMatch(/nvcc: .* needs CUDA toolkit 13\.0/);
    expect(text).toMatch(/GPU 5: held by sleep \(pid \d+ of holder\.service\)/);
    expect(text).toMatch(/port 30007: .*python3 \(pid \d+ of stranger\.service\) listens there/);
    expect(await mainPid()).toBe(pid);
    await on(
        "systemctl stop holder stranger; rm /usr/local/share/nvidia-smi/apps.json; mv /root/nvcc /usr/local/cuda-13.0/bin/",
    );
    delete stack.file.services.tiny!.api;
    stack.write();
});

it("keeps a service that runs on the same machine under another name", async () => {
    const pid = await mainPid();
    stack.file.hosts = { rack1: stack.file.hosts.node1! };
    stack.file.services.tiny!.placement = { hosts: ["rack1"] };
    stack.write();
    await up();
    expect(await on("systemctl is-active sglang-tiny")).toBe("active");
    expect(await mainPid()).toBe(pid);
    const { code, text } = await stack.engine.destroy();
    expect(code, text).toBe(0);
    expect(await on("ls -d /opt/sglang")).toBe("");
});
