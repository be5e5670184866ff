/** Compiles the package into `dist/`: JavaScript and declarations, nothing else. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";

rmSync(join(packageRoot, "dist"), { recursive: true, force: true });
execFileSync("tsc", ["-p", join(packageRoot, "tsconfig.build.json")], { cwd: packageRoot, stdio: "inherit" });
