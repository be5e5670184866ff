import { access, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { build } from "esbuild";
import { shortDigestOf } from "../../../knowledge/base/digest.ts";
import { packageJson, packageRoot } from "../../../knowledge/base/package-root.ts";

const executable = "pulumi-resource-command";
const wrapperMark = "# stand-in command plugin";

/** The command plugin that tests use: the real one where it is installed, else the stand-in. */
export interface CommandPlugin {
    kind: "real" | "stand-in";
    /** The folder to put on PATH. */
    path: string;
}

/**
 * The real plugin if it is on PATH or among the plugins of `$PULUMI_HOME` (`~/.pulumi`), else the stand-in, built on
 * first use.
 */
export async function commandPlugin(): Promise<CommandPlugin> {
    const home = process.env.PULUMI_HOME ?? join(process.env.HOME ?? "/", ".pulumi");
    const plugins = await readdir(join(home, "plugins")).catch(() => []);
    const installed = plugins.filter((name) => /^resource-command-v[\d.]+$/.test(name)).sort();
    const folders = [
        ...(process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
        ...installed.map((name) => join(home, "plugins", name)),
    ];
    for (const folder of folders) {
        if (await isRealPlugin(join(folder, executable))) {
            return { kind: "real", path: folder };
        }
    }
    return { kind: "stand-in", path: await installStandIn(join(packageRoot, "node_modules", ".cache")) };
}

async function isRealPlugin(file: string): Promise<boolean> {
    const content = await readFile(file).catch(() => undefined);
    return content !== undefined && !content.subarray(0, 100).includes(wrapperMark);
}

/**
 * Builds the stand-in plugin in a folder below `directory`, named by the digest of its sources, and returns that folder;
 * one that is there already is used as it is. The executable starts the checkout's own Node.
 */
export async function installStandIn(directory: string): Promise<string> {
    const node = join(packageRoot, "node_modules", ".bin", "node");
    const folder = join(directory, `command-plugin-${shortDigestOf({ node, sources: await sources() })}`);
    const built = await access(join(folder, executable)).then(
        () => true,
        () => false,
    );
    if (!built) {
        await mkdir(directory, { recursive: true });
        const fresh = await mkdtemp(`${folder}.`);
        await bundle(fresh);
        const server = join(folder, "server.cjs");
        const start = `exec '${node}' --disable-warning=ExperimentalWarning '${server}' "$@"`;
        await writeFile(join(fresh, executable), `#!/bin/sh\n${wrapperMark}\n${start}\n`);
        await chmod(fresh, 0o755);
        await chmod(join(fresh, executable), 0o755);
        await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
    }
    return folder;
}

function bundle(folder: string) {
    return build({
        entryPoints: [join(import.meta.dirname, "server.ts")],
        outfile: join(folder, "server.cjs"),
        bundle: true,
        format: "cjs",
        platform: "node",
        target: "node22",
        logLevel: "error",
    });
}

/** Everything that the bundle is made of: the files of this folder, and the versions of what they import. */
async function sources(): Promise<Record<string, string>> {
    const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".ts"));
    const files = names.map(async (name) => [name, await readFile(join(import.meta.dirname, name), "utf8")]);
    const packages = ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf"].map((name) => [
        name,
        packageJson<{ version: string }>(`node_modules/${name}/package.json`).version,
    ]);
    return Object.fromEntries([...(await Promise.all(files)), ...packages]);
}
