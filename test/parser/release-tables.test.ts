import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { releases } from "../../knowledge/sglang/releases.ts";
import { readRelease } from "../../scripts/read-wheel.ts";
import { type Tables, tableOf, tableText, withRelease } from "../../scripts/release-tables.ts";

const text = (name: string) => readFileSync(join(packageRoot, `knowledge/sglang/data/${name}.json`), "utf8");
const committed: Tables = {
    releases: JSON.parse(text("releases")),
    options: JSON.parse(text("options")),
    architectures: JSON.parse(text("architectures")),
};
const oldest = releases()[0]!;
const newest = releases().at(-1)!;

test.each([oldest, "0.5.17", newest])("the tables of %s are what its wheel says", (version) => {
    const read = readRelease(version);
    const byName = (table: typeof read) => Object.fromEntries(table.options.map((option) => [option.names[0], option]));
    const recorded = tableOf(committed, version);
    expect(byName(recorded)).toEqual(byName(read));
    expect(recorded.pins).toEqual(read.pins);
    expect(recorded.architectures).toEqual(read.architectures);

    const again = withRelease(committed, version, read);
    for (const name of ["releases", "options", "architectures"] as const) {
        expect(tableText(again[name])).toBe(text(name));
    }
});
