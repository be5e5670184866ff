/** A large stack is planned fast and in little memory: 64 hosts with one service each, and nothing else in the process. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

const count = 64;
const models = ["nvidia/Qwen3.5-397B-A17B-NVFP4", "lukealonso/GLM-5-NVFP4", "moonshotai/Kimi-K2.5"];
const releases = ["0.5.16", "0.5.23", "0.5.14"];

function largeStack(): string {
    const each = <T>(value: (index: number) => [string, T]) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => value(index)));
    const facts = join(packageRoot, "facts/esc8000a-8x-rtxpro6000-server.json");
    return stringify({
        hosts: each((index) => [
            `node${index}`,
            { address: `192.0.2.${index + 1}`, hostKey: "ssh-ed25519 AAAAEXAMPLE", facts },
        ]),
        builds: Object.fromEntries(releases.map((release, index) => [`build${index}`, { release }])),
        models: Object.fromEntries(models.map((repository, index) => [`model${index}`, { repository }])),
        services: each((index) => [
            `service${index}`,
            { placement: { hosts: [`node${index}`] }, build: `build${index % 3}`, model: `model${index % 3}` },
        ]),
    });
}

/** Plans the file in a process of its own: MiB at most, and seconds of processor time. */
function measure(file: string): { mebibytes: number; seconds: number } {
    const script = `process.on("exit", () => process.stderr.write(JSON.stringify(process.resourceUsage())));
        process.argv.splice(1, 0, "pulumi-sglang");
        await import(${JSON.stringify(join(packageRoot, "cli/main.ts"))});`;
    const argv = ["--input-type=module", "-e", script, "plan", "--file", file, "--json"];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", maxBuffer: 2 ** 28 });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).services).toHaveLength(count);
    const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(stderr);
    return { mebibytes: maxRSS / 1024, seconds: (userCPUTime + systemCPUTime) / 1e6 };
}

test("64 hosts and 64 services take under 2 s of processor time and 300 MiB", () => {
    const folder = mkdtempSync(join(tmpdir(), "large-"));
    try {
        const file = join(folder, "stack.yaml");
        writeFileSync(file, largeStack());
        // other work on the machine only ever adds to a run: the best of five is nearest to what the plan takes
        const runs = [measure(file)];
        while (runs.length < 5 && runs.at(-1)!.seconds >= 2) {
            runs.push(measure(file));
        }
        expect(Math.max(...runs.map(({ mebibytes }) => mebibytes))).toBeLessThan(300);
        expect(Math.min(...runs.map(({ seconds }) => seconds))).toBeLessThan(2);
    } finally {
        rmSync(folder, { recursive: true });
    }
}, 90_000);
