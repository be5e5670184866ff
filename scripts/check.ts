/** `npm run check`: format and lint, types, documentation of the public surface, its snapshot, and Python's; all of them run. */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { pythonTools } from "./python-tools.ts";

const steps: readonly (readonly string[])[] = [
    ["biome", "check", "."],
    ["tsc", "--noEmit"],
    ["typedoc", "--emit", "none"],
    ["node", "scripts/api-snapshot.ts", "--check"],
    ["ruff", "format", "--check", "--quiet", "."],
    ["ruff", "check", "--quiet", "."],
    ["mypy"],
];

const path = `${pythonTools()}${delimiter}${process.env.PATH}`;
const failed = steps.filter(([command, ...args]) => {
    process.stdout.write(`> ${[command, ...args].join(" ")}\n`);
    return (
        spawnSync(command!, args, { cwd: packageRoot, env: { ...process.env, PATH: path }, stdio: "inherit" })
            .status !== 0
    );
});
if (failed.length > 0) {
    process.stderr.write(`failed: ${failed.map((step) => step.join(" ")).join("; ")}\n`);
    process.exitCode = 1;
}
