import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { Engine } from "../support/engine.ts";

/** A TypeScript program that makes nothing, with the real engine: what every preview costs. */
export interface EmptyProgram {
    engine: Engine;
    close: () => Promise<void>;
}

/** The same project layout as this project's: an ES module in a folder below, its types stripped by Node. */
export async function emptyProgram(): Promise<EmptyProgram> {
    const folder = await mkdtemp(join(tmpdir(), "empty-"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: empty\nruntime: nodejs\nmain: index.ts\n");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    const source = 'import * as pulumi from "@pulumi/pulumi";\n\nexport const project: string = pulumi.getProject();\n';
    await writeFile(join(folder, "index.ts"), source);
    await symlink(join(packageRoot, "node_modules"), join(folder, "node_modules"));
    const engine = await Engine.create({ program: folder });
    await engine.stackInit("empty");
    const close = async () => {
        await engine.close();
        await rm(folder, { recursive: true, force: true });
    };
    return { engine, close };
}
