import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../knowledge/base/package-root.ts";

const run = promisify(execFile);

/** This package packed, and folders in which it is installed. */
export class PackedPackage {
    readonly #folder: string;
    readonly #tarball: string;

    private constructor(folder: string, tarball: string) {
        this.#folder = folder;
        this.#tarball = tarball;
    }

    /** `npm pack`, which builds first. Raises an error with what npm said. */
    static async create(): Promise<PackedPackage> {
        const folder = await mkdtemp(join(tmpdir(), "packed-"));
        const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: packageRoot });
        const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as [{ filename: string }];
        return new PackedPackage(folder, join(folder, filename));
    }

    async remove(): Promise<void> {
        await rm(this.#folder, { recursive: true, force: true });
    }

    /**
     * A folder with the package unpacked into `node_modules` and its command linked, as npm does. What it depends on are
     * links to this checkout's packages, so that no registry is needed.
     */
    async installIn(name: string, files: Record<string, string>): Promise<string> {
        const folder = join(this.#folder, name);
        const modules = join(folder, "node_modules");
        const installed = join(modules, "pulumi-sglang");
        await mkdir(join(modules, ".bin"), { recursive: true });
        for (const dependency of await readdir(join(packageRoot, "node_modules"))) {
            if (!dependency.startsWith(".")) {
                await symlink(join(packageRoot, "node_modules", dependency), join(modules, dependency));
            }
        }
        await mkdir(installed);
        await run("tar", ["-xzf", this.#tarball, "--strip-components=1", "-C", installed]);
        await chmod(join(installed, "dist/cli/main.js"), 0o755);
        await symlink("../pulumi-sglang/dist/cli/main.js", join(modules, ".bin", "pulumi-sglang"));
        await cp(join(installed, "facts"), join(folder, "facts"), { recursive: true });
        for (const [path, text] of Object.entries(files)) {
            await writeFile(join(folder, path), text);
        }
        return folder;
    }

    /** Paths in the tarball. */
    async paths(): Promise<string[]> {
        const { stdout } = await run("tar", ["-tzf", this.#tarball]);
        return stdout
            .trim()
            .split("\n")
            .map((path) => path.replace(/^package\//, ""));
    }
}
