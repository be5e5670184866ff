/**
 * Documents as they are sent and mounted, against test/fixtures/documents: a change of one is a difference to review.
 * `npm run golden` records them anew.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { exampleDocuments } from "./example-documents.ts";

const folder = join(packageRoot, "test", "fixtures", "documents");
const examples = await exampleDocuments();

if (process.env.RECORD_GOLDEN) {
    for (const [place, document] of examples) {
        mkdirSync(dirname(join(folder, place)), { recursive: true });
        writeFileSync(join(folder, `${place}.json`), text(document));
    }
}

function text(document: object): string {
    return `${JSON.stringify(document, null, 4)}\n`;
}

test("there is a recorded document for each that is made, and no other", () => {
    const recorded = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".json"),
    );
    expect(recorded.toSorted()).toEqual([...examples.keys()].map((place) => `${place}.json`).toSorted());
});

test.each([...examples])("%s is as it was recorded", (place, document) => {
    expect(text(document)).toBe(readFileSync(join(folder, `${place}.json`), "utf8"));
});
