/** A preview of the shipped pool example for review: no cluster is there, or none answers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { Engine, projectCopy } from "../support/engine.ts";

let engine: Engine;
let folder: string;

beforeAll(async () => {
    folder = await projectCopy(mkdtempSync(join(tmpdir(), "preview-")));
    engine = await Engine.create({ program: folder });
    await engine.stackInit("pool");
});

afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
});

/** A kubeconfig whose server nobody runs. */
function unreachable(): string {
    const path = join(folder, "nobody.kubeconfig");
    const named = { name: "nobody" };
    const config = {
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ ...named, cluster: { server: "https://127.0.0.1:1" } }],
        contexts: [{ ...named, context: { cluster: "nobody", user: "nobody" } }],
        "current-context": "nobody",
        users: [{ ...named, user: {} }],
    };
    writeFileSync(path, stringify(config));
    return path;
}

it.each([
    ["without a kubeconfig", () => "/nowhere"],
    ["without a cluster that answers", unreachable],
])("a preview shows every object %s", async (_, kubeconfig) => {
    const result = await engine.preview({ env: { KUBECONFIG: kubeconfig() } });
    expect(result.code, result.text).toBe(0);
    for (const name of ["Deployment glm5-server", "Deployment qwen35-server", "PersistentVolumeClaim glm5-weights"]) {
        expect(result.text).toContain(name);
    }
});

it("an update refuses what is not pinned and has no image", async () => {
    const result = await engine.up({ env: { KUBECONFIG: unreachable() } });
    expect(result.code).not.toBe(0);
    expect(result.text).toContain("a pool needs an image by digest");
});
