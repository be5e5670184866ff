/** The package as another project gets it: packed, installed in an empty folder, imported by a program, run by its command. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { Engine, type EngineResult } from "../support/engine.ts";
import { PackedPackage } from "../support/installed-package.ts";
import { policyLanguageHost } from "../support/policy-host/install.ts";

const run = promisify(execFile);
const example = join(packageRoot, "examples", "two-services");

let packed: PackedPackage;
let program: Record<string, string>;
beforeAll(async () => {
    packed = await PackedPackage.create();
    const names = await readdir(example);
    const texts = names.map(async (name) => [name, await readFile(join(example, name), "utf8")]);
    program = Object.fromEntries(await Promise.all(texts));
});
afterAll(() => packed?.remove());

test("the package holds what it needs at run time, and nothing of the tests or stacks", async () => {
    const paths = await packed.paths();
    expect(paths).toEqual(
        expect.arrayContaining([
            "LICENSE",
            "README.md",
            "agent/__main__.py",
            "agent/sglang_agent/cli.py",
            "dist/cli/main.js",
            "dist/index.d.ts",
            "dist/index.js",
            "facts/esc8000a-8x-rtxpro6000-server.json",
            "knowledge/sglang/data/options.json",
            "patches/0.5.23/series.json",
            "policy/PulumiPolicy.yaml",
        ]),
    );
    expect(
        paths.filter(
            (path) =>
                !/^(agent|dist|facts|knowledge\/.*\.json$|patches|policy)|^[A-Z]+(\.md)?$|^package\.json$/.test(path),
        ),
    ).toEqual([]);
    expect(paths.filter((path) => /__pycache__|\.pyc$|(?<!\.d)\.ts$|Pulumi\.|locks\//.test(path))).toEqual([]);
});

describe("the example program", () => {
    test.each([
        ["as an ES module", (manifest: object) => manifest],
        ["as CommonJS, checked and compiled by the SDK", (manifest: object) => ({ ...manifest, type: undefined })],
    ])("previews %s", async (title, change) => {
        const manifest = JSON.stringify(change(JSON.parse(program["package.json"]!)));
        const preview = await previewOf(title, { ...program, "package.json": manifest });
        expect(preview.code, preview.text).toBe(0);
        expect(created(preview)).toEqual([
            "command:remote:Command chat-node1-activate",
            "command:remote:Command chat-node1-intend",
            "command:remote:Command chat-node1-prepare",
            "command:remote:Command code-node1-activate",
            "command:remote:Command code-node1-intend",
            "command:remote:Command code-node1-prepare",
            "command:remote:Command minimax-node1-fetch",
            "command:remote:Command node1-agent",
            "command:remote:Command qwen35-node1-fetch",
            "command:remote:Command sglang-node1-build",
            "pulumi:pulumi:Stack two-services-lab",
            "sglang:index:Host node1",
            "sglang:index:InferenceService chat",
            "sglang:index:InferenceService code",
            "sglang:index:ModelCache minimax",
            "sglang:index:ModelCache qwen35",
            "sglang:index:PatchedBuild sglang",
        ]);
        expect(preview.text).toContain('code: "http://127.0.0.1:8001"');
    });

    test("with mistakes ends in one error that names each, without a stack trace", async () => {
        const index = program["index.ts"]!.replace(
            "placement: { ...placement, gpus: [4, 5, 6, 7] },",
            "placement: { ...placement, gpus: [4, 5, 6, 7] },\n    startupBudgetMinutes: -1,",
        ).replace("kvCache: { dtype: KvCacheDtype.Fp8E4m3 },\n    api: { port: 8001 }", "api: { port: 80_000 }");
        const preview = await previewOf("mistakes", { ...program, "index.ts": index });
        expect(preview.code).not.toBe(0);
        expect(preview.text).toMatch(
            /InferenceService "code" is not valid:\n +api\.port: .*\n +startupBudgetMinutes: /,
        );
        expect(preview.text).not.toMatch(/^ +at /m);
    });
});

describe("the command of the package", () => {
    let folder: string;
    const sglang = (...args: string[]) =>
        run(join(folder, "node_modules", ".bin", "pulumi-sglang"), args, { cwd: folder });
    beforeAll(async () => {
        const stack = await readFile(join(packageRoot, "Pulumi.blackwell.yaml"), "utf8");
        folder = await packed.installIn("command", { "services.yaml": stack });
    });

    test("plans a stack file", async () => {
        const { stdout } = await sglang("plan", "--file", "services.yaml", "--json");
        const plan = JSON.parse(stdout);
        expect(plan).toMatchObject({ refused: false, problems: [], services: [{ name: "qwen35", release: "0.5.16" }] });
        expect(plan.services[0].argv.join(" ")).toContain("--fp4-gemm-backend flashinfer_cudnn");
    });

    test("prints the rules, and the options of a release", async () => {
        const { rules } = JSON.parse((await sglang("rules", "--json")).stdout);
        expect(rules.length).toBeGreaterThan(20);
        const options = JSON.parse((await sglang("options", "0.5.23", "tp-size", "--json")).stdout);
        expect(options[0].names).toContain("--tp-size");
    });
});

describe("the policy pack of the package", () => {
    test("passes the example once it is pinned, and refuses a command by hand that trusts any machine", async () => {
        const pinned = program["index.ts"]!.replaceAll('NVFP4" })', `NVFP4", revision: "${"0123456789".repeat(4)}" })`);
        const passed = await withPolicies("policy-passed", { ...program, "index.ts": pinned });
        expect(passed.code, passed.text).toBe(0);
        expect(passed.text).toMatch(/✅ sglang@v\d/);

        const byHand = `
            import { remote } from "@pulumi/command";
            new remote.Command("by-hand", { connection: { host: "192.0.2.11" }, create: "true" });`;
        const refused = await withPolicies("policy-refused", { ...program, "index.ts": program["index.ts"]! + byHand });
        expect(refused.code).not.toBe(0);
        expect(refused.text).toMatch(/host-key-required +\(command:remote:Command: by-hand\)/);
        expect(refused.text).toMatch(/sources-pinned +\(sglang:index:ModelCache: minimax\)/);
        expect(refused.text.match(/\[(mandatory|advisory)\]/g)).toHaveLength(3);
    });
});

/** A preview under the pack: by the language host that is there, or by the stand-in where that cannot run packs. */
async function withPolicies(folder: string, files: Record<string, string>): Promise<EngineResult> {
    const standIn = await policyLanguageHost();
    const args = ["--policy-pack", "node_modules/pulumi-sglang/policy"];
    try {
        const own = await previewOf(folder, files, { args });
        return /policy pack .* failed to start: .*not supported/.test(own.text)
            ? await previewOf(`${folder}-standin`, files, { args, path: [standIn.folder] })
            : own;
    } finally {
        await standIn.remove();
    }
}

async function previewOf(
    folder: string,
    files: Record<string, string>,
    { args = [], path = [] }: { args?: string[]; path?: string[] } = {},
): Promise<EngineResult> {
    const engine = await Engine.create({ program: await packed.installIn(folder, files), path });
    try {
        await engine.stackInit("lab");
        return await engine.preview({ args });
    } finally {
        await engine.close();
    }
}

/** Types and names that a preview would create, sorted. */
function created({ text }: EngineResult): string[] {
    const lines = text.matchAll(/^ \+ +(\S+:\S+:\S+) (\S+) create/gm);
    return [...new Set([...lines].map(([, type, name]) => `${type} ${name}`))].toSorted();
}
