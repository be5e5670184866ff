/** A large stack: what it costs grows as the stack does, and it is planned in little memory. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { largeStack } from "../../support/large-stack.ts";

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "large-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(count: number): string {
    const file = join(folder, `${count}.yaml`);
    writeFileSync(file, largeStack(count));
    return file;
}

test("four times as many hosts and services are four times the work, and no more", () => {
    const argv = [join(packageRoot, "test/support/plan-work.ts"), fileOf(16), fileOf(64)];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
    expect(stderr).toBe("");
    const [small, large] = JSON.parse(stdout) as [number, number];
    expect(large / small).toBeGreaterThan(3);
    expect(large / small).toBeLessThan(4.2);
    // about 39,000 calls a service when this was written, half of them to judge each row for speed: half as many again is something done twice
    expect(large / 64).toBeLessThan(58_000);
});

test("64 hosts and 64 services take less than 300 MiB, and nothing else is in the process", () => {
    const script = `process.on("exit", () => process.stderr.write(JSON.stringify(process.resourceUsage())));
        process.argv.splice(1, 0, "pulumi-sglang");
        await import(${JSON.stringify(join(packageRoot, "cli/main.ts"))});`;
    const argv = ["--input-type=module", "-e", script, "plan", "--file", fileOf(64), "--json"];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", maxBuffer: 2 ** 28 });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).services).toHaveLength(64);
    expect(JSON.parse(stderr).maxRSS / 1024).toBeLessThan(300);
});
