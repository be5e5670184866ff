/**
 * Resources that the engine makes anew while what they stand for goes on: the removal of the old one takes nothing away
 * that the new one holds.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { namespace } from "../support/hosts/network.ts";
import { run } from "../support/hosts/sh.ts";
import { Runs } from "../support/runs.ts";

let runs: Runs;

beforeAll(async () => {
    runs = await Runs.create("replaced", { spare: true });
    await runs.stack.secret("first", "SentinelOfTheFirstKey");
    await runs.stack.secret("second", "SentinelOfTheSecondKey");
    key("first");
    await runs.up();
});

afterAll(() => runs?.close());

/** Puts an API key into the stack file. */
function key(name: "first" | "second"): void {
    Object.assign(runs.stack.file.services.tiny!, { apiKey: { config: name } });
    runs.stack.write();
}

/** Puts a machine's address into the stack file. */
function address(of: "host" | "spare"): void {
    const { address, hostKey, privateKeyPath } = runs[of]!;
    Object.assign(runs.stack.file.hosts.node1!, { address, hostKey, privateKey: { file: privateKeyPath } });
    runs.stack.write();
}

/** Gives the host one more address, and puts it into the stack file. */
async function secondAddress(): Promise<void> {
    const second = runs.host.address.replace(/\d+$/, "222");
    const inside = namespace(Number(runs.host.address.split(".").at(-1)));
    run("ip", "-n", inside, "address", "replace", `${second}/24`, "dev", "host0");
    Object.assign(runs.stack.file.hosts.node1!, { address: second });
    runs.stack.write();
}

const stillStarts = () => runs.on("systemctl restart sglang-tiny && systemctl is-active sglang-tiny");

it("a move that failed, and the old address put back: what serves is not touched, and the other machine is clean", async () => {
    const spare = runs.spare!;
    await spare.exec("echo 'STANDIN_FAULT_WHEN=max-running-requests=48:bang' > /etc/standin-sglang.env");
    const pid = await runs.mainPid();
    address("spare");
    expect((await runs.failedUp()).text).toContain("does not serve");
    expect(await runs.mainPid()).toBe(pid);
    address("host");
    await runs.up();
    await runs.expectServes("a");
    expect(await runs.mainPid()).toBe(pid);
    expect((await spare.exec("ls -d /opt/sglang; systemctl is-active sglang-tiny")).stdout.trim()).toBe("inactive");
});

it("an API key that was changed with a bad setting, and both put back: the key in use is still there", async () => {
    key("second");
    runs.set("bad");
    await runs.failedUp();
    key("first");
    runs.set("a");
    await runs.up();
    await runs.expectServes("a");
    expect(await stillStarts()).toBe("active");
    expect(await runs.on("ls /opt/sglang/secrets | wc -l")).toBe("1");
});

it("another address of the same machine, and the old one put back: what serves is not touched", async () => {
    const pid = await runs.mainPid();
    await secondAddress();
    await runs.up();
    await runs.expectServes("a");
    address("host");
    await runs.up();
    await runs.expectServes("a");
    expect(await runs.mainPid()).toBe(pid);
});

it("any resource of the host that is replaced by name: the service serves, and the engine has nothing to do", async () => {
    const { deployment } = await runs.stack.engine.decryptedState();
    const commands = deployment.resources!.filter(({ type }) => type === "command:remote:Command");
    expect(commands.length).toBeGreaterThan(6);
    for (const { urn } of commands) {
        const { code, text } = await runs.stack.engine.up({ args: ["--target-replace", urn] });
        expect(code, `${urn}\n${text}`).toBe(0);
        await runs.up();
        expect(await runs.on("systemctl is-active sglang-tiny"), urn).toBe("active");
    }
    await runs.expectServes("a");
    expect(await stillStarts()).toBe("active");
});

it("destroys all of it all the same, also without the agent's own file", async () => {
    await runs.on("rm -r /opt/sglang/agent");
    const { code, text } = await runs.stack.engine.destroy();
    expect(code, text).toBe(0);
    expect(await runs.on("systemctl is-active sglang-tiny; ls -d /opt/sglang")).toBe("inactive");
});
