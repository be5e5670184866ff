import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** Texts that are reviewed as diffs: whole, below `test/fixtures/golden/`. */
const folder = join(packageRoot, "test/fixtures/golden");

/** The one command that records them anew. */
const recordCommand = "npm run golden";

/** Compares a text with the one that was recorded, or records it. */
export function expectGolden(name: string, text: string): void {
    if (process.env.RECORD_GOLDEN) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, name), text);
        return;
    }
    const recorded = goldenFiles().includes(name) ? readFileSync(join(folder, name), "utf8") : "";
    const advice = `test/fixtures/golden/${name} is another text; if it should be, run \`${recordCommand}\` and review the diff`;
    expect(text, advice).toBe(recorded);
}

/** Names of all recorded texts. */
export function goldenFiles(): string[] {
    return readdirSync(folder).sort();
}
