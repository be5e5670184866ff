/** Wheels in a folder that pip takes for a package index: the stand-in server's, and real ones downloaded before. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { testbedDirectory } from "./debian.ts";
import { run } from "./sh.ts";

/** One package of a lock. */
export interface LockedPackage {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly string[];
}

/** A folder in the layout of a package index. */
export interface Wheelhouse {
    readonly folder: string;
    /** Every wheel in it, by name. */
    readonly lock: readonly LockedPackage[];
}

/** The index as a host sees it; a `file:` URL is one that pip needs not be told to trust. */
export const indexUrl = "file:///srv/wheelhouse/simple";

/** The Python and platform of the hosts. */
const platform = [
    "3.11",
    "manylinux_2_36_x86_64",
    "manylinux_2_34_x86_64",
    "manylinux_2_28_x86_64",
    "manylinux_2_17_x86_64",
];

/** Fills a new folder: `standIns` are SGLang releases of the stand-in, `requirements` real packages (`alone`: without what they need). */
export function makeWheelhouse(
    folder: string,
    wanted: { standIns?: readonly string[]; requirements?: readonly string[]; alone?: readonly string[] },
): Wheelhouse {
    const wheels = join(folder, "wheels");
    mkdirSync(wheels, { recursive: true });
    for (const version of wanted.standIns ?? []) {
        run("python3", join(packageRoot, "test/support/standin-server/make-wheel.py"), wheels, version);
    }
    for (const requirement of wanted.requirements ?? []) {
        cpSync(downloaded(requirement), wheels, { recursive: true });
    }
    for (const requirement of wanted.alone ?? []) {
        cpSync(downloaded(requirement, "--no-deps"), wheels, { recursive: true });
    }
    return { folder, lock: writeIndex(folder) };
}

/** The folder with a requirement's wheels, downloaded once for all test runs on this machine. */
function downloaded(requirement: string, ...more: string[]): string {
    const folder = join(testbedDirectory, "wheels", [requirement, ...more].join(" "));
    if (!existsSync(join(folder, ".complete"))) {
        const [python, ...platforms] = platform;
        const target = ["--python-version", python!, ...platforms.flatMap((name) => ["--platform", name])];
        run(
            "python3",
            "-m",
            "pip",
            "download",
            "--quiet",
            "--only-binary",
            ":all:",
            ...target,
            ...more,
            "-d",
            folder,
            requirement,
        );
        writeFileSync(join(folder, ".complete"), "");
    }
    return folder;
}

function writeIndex(folder: string): LockedPackage[] {
    const wheels = readdirSync(join(folder, "wheels")).filter((name) => name.endsWith(".whl"));
    const lock = wheels.sort().map((file) => {
        const [name, version] = file.split("-") as [string, string];
        const sha256 = createHash("sha256")
            .update(readFileSync(join(folder, "wheels", file)))
            .digest("hex");
        return { file, name: name.replace(/[-_.]+/g, "-").toLowerCase(), version, sha256 };
    });
    for (const name of new Set(lock.map((one) => one.name))) {
        const links = lock
            .filter((one) => one.name === name)
            .map((one) => `<a href="../../wheels/${one.file}#sha256=${one.sha256}">${one.file}</a><br>\n`);
        mkdirSync(join(folder, "simple", name), { recursive: true });
        writeFileSync(join(folder, "simple", name, "index.html"), `<!DOCTYPE html>\n${links.join("")}`);
    }
    return lock.map(({ name, version, sha256 }) => ({ name, version, hashes: [`sha256:${sha256}`] }));
}
