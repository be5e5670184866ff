/**
 * Writes `patches/<release>/series.json` anew, for the releases given or for all that have a folder.
 *
 *     npm run series [RELEASE…]
 *
 * Needs python3 with pip, git, and a package index for a wheel that is not in the cache yet.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPatch, type Series } from "../knowledge/artifacts/patches.ts";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { applyPatch, treeSha256, unpackRelease } from "./patched-tree.ts";

function makeSeries(release: string): Series {
    const folder = `patches/${release}`;
    const files = readdirSync(join(packageRoot, folder)).filter((name) => name.endsWith(".patch"));
    files.sort();
    const scratch = mkdtempSync(join(tmpdir(), "sglang-series-"));
    try {
        unpackRelease(release, scratch);
        for (const file of files) {
            applyPatch(`${folder}/${file}`, scratch);
        }
        const patches = files.map((file) => ({ file, sha256: readPatch(`${folder}/${file}`).sha256 }));
        return { release, base: "site-packages", stripLevel: 1, treeSha256: treeSha256(scratch), patches };
    } finally {
        rmSync(scratch, { recursive: true });
    }
}

const named = process.argv.slice(2);
const releases = named.length > 0 ? named : readdirSync(join(packageRoot, "patches")).sort();
for (const release of releases) {
    const series = makeSeries(release);
    writeFileSync(join(packageRoot, "patches", release, "series.json"), `${JSON.stringify(series, null, 4)}\n`);
    console.log(`${release}: ${series.patches.length} patches, tree ${series.treeSha256.slice(0, 12)}`);
}
