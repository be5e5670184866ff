import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { areas } from "../../../knowledge/rules/index.ts";

const folder = join(packageRoot, "knowledge/rules/table");
const files = readdirSync(folder).filter((name) => !["index.ts", "shared.ts"].includes(name));

test.each(files)("%s is in the order of areas, in knowledge/rules/table/index.ts", async (name) => {
    const exported = Object.values<unknown>(await import(join(folder, name)));
    expect(areas.filter((area) => exported.includes(area))).toHaveLength(1);
});
