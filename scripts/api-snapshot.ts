/**
 * Keeps the declarations that users of the package see in `docs/api.d.ts`, so that a change of the public surface is a
 * reviewed diff. `--check` compares instead of writing.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";

const target = join(packageRoot, "docs", "api.d.ts");
const emitted = mkdtempSync(join(tmpdir(), "api-"));
try {
    execFileSync("tsc", ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", emitted], {
        cwd: packageRoot,
    });
    const text = declarations(join(emitted, "index.d.ts"), new Set());
    if (!process.argv.includes("--check")) {
        writeFileSync(target, text);
    } else if (readFileSync(target, "utf8") !== text) {
        process.stderr.write(
            "The public surface has changed: run `node scripts/api-snapshot.ts` and review docs/api.d.ts\n",
        );
        process.exitCode = 1;
    }
} finally {
    rmSync(emitted, { recursive: true });
}

/** The entry point's declarations and those of every file of the package that they come from, in order of first mention. */
function declarations(file: string, seen: Set<string>): string {
    seen.add(file);
    const text = readFileSync(file, "utf8");
    const imported = [...text.matchAll(/from "(\.[^"]+)"/g)]
        .map(([, path]) => resolve(dirname(file), path!.replace(/\.[jt]s$/, ".d.ts")))
        .filter((path) => /\/(components|placements)\//.test(path) || path.endsWith("facts.d.ts"));
    const own = `// ${relative(emitted, file)}\n${text}`;
    return [
        own,
        ...imported.filter((path) => !seen.has(path)).map((path) => (seen.has(path) ? "" : declarations(path, seen))),
    ].join("\n");
}
