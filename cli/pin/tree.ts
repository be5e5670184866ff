import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import type { Planned } from "../../knowledge/contract/index.ts";

/** Brings the source to a folder, patches it with the agent's own code, and prints the agent's own digest of it. */
const program = `
import json, subprocess, sys, zipfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from sglang_agent import patches, tree
from sglang_agent.answer import AgentError
desired, folder = json.load(sys.stdin), Path(sys.argv[2])
run = lambda *words: subprocess.run(words, check=True, stdout=sys.stderr)
if desired["source"]["kind"] == "git":
    run("git", "init", "-q", str(folder))
    run("git", "-C", str(folder), "fetch", "-q", "--depth", "1", desired["source"]["repository"], desired["source"]["commit"])
    run("git", "-C", str(folder), "checkout", "-q", "FETCH_HEAD")
    package = folder / "python" / "sglang"
else:
    run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--python-version", desired["python"],
        *[word for minor in range(17, 36) for word in ("--platform", f"manylinux_2_{minor}_x86_64")],
        "--dest", str(folder), *(["--index-url", desired["indexUrl"]] if desired.get("indexUrl") else []), desired["source"]["requirement"])
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(folder)
    package = folder / "sglang"
try:
    patches.apply_all(desired["patches"], {"site-packages": folder, "repository": folder})
except AgentError as error:
    sys.exit(error.message)
print(tree.python_digest(package))
`;

/** The digest of a build's patched `sglang` package. Throws an Error with what pip, git or a patch said. */
export async function pinTree(desired: Planned<"build">): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "pin-"));
    try {
        const running = promisify(execFile)("python3", ["-c", program, join(packageRoot, "agent"), folder], {
            maxBuffer: 2 ** 26,
        });
        running.child.stdin!.end(JSON.stringify(desired));
        return (await running).stdout.trim();
    } catch (error) {
        const said = String((error as { stderr?: string }).stderr ?? (error as Error).message).trim();
        throw new Error(`the source cannot be patched: ${said.split("\n").slice(-3).join(" ")}`);
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}
