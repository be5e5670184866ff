/**
 * Adds releases of SGLang to the tables in `knowledge/sglang/data`, or reads them again.
 *
 *     node scripts/add-release.ts 0.5.24            one release, or several
 *     node scripts/add-release.ts --all             every recorded release again
 *
 * Needs Python 3.11 or newer with pip; wheels stay in `$XDG_CACHE_HOME/pulumi-sglang`. Review the diff, then run the tests.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { isVersion } from "../knowledge/base/version.ts";
import { readRelease } from "./read-wheel.ts";
import { type Tables, tableText, withRelease } from "./release-tables.ts";

const folder = join(packageRoot, "knowledge/sglang/data");
const names = ["releases", "options", "architectures"] as const;
const pathOf = (name: string) => join(folder, `${name}.json`);
const read = (name: string) => (existsSync(pathOf(name)) ? JSON.parse(readFileSync(pathOf(name), "utf8")) : {});

let tables = Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as Tables;
const asked = process.argv.slice(2);
const versions = asked[0] === "--all" ? Object.keys(tables.releases) : asked;
if (versions.length === 0 || !versions.every(isVersion)) {
    console.error("usage: node scripts/add-release.ts VERSION... | --all");
    process.exit(2);
}
for (const version of versions) {
    tables = withRelease(tables, version, readRelease(version));
    console.log(`read ${version}`);
}
for (const name of names) {
    writeFileSync(pathOf(name), tableText(tables[name]));
}
