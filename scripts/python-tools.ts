/** The programs that check Python files, at pinned versions in a virtual environment of their own. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";

const requirements = join(packageRoot, "scripts", "check-requirements.txt");
const folder = join(packageRoot, ".cache", "check-venv");

/** Folder of `ruff` and `mypy`; makes the environment where it is missing or of other requirements. Throws an Error when pip fails. */
export function pythonTools(): string {
    const stamp = join(folder, "requirements.sha256");
    const wanted = createHash("sha256").update(readFileSync(requirements)).digest("hex");
    if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
        rmSync(folder, { recursive: true, force: true });
        run("python3", ["-m", "venv", folder]);
        run(join(folder, "bin", "pip"), ["install", "--quiet", "--require-hashes", "--requirement", requirements]);
        writeFileSync(stamp, wanted);
    }
    return join(folder, "bin");
}

function run(command: string, args: readonly string[]): void {
    const { error, status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) {
        throw new Error(`${[command, ...args].join(" ")} failed${error ? `: ${error.message}` : ""}`);
    }
}
