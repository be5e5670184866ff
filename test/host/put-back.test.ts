/** A run that ended without a good answer, and the old setting put back: what the file says serves, or `up` fails. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Runs } from "../support/runs.ts";

let runs: Runs;

beforeAll(async () => {
    runs = await Runs.create("back");
});

afterAll(() => runs?.close());

describe("the old setting, put back after a run that ended in the switch,", () => {
    it("serves at first", async () => {
        await runs.up();
        await runs.expectServes("a");
    });

    it.each([
        ["ssh", "started"],
        ["kill", "installed"],
    ] as const)("with its %s cut when it was %s, serves", async (cut, moment) => {
        runs.set("b");
        expect((await runs.cutUp(cut, moment)).code).not.toBe(0);
        runs.set("a");
        await runs.expectAnnounced();
        await runs.up();
        await runs.expectServes("a");
    });

    it("with a reboot into a generation that the gate refuses, serves", async () => {
        runs.set("bad");
        expect((await runs.cutUp("reboot", "installed")).code).not.toBe(0);
        await expect.poll(() => runs.on("systemctl is-active sglang-tiny"), { timeout: 90_000 }).toBe("failed");
        runs.set("a");
        await runs.expectAnnounced();
        await runs.up();
        await runs.expectServes("a");
    });

    it("with a no of the gate, is a quiet success that restarts nothing", async () => {
        runs.set("bad");
        const { text } = await runs.failedUp();
        expect(text).toContain("serves again and has passed its gate");
        const pid = await runs.mainPid();
        runs.set("a");
        await runs.expectAnnounced();
        await runs.up();
        await runs.expectServes("a");
        expect(await runs.mainPid()).toBe(pid);
    });

    it("with a no of the gate and of the generation before it too, serves, or `up` says why not", async () => {
        await runs.fault({ bad: "bang", a: "bang" });
        runs.set("bad");
        expect((await runs.failedUp()).text).toContain("NOTHING SERVES NOW");
        runs.set("a");
        expect((await runs.failedUp()).text).toContain("does not serve");
        await runs.fault();
        await runs.expectAnnounced();
        await runs.up();
        await runs.expectServes("a");
    });
});

it("tries the same setting again after a no", async () => {
    await runs.fault({ b: "bang" });
    runs.set("b");
    await runs.failedUp();
    await runs.fault();
    await runs.expectAnnounced();
    await runs.up();
    await runs.expectServes("b");
});

it("removes a service whose last switch was cut off, without touching its host otherwise", async () => {
    runs.set("a");
    await runs.cutUp("kill", "started");
    const { tiny } = runs.stack.file.services;
    runs.stack.file.services = {};
    runs.stack.write();
    await runs.up();
    expect(await runs.on("systemctl is-active sglang-tiny; ls /opt/sglang/services")).toBe("inactive");
    runs.stack.file.services = { tiny: tiny! };
    runs.stack.write();
});

it("removes a service whose first start was cut off before the state knew of it", async () => {
    await runs.cutUp("kill", "started");
    const { tiny } = runs.stack.file.services;
    runs.stack.file.services = {};
    runs.stack.write();
    await runs.up();
    expect(await runs.on("systemctl is-active sglang-tiny; ls /opt/sglang/services")).toBe("inactive");
    runs.stack.file.services = { tiny: tiny! };
    runs.stack.write();
    await runs.up();
    await runs.expectServes("a");
});

it("destroys all after a cut", async () => {
    runs.set("b");
    await runs.cutUp("ssh", "switch");
    const { code, text } = await runs.stack.engine.destroy();
    expect(code, text).toBe(0);
    expect(await runs.on("systemctl is-active sglang-tiny; ls -d /opt/sglang")).toBe("inactive");
});

it("refuses a unit that somebody made by hand, takes it over when told to, and puts it back in the end", async () => {
    const unit = "/etc/systemd/system/sglang-tiny.service";
    const text =
        "[Unit]\nDescription=by hand\n[Service]\nExecStart=/bin/sleep 1000000\n[Install]\nWantedBy=multi-user.target";
    await runs.on(`printf '${text.replaceAll("\n", "\\n")}' > ${unit}; systemctl enable --now sglang-tiny`);
    const pid = await runs.mainPid();
    const { text: said } = await runs.failedUp();
    expect(said).toContain(`unit sglang-tiny.service: ${unit} is there already and was not made for this service`);
    expect(said).toContain(`(active, sleep (pid ${pid} of sglang-tiny.service); ExecStart=/bin/sleep 1000000)`);
    expect(said).toContain("`adopt: true`");
    expect((await runs.stack.engine.destroy()).code).toBe(0);
    expect([await runs.on(`cat ${unit}`), await runs.mainPid()]).toEqual([text, pid]);
    Object.assign(runs.stack.file.services.tiny!, { adopt: true });
    runs.set("a");
    await runs.up();
    await runs.expectServes("a");
    expect((await runs.stack.engine.destroy()).code).toBe(0);
    expect(await runs.on(`cat ${unit}; systemctl is-active sglang-tiny`)).toBe(`${text}inactive`);
});
