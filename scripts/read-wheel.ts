/** Reads a published SGLang wheel: options, pins, model classes. Needs Python 3.11 or newer with pip (`PYTHON` names another one than `python3`). */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { shortDigestOf } from "../knowledge/base/digest.ts";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { type RawOption, type ReleaseTable, recorded } from "./release-tables.ts";

/** Where wheels and the parser's own requirements are kept between runs: outside the repository. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pulumi-sglang");

const python = process.env.PYTHON ?? "python3";
const requirements = join(packageRoot, "scripts/parser-requirements.txt");
const wheelScript = join(packageRoot, "scripts/wheel.py");

/** Package of a release that Python can import: downloaded unless it is cached. */
export function wheelPackage(version: string): string {
    const path = join(cacheFolder, `wheels/sglang-${version}.zip`);
    if (!existsSync(path)) {
        answerOf(python, [wheelScript, "fetch", version, path]);
    }
    return path;
}

/** Python with the three packages that SGLang's parser needs for real, made on first use, whole or not at all. */
function parserPython(): string {
    const folder = join(cacheFolder, `parser-python-${shortDigestOf(readFileSync(requirements, "utf8"))}`);
    if (!existsSync(folder)) {
        const scratch = `${folder}.${process.pid}`;
        answerOf(python, ["-m", "venv", "--clear", scratch]);
        answerOf(join(scratch, "bin/python"), ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
        if (existsSync(folder)) {
            rmSync(scratch, { recursive: true });
        } else {
            renameSync(scratch, folder);
        }
    }
    return join(folder, "bin/python");
}

/** Runs SGLang's real parser on the package; `mode` and the answer are those of `parser_harness.py`. */
export function runParser<T>(mode: "options" | "check", packagePath: string, input = ""): T {
    const harness = join(packageRoot, "agent/sglang_agent/parser_harness.py");
    return JSON.parse(answerOf(parserPython(), ["-I", harness, mode, "--package", packagePath, "--stubs"], input)) as T;
}

/** All that is recorded of a release, read from its wheel. */
export function readRelease(version: string): ReleaseTable {
    const path = wheelPackage(version);
    const { options } = runParser<{ options: RawOption[] }>("options", path);
    return {
        ...(JSON.parse(answerOf(python, [wheelScript, "read", path])) as Omit<ReleaseTable, "options">),
        options: options.filter((option) => option.kind !== "help").map(recorded),
    };
}

function answerOf(program: string, args: string[], input = ""): string {
    return execFileSync(program, args, {
        encoding: "utf8",
        input,
        maxBuffer: 64 << 20,
        stdio: ["pipe", "pipe", "inherit"],
    });
}
