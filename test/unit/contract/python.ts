import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** The agent's package. */
export const agentFolder = join(packageRoot, "agent", "sglang_agent");

/** What a Python program prints as JSON. Throws an Error with what it said on a failure. */
export function python(words: readonly string[], input: unknown = null): unknown {
    const { error, status, stdout, stderr } = spawnSync("python3", words, {
        cwd: packageRoot,
        encoding: "utf8",
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: join(packageRoot, "agent") },
        input: JSON.stringify(input),
        maxBuffer: 2 ** 26,
    });
    if (status !== 0) {
        throw new Error(`python3 ${words.join(" ")}: ${error?.message ?? stderr}`);
    }
    return JSON.parse(stdout);
}
