import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fromJSONSchema, safeParse } from "zod";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { generated } from "../../../scripts/generated/index.ts";
import { editorSchema } from "../../../scripts/generated/stack-file.ts";

test.each(Object.entries(generated))("%s is up to date; else run `npm run generate`", (path, text) => {
    expect(readFileSync(join(packageRoot, path), "utf8")).toBe(text());
});

describe("the editor's schema", () => {
    const schema = fromJSONSchema(JSON.parse(editorSchema()));
    const stacks = readdirSync(packageRoot).filter((name) => /^Pulumi\..+\.yaml$/.test(name));
    const read = (name: string) => parse(readFileSync(join(packageRoot, name), "utf8"));

    test.each(stacks)("takes %s", (name) => {
        expect(safeParse(schema, read(name))).toMatchObject({ success: true });
    });

    test("refuses a misspelled key", () => {
        const stack = read(stacks[0]!);
        const [deployment] = Object.values<{ services: Record<string, object> }>(stack.config);
        Object.assign(Object.values(deployment!.services)[0]!, { bakends: {} });
        expect(safeParse(schema, stack)).toMatchObject({ success: false });
    });
});
