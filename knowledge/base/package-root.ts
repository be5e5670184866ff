import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of this package: the nearest one above this file with a `package.json`, in a checkout and in an installed package alike. */
export const packageRoot: string = (() => {
    let folder = dirname(fileURLToPath(import.meta.url));
    while (!existsSync(join(folder, "package.json"))) {
        folder = dirname(folder);
    }
    return folder;
})();

/** Reads a JSON file that ships with the package, named from its root. */
export function packageJson<T>(path: string): T {
    return JSON.parse(readFileSync(join(packageRoot, path), "utf8")) as T;
}
