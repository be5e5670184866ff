/** `npm run check`: format and lint, types, documentation of the public surface, and its snapshot; cheapest first, all of them run. */
import { spawnSync } from "node:child_process";
import { packageRoot } from "../knowledge/base/package-root.ts";

const steps: readonly (readonly string[])[] = [
    ["biome", "check", "."],
    ["tsc", "--noEmit"],
    ["typedoc", "--emit", "none"],
    ["node", "scripts/api-snapshot.ts", "--check"],
];

const failed = steps.filter(([command, ...args]) => {
    process.stdout.write(`> ${[command, ...args].join(" ")}\n`);
    return spawnSync(command!, args, { cwd: packageRoot, stdio: "inherit" }).status !== 0;
});
if (failed.length > 0) {
    process.stderr.write(`failed: ${failed.map((step) => step.join(" ")).join("; ")}\n`);
    process.exitCode = 1;
}
