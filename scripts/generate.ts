/** Writes every file that is made from what the project knows; a test fails when one is stale. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { generated } from "./generated/index.ts";

for (const [path, text] of Object.entries(generated)) {
    writeFileSync(join(packageRoot, path), text());
}
