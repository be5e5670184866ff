/** Reads a published SGLang wheel: options, pins, model classes. Needs Python 3.11 or newer with pip (`PYTHON` names another one than `python3`). */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../knowledge/package-root.ts";
import { type RawOption, type ReleaseTable, recorded } from "./release-tables.ts";

/** Where wheels and the parser's own requirements are kept between runs: outside the repository. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pulumi-sglang");

const python = process.env.PYTHON ?? "python3";
const requirements = join(packageRoot, "scripts/parser-requirements.txt");

/** What `scripts/wheel.py` tells of a release. */
interface Wheel {
    /** Path of the package that Python can import. */
    readonly package: string;
    readonly pins: ReleaseTable["pins"];
    readonly architectures: string[];
}

/** Downloads the wheel of a release, unless it is cached, and reads what it says of itself. */
export function fetchWheel(version: string): Wheel {
    const script = join(packageRoot, "scripts/wheel.py");
    return JSON.parse(answerOf(python, [script, version, join(cacheFolder, "wheels")])) as Wheel;
}

/** Python with the three packages that SGLang's parser needs for real, made on first use. */
function parserPython(): string {
    const folder = join(cacheFolder, "parser-python");
    const own = join(folder, "bin/python");
    const complete = join(folder, "complete");
    if (!existsSync(complete)) {
        mkdirSync(cacheFolder, { recursive: true });
        answerOf(python, ["-m", "venv", "--clear", folder]);
        answerOf(own, ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
        mkdirSync(complete);
    }
    return own;
}

/** Runs SGLang's real parser on the package; `mode` and the answer are those of `parser_harness.py`. */
export function runParser<T>(mode: "options" | "check", packagePath: string, input = ""): T {
    const harness = join(packageRoot, "agent/sglang_agent/parser_harness.py");
    return JSON.parse(answerOf(parserPython(), ["-I", harness, mode, "--package", packagePath, "--stubs"], input)) as T;
}

/** All that is recorded of a release, read from its wheel. */
export function readRelease(version: string): ReleaseTable {
    const wheel = fetchWheel(version);
    const { options } = runParser<{ options: RawOption[] }>("options", wheel.package);
    return {
        options: options.filter((option) => option.kind !== "help").map(recorded),
        pins: wheel.pins,
        architectures: wheel.architectures,
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
