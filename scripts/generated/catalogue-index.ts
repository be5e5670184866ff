import { readdirSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../knowledge/base/package-root.ts";

/** Folder of the models' files. */
export const catalogueFolder = "knowledge/models/catalogue";

/**
 * Text of the catalogue's index: every file beside it. Written down rather than read from the folder when the library
 * starts, which takes as long (0.12 s each) and neither a bundler nor a test runner can follow.
 */
export function catalogueIndex(): string {
    const files = readdirSync(join(packageRoot, catalogueFolder)).filter((name) => name !== "index.ts");
    const names = files.toSorted().map((file) => [file.replace(/\.ts$/, "").replaceAll(/\W/g, "_"), file] as const);
    return [
        "// biome-ignore-all assist/source/organizeImports: in the order of the folder",
        "// Generated from the files beside it by `npm run generate`; do not edit.",
        "",
        ...names.map(([name, file]) => `import * as ${name} from "./${file}";`),
        "",
        "/** Every file of the catalogue. */",
        "export const catalogue: readonly object[] = [",
        ...names.map(([name]) => `    ${name},`),
        "];",
        "",
    ].join("\n");
}
