/** What `receipt` and `status` make of a host's answer: figures, what they hold for, and what is not so any more. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import type { Answer } from "../../../knowledge/contract/answers.ts";

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "receipt-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const machine = { driver: "580.95", kernel: "6.8.0-90", gpus: Array<string>(8).fill("RTX PRO 6000") };
const verdict: Answer<"status">["verdict"] = {
    contract: 2,
    verdict: "yes",
    generation: "gen20001",
    passed: 41,
    upAfterSeconds: 103.1,
    tokensPerSecond: 2112.4,
    oracleFigures: {
        promptMean: 0.0123,
        promptTail: 0.05,
        promptStretch: 0.1,
        promptLargest: 0.7,
        answerMean: 0.001,
        answerTail: 0.004,
        answerLargest: 0.02,
        topMean: 0.01,
        topAgreement: 0.98,
        topOverlap: 0.97,
        topDivergence: 0.002,
    },
    proved: {
        release: "0.5.16",
        build: "bbbb0001",
        manifestDigest: "mmmm0001",
        settingsDigest: "dddd0001",
        argumentsSha256: "a".repeat(64),
        environmentSha256: "e".repeat(64),
        oracleSha256: "0".repeat(64),
        machine,
    },
};

/** A verb of the shipped stack, whose host answers through an `ssh` that knows one answer. */
function asked(verb: string, change: Partial<Answer<"status">> = {}, ...words: string[]) {
    const answer: Answer<"status"> = {
        active: true,
        build: "bbbb0001",
        enabled: true,
        generation: "gen20001",
        machine,
        owner: "pulumi-sglang/blackwell",
        previous: null,
        settingsDigest: "dddd0001",
        sinceBoot: true,
        switching: false,
        unitState: "active/running",
        verdict,
        ...change,
    };
    writeFileSync(join(folder, "answer.json"), JSON.stringify(answer));
    writeFileSync(join(folder, "ssh"), `#!/bin/sh\ncat >/dev/null\ncat ${folder}/answer.json\n`, { mode: 0o755 });
    const argv = [join(packageRoot, "cli/main.ts"), verb, "-s", "blackwell", ...words];
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: packageRoot, encoding: "utf8", env });
    return { status, text: stdout.replace(/ +/g, " "), stdout, stderr };
}

test("a receipt has every figure and all that it holds for", () => {
    const { status, text, stderr } = asked("receipt");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const line of [
        "qwen35 on node1: gate yes",
        " checks passed 41",
        " tokens per second 2112.4",
        " oracle: promptMean 0.0123",
        " oracle: topAgreement 0.98",
        ` oracle sha256 ${"0".repeat(64)}`,
        " build bbbb0001",
        " weights mmmm0001",
        ` arguments sha256 ${"a".repeat(64)}`,
        ` environment sha256 ${"e".repeat(64)}`,
        " GPUs 8 × RTX PRO 6000",
        " driver 580.95",
        " kernel 6.8.0-90",
    ]) {
        expect(text.split("\n")).toContain(line);
    }
    const [exported] = JSON.parse(asked("receipt", {}, "--json").stdout);
    expect(exported).toEqual({ service: "qwen35", machine: "node1", verdict, changed: [] });
});

test("a machine that changed under a verdict is named by status and receipt, and nothing is proved any more", () => {
    const now = { ...machine, driver: "590.12", gpus: machine.gpus.slice(1) };
    const changed = "proved on driver 580.95, now 590.12, proved on GPUs 8 × RTX PRO 6000, now 7 × RTX PRO 6000";
    const { status, stdout } = asked("status", { machine: now });
    expect([status, stdout]).toEqual([0, `qwen35 on node1: up, generation gen20001, gate yes, ${changed}\n`]);
    const receipt = asked("receipt", { machine: now });
    expect(receipt.status).toBe(1);
    expect(receipt.text).toContain("\n no longer so proved on driver 580.95, now 590.12\n");
    expect(asked("status").stdout).toBe("qwen35 on node1: up, generation gen20001, gate yes\n");
});

test("a kernel counts, and a driver that is gone", () => {
    const { driver: _, ...without } = machine;
    const { stdout } = asked("status", { machine: { ...without, kernel: "6.8.0-91" } });
    expect(stdout).toContain("proved on driver 580.95, now none, proved on kernel 6.8.0-90, now 6.8.0-91\n");
});

test("a no says why, and one that no gate ended has no receipt", () => {
    const no = { ...verdict!, verdict: "no" as const, check: "oracle.alone", reason: "too far" };
    expect(asked("receipt", { verdict: no })).toMatchObject({
        status: 1,
        text: expect.stringContaining("\n said no oracle.alone: too far\n"),
    });
    expect(asked("receipt", { verdict: null })).toMatchObject({
        status: 1,
        stdout: "qwen35 on node1: no gate has ended\n",
    });
});

test("a verdict of an agent of before, which says of no machine, is shown as it is", () => {
    const { proved: _, ...old } = verdict!;
    const { status, text } = asked("receipt", { verdict: old });
    expect(status).toBe(0);
    expect(text).not.toMatch(/driver|build/);
});
