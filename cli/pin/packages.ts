import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import type { BuildFields } from "../../knowledge/fields/build.ts";
import type { LockedBuild } from "../../knowledge/records/lock.ts";

/** What `pip install --report` says, as far as it is needed. */
const reportSchema = z.object({
    install: z.array(
        z.object({
            metadata: z.object({ name: z.string(), version: z.string() }),
            download_info: z.object({ archive_info: z.object({ hashes: z.record(z.string(), z.string()) }) }),
        }),
    ),
});

/** Every tag that glibc 2.35 (Ubuntu 22.04) runs: pip takes each by name only, and wheels use odd ones such as `2_18`. */
const platforms = [
    "manylinux2014_x86_64",
    ...Array.from({ length: 35 - 17 + 1 }, (_, index) => `manylinux_2_${17 + index}_x86_64`),
];

/** Lets pip resolve a release for the build's Python, without installing anything. Throws an Error with pip's last line. */
export async function pinPackages(build: Omit<BuildFields, "patches" | "image">): Promise<LockedBuild["packages"]> {
    const wanted = Object.entries(build.versions).map(([name, version]) => `${name}==${version}`);
    const argv = ["-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"];
    argv.push("--only-binary=:all:", "--target", "unused", "--python-version", build.python);
    argv.push(...platforms.flatMap((platform) => ["--platform", platform]));
    argv.push(...(build.indexUrl ? ["--index-url", build.indexUrl] : []), `sglang==${build.release}`, ...wanted);
    const run = promisify(execFile);
    const { stdout } = await run("python3", argv, { maxBuffer: 256 * 2 ** 20 }).catch((error) => {
        const last = String(error.stderr ?? error.message)
            .trim()
            .split("\n")
            .at(-1);
        throw new Error(`pip cannot resolve sglang==${build.release} for Python ${build.python}: ${last}`);
    });
    return reportSchema
        .parse(JSON.parse(stdout))
        .install.map(({ metadata, download_info }) => ({
            name: metadata.name.toLowerCase().replaceAll(/[-_.]+/g, "-"),
            version: metadata.version,
            hashes: Object.entries(download_info.archive_info.hashes).map(([kind, value]) => `${kind}:${value}`),
        }))
        .filter(({ name }) => !(build.source && name === "sglang"))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
}
