/** The published SGLang wheel, unpacked and patched in a folder of its own, for `make-series.ts` and for the tests. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { wheelPackage } from "./read-wheel.ts";

/** Unpacks the Python files of a release's published wheel into an empty folder, downloading it when the cache lacks it. */
export function unpackRelease(release: string, folder: string): void {
    mkdirSync(folder, { recursive: true });
    execFileSync("python3", ["-m", "zipfile", "-e", wheelPackage(release), folder]);
}

/** Applies one patch with `git apply`, which takes all of it or nothing and allows no fuzz. Throws an Error with git's words. */
export function applyPatch(path: string, folder: string): void {
    gitApply([], path, folder);
}

/** Whether a patch would apply to the folder as it is. */
export function applies(path: string, folder: string): boolean {
    try {
        gitApply(["--check"], path, folder);
        return true;
    } catch {
        return false;
    }
}

function gitApply(options: readonly string[], path: string, folder: string): void {
    execFileSync("git", ["apply", "--whitespace=nowarn", "-p1", ...options, join(packageRoot, path)], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
    });
}

/** Tree hash of the `sglang` package in a folder, as `knowledge/patches.ts` defines it. */
export function treeSha256(folder: string): string {
    const entries = readdirSync(join(folder, "sglang"), { recursive: true, withFileTypes: true });
    const paths = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith(".py"))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
    paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const hash = createHash("sha256");
    for (const path of paths) {
        const content = createHash("sha256")
            .update(readFileSync(join(folder, path)))
            .digest("hex");
        hash.update(`${path}\0${content}\n`);
    }
    return hash.digest("hex");
}
