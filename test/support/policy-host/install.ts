import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { findOnPath } from "../engine.ts";

/** A folder for PATH with the stand-in in front of the language host that is there. */
export async function policyLanguageHost(): Promise<{ folder: string; remove: () => Promise<void> }> {
    const folder = await mkdtemp(join(tmpdir(), "language-host-"));
    const node = join(packageRoot, "node_modules", ".bin", "node");
    const words = [node, "--disable-warning=ExperimentalWarning", join(import.meta.dirname, "language-host.ts")];
    const command = [...words, findOnPath("pulumi-language-nodejs")].map((word) => `'${word}'`).join(" ");
    const file = join(folder, "pulumi-language-nodejs");
    await writeFile(file, `#!/bin/sh\nexec ${command} "$@"\n`);
    await chmod(file, 0o755);
    return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
