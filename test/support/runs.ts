/** A stack on one host whose runs are cut off in the middle, at events on the host. */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { E2eStack, standInRelease } from "./e2e-stack.ts";
import type { EngineResult } from "./engine.ts";
import { startHost, type TestHost } from "./hosts/host.ts";
import { gatewayAddress } from "./hosts/network.ts";
import { makeWheelhouse } from "./hosts/wheelhouse.ts";
import { type Hub, startHub, tinyModel } from "./standin-hub/hub.ts";

const repository = "acme/tiny";
const folder = "/opt/sglang/services/tiny";
const receipt = "/opt/sglang/receipts/service-tiny.json";

/** Requests that run at once, each a generation of its own; `bad` never passes its gate. */
export const settings = { a: 48, b: 32, c: 24, bad: 7 } as const;
/** See {@link settings}. */
export type Setting = keyof typeof settings;

/** How a run ends before its time. */
export type Cut = "ssh" | "kill" | "reboot";

/** What happens on the host in an update, in this order, each as a shell's test: `$before` has the generation that served. */
export const moments = {
    intent: `! grep -q "\\"generation\\": \\"$intended\\"" ${receipt}`,
    job: "systemctl -q is-active sglang-job-activate-tiny",
    switch: `test -e ${folder}/switch.json`,
    stopped: `test -e ${folder}/switch.json && ! systemctl -q is-active sglang-tiny`,
    installed: `test "$(readlink ${folder}/current)" != "$before"`,
    started: `test "$(readlink ${folder}/current)" != "$before" && systemctl show -p SubState --value sglang-tiny | grep -q start`,
} as const;
/** See {@link moments}. */
export type Moment = keyof typeof moments;

/** A service on a host, and what is done to both. */
export class Runs {
    readonly host: TestHost;
    /** A machine that the service is not on. */
    readonly spare: TestHost | undefined;
    readonly stack: E2eStack;
    readonly #hub: Hub;

    private constructor(host: TestHost, spare: TestHost | undefined, stack: E2eStack, hub: Hub) {
        this.host = host;
        this.spare = spare;
        this.stack = stack;
        this.#hub = hub;
    }

    static async create(name: string, { spare = false } = {}): Promise<Runs> {
        const wheelhouse = makeWheelhouse(join(mkdtempSync(join(tmpdir(), "wheels-")), "house"), {
            standIns: [standInRelease],
            requirements: ["huggingface_hub==1.33.0"],
        });
        const hub = await startHub({ [repository]: tinyModel }, gatewayAddress());
        const host = await startHost({ name: "node1", wheelhouse });
        const other = spare ? await startHost({ name: "node2", wheelhouse }) : undefined;
        const stack = await E2eStack.create(name, [host], { hub, wheelhouse, repository });
        const runs = new Runs(host, other, stack, hub);
        runs.set("a");
        await runs.fault();
        return runs;
    }

    async close(): Promise<void> {
        await this.stack?.close();
        this.#hub?.stop();
        this.host?.stop();
        this.spare?.stop();
    }

    /** What a command on the host prints. */
    async on(command: string): Promise<string> {
        return (await this.host.exec(command)).stdout.trim();
    }

    /** Faults of the server, by the setting that has them. */
    fault(faults: Partial<Record<Setting, string>> = { bad: "bang" }): Promise<string> {
        const rules = Object.entries(faults).map(
            ([setting, fault]) => `max-running-requests=${settings[setting as Setting]}:${fault}`,
        );
        return this.on(`echo 'STANDIN_FAULT_WHEN=${rules.join(";")}' > /etc/standin-sglang.env`);
    }

    /** Puts a setting into the stack file. */
    set(setting: Setting): void {
        Object.assign(this.stack.file.services.tiny!, {
            scheduling: { maxRunningRequests: settings[setting] },
        });
        this.stack.write();
    }

    /** An `up` that must go well. */
    async up(): Promise<void> {
        const { code, text } = await this.stack.engine.up();
        expect(code, text).toBe(0);
    }

    /** An `up` that must fail. */
    async failedUp(): Promise<EngineResult> {
        const result = await this.stack.engine.up();
        expect(result.code, result.text).not.toBe(0);
        return result;
    }

    /** Starts an `up` and cuts it off at a moment of the update. An update that ends before that moment is left alone. */
    async cutUp(cut: Cut, moment: Moment): Promise<EngineResult> {
        let child: ChildProcess | undefined;
        const before = await this.on(`readlink ${folder}/current`);
        const intended = await this.on(`sed -n 's/^ "generation": "\\(.*\\)",$/\\1/p' ${receipt}`);
        await this.on("rm -f /run/run-ended");
        const running = this.stack.engine
            .up({
                onStart: (one) => {
                    child = one;
                },
            })
            .finally(() => this.on("touch /run/run-ended"));
        const seen = await this.on(
            `before='${before}' intended='${intended}'
             until { ${moments[moment]}; } 2>/dev/null; do test ! -e /run/run-ended || exit 0; sleep 0.02; done; echo seen`,
        );
        if (seen !== "seen") {
            return running;
        }
        switch (cut) {
            case "ssh":
                // Each session's own process of sshd belongs to the user; none of another run is there.
                await this.on("kill -KILL $(pgrep -u deploy sshd)");
                break;
            case "kill":
                child?.kill("SIGKILL");
                break;
            case "reboot":
                child?.kill("SIGKILL");
                await this.reboot();
                break;
        }
        const result = await running;
        if (cut !== "ssh") {
            expect((await this.stack.engine.run(["cancel", "--yes", "-s", this.stack.name])).code).toBe(0);
        }
        return result;
    }

    /** Restarts the host. A service that fails makes it `degraded`, which is no matter here. */
    async reboot(): Promise<void> {
        await this.host.reboot().catch((error: Error) => expect(error.message).toContain("degraded"));
    }

    /** Asserts that this setting serves, was gated in this boot, and that the engine has nothing to do. */
    async expectServes(setting: Setting): Promise<void> {
        const option = `python3 -c "import json; print(json.load(open('${folder}/current/arguments.json')))"`;
        expect(await this.on("systemctl is-active sglang-tiny")).toBe("active");
        expect(await this.on(option)).toContain(`'--max-running-requests', '${settings[setting]}'`);
        const verdict = JSON.parse(await this.on("cat /run/sglang-tiny/verdict.json"));
        expect([verdict.verdict, verdict.generation]).toEqual(["yes", await this.on(`readlink ${folder}/current`)]);
        const asked = "curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:30000/health";
        expect(await this.on(asked)).toBe("200");
        const { code, text } = await this.stack.engine.preview({ expectNoChanges: true });
        expect(code, text).toBe(0);
    }

    /** Asserts that a preview says that `activate` will run. */
    async expectAnnounced(): Promise<void> {
        const { code, text } = await this.stack.engine.preview();
        expect(code, text).toBe(0);
        expect(text).toMatch(/~ +└─ command:remote:Command +tiny-node1-activate +update|tiny-node1-activate\s+update/);
    }

    mainPid(): Promise<string> {
        return this.on("systemctl show -p MainPID --value sglang-tiny");
    }
}
