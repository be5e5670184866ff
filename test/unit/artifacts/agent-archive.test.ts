/** The agent's archive: small, the same everywhere, named by its content, and run by Python as it is. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentArchive, packed } from "../../../knowledge/artifacts/agent-archive.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

const files = { "b/two.py": strToU8("print(2)\n".repeat(50)), "__main__.py": strToU8("import b.two\n") };
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "archive-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("holds every file, in the order of the names, whatever the order given", () => {
    const { base64 } = packed(files);
    const found = unzipSync(bytesOf(base64));
    expect(Object.keys(found)).toEqual(["__main__.py", "b/two.py"]);
    expect(strFromU8(found["b/two.py"]!)).toBe("print(2)\n".repeat(50));
    expect(packed(Object.fromEntries(Object.entries(files).toReversed()))).toEqual(packed(files));
});

test("is named by names and contents alone: this digest may change with neither library nor level", () => {
    expect(packed(files).digest).toBe("640ecfbe82c94aa4");
    expect(packed({ ...files, "b/two.py": strToU8("print(3)\n") }).digest).not.toBe(packed(files).digest);
    expect(packed({ ...files, "b/three.py": strToU8("") }).digest).not.toBe(packed(files).digest);
});

test("is the same bytes in another time zone and locale, and less than half of what it holds", () => {
    const module = join(packageRoot, "knowledge/artifacts/agent-archive.ts");
    const program = `import { agentArchive } from ${JSON.stringify(module)}; console.log(JSON.stringify(agentArchive()));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
        env: { PATH: process.env.PATH!, TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8" },
        encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toEqual(agentArchive());
    const bytes = bytesOf(agentArchive().base64);
    const held = Object.values(unzipSync(bytes)).reduce((sum, { length }) => sum + length, 0);
    expect(bytes.length).toBeLessThan(held / 2);
});

test("is run by Python alone, which reads its resources out of it", () => {
    const archive = join(folder, "agent.pyz");
    writeFileSync(archive, bytesOf(agentArchive().base64));
    const python = (...argv: string[]) => spawnSync("python3", ["-I", ...argv], { encoding: "utf8", input: "{}" });
    const program = [
        "import sys",
        "sys.path.insert(0, sys.argv[1])",
        "from sglang_agent import archive",
        "assert archive.content() == open(sys.argv[1], 'rb').read()",
        "print(archive.resource('hub_client.py'))",
    ].join("\n");
    const read = python("-c", program, archive);
    expect(read.stderr).toBe("");
    expect(read.stdout).toContain("import");
    expect(python(archive, "no-such-verb").stdout + python(archive, "no-such-verb").stderr).toContain("no-such-verb");
});
