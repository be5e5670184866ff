/**
 * Random sequences of changes, cuts, reboots and bad settings against a model of the host: an `up` that ends well has the
 * file's setting serving, a bad one fails, and a last `up` makes everything good.
 *
 * Each sequence is its seed's: `SEEDS=7,8,9 STEPS=15 npx vitest run --project host test/host/sequences.test.ts` replays or adds some.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Pick, picker } from "../support/picker.ts";
import { type Cut, type Moment, moments, Runs, type Setting } from "../support/runs.ts";

const seeds = (process.env.SEEDS ?? "8,11").split(",").map(Number);
const length = Number(process.env.STEPS ?? 6);

let runs: Runs;

beforeAll(async () => {
    runs = await Runs.create("sequences");
    await runs.up();
});

afterAll(() => runs?.close());

/** What the file says, what it said before, and how often the server was killed: systemd starts it three times at most. */
interface Model {
    file: Setting;
    before: Setting;
    killed: number;
}

/** What can be done next; each says what it did. */
const steps: Readonly<Record<string, (model: Model, pick: Pick) => Promise<string>>> = {
    change: async (model, pick) => {
        change(model, pick((["a", "b", "c"] as const).filter((one) => one !== model.file)));
        return upOf(model);
    },
    spoil: async (model) => {
        change(model, "bad");
        return upOf(model);
    },
    putBack: async (model) => {
        change(model, model.before);
        return upOf(model);
    },
    changeAndCut: async (model, pick) => {
        change(model, pick((["a", "b", "c", "bad"] as const).filter((one) => one !== model.file)));
        const cut = pick<Cut>(["ssh", "kill", "kill", "reboot"]);
        const moment = pick(Object.keys(moments) as Moment[]);
        const { code } = await runs.cutUp(cut, moment);
        return `${model.file}, ${cut} at ${moment}: ${code}`;
    },
    putBackAndPreview: async (model) => {
        change(model, model.before);
        const { code, text } = await runs.stack.engine.preview();
        expect(code, text).toBe(0);
        return model.file;
    },
    up: upOf,
    killServer: async (model) => {
        if (model.killed++ < 2) {
            await runs.on("kill -KILL $(cat /sys/fs/cgroup/system.slice/sglang-tiny.service/cgroup.procs)");
        }
        return "";
    },
    reboot: async () => {
        await runs.reboot();
        return "";
    },
};

function change(model: Model, to: Setting): void {
    model.before = model.file;
    model.file = to;
    runs.set(to);
}

async function upOf({ file }: Model): Promise<string> {
    const { code, text } = await runs.stack.engine.up();
    expect(code === 0, text).toBe(file !== "bad");
    return `${file}: ${code}`;
}

it.each(seeds)("sequence %i ends with what the file says", async (seed) => {
    const pick = picker(seed);
    // Cuts are what this is about.
    const names = [...Object.keys(steps), "changeAndCut", "changeAndCut", "putBack"];
    const model: Model = { file: "a", before: "b", killed: 0 };
    runs.set("a");
    const done: string[] = [];
    try {
        for (let step = 0; step < length; step++) {
            const name = pick(names);
            done.push(name);
            done[step] += ` ${await steps[name]!(model, pick)}`;
        }
        if (model.file === "bad") {
            change(model, model.before === "bad" ? "a" : model.before);
        }
        done.push(`last up ${await upOf(model)}`);
        await expect
            .poll(() => runs.on("systemctl is-active sglang-tiny"), { timeout: 120_000, interval: 500 })
            .toBe("active");
        await runs.expectServes(model.file);
    } catch (error) {
        throw new Error(`seed ${seed}: ${done.join("; ")}`, { cause: error });
    }
    process.stdout.write(`seed ${seed}: ${done.join("; ")}\n`);
});
