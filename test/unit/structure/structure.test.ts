/** The order of the house (`layers.ts`), kept by every import of every file. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { type Import, importsIn, importsOf, loadedBy, sourceFiles } from "./imports.ts";
import { layers, placementRows, pure, rooms } from "./layers.ts";

const files = sourceFiles(...layers.flat());

/** Imports among the rows of a folder that go up or sideways, each as `FILE imports FILE`. */
function wrongWay(rows: readonly (readonly string[])[], folder = "", imports = files.flatMap(importsOf)): string[] {
    const placeOf = (file: string) => {
        const name = file.startsWith(folder) ? file.slice(folder.length).split("/")[0]! : undefined;
        return { name, row: rows.findIndex((row) => name !== undefined && row.includes(name)) };
    };
    return imports.flatMap(({ from, to }) => {
        const [above, below] = [placeOf(from), placeOf(to)];
        const fine = above.name === below.name || above.row < below.row;
        return above.row < 0 || below.row < 0 || fine ? [] : [`${from} imports ${to}`];
    });
}

describe("every file has its place", () => {
    test("a file or folder that no row names stops here", () => {
        const named = (folder: string, rows: readonly (readonly string[])[]) => {
            const there = readdirSync(join(packageRoot, folder)).filter((name) => !name.startsWith("."));
            expect(there.toSorted()).toEqual(rows.flat().toSorted());
        };
        named("knowledge", rooms);
        named("placements", placementRows);
        expect(layers.flat().filter((name) => !existsSync(join(packageRoot, name)))).toEqual([]);
    });

    test("an import leads to a file that is there", () => {
        const lost = files
            .flatMap(importsOf)
            .filter(({ to }) => to.endsWith(".ts") && !existsSync(join(packageRoot, to)));
        expect(lost).toEqual([]);
    });
});

describe("imports go down", () => {
    test("between layers: stacks, cli, policy; components, deployment; placements; knowledge", () => {
        expect(wrongWay(layers)).toEqual([]);
    });

    test("between the rooms of knowledge", () => {
        expect(wrongWay(rooms, "knowledge/")).toEqual([]);
    });

    test("inside placements at run time: hosts know nothing of pools, nor pools of hosts", () => {
        const loads = files.flatMap(importsOf).filter((one) => one.loads);
        expect(wrongWay(placementRows, "placements/", loads)).toEqual([]);
        const kinds = [["hosts", "pool"]];
        expect(wrongWay(kinds, "placements/")).toEqual([]);
    });

    test("nothing that is shipped imports a test", () => {
        const tests = files.flatMap(importsOf).filter(({ to }) => to.startsWith("test/"));
        expect(tests).toEqual([]);
    });

    test("no file loads itself by way of others", () => {
        const circles = files.flatMap((file) =>
            importsOf(file)
                .filter(({ to, loads }) => loads && to.endsWith(".ts") && loadedBy(to).has(file))
                .map(({ to }) => `${file} imports ${to}, which loads it again: ${loadedBy(to).get(file)!.join(" > ")}`),
        );
        expect(circles).toEqual([]);
    });
});

test("what needs no engine loads nothing of Pulumi", () => {
    const wrong = files
        .filter((file) => pure.some((pattern) => pattern.test(file)))
        .flatMap((file) =>
            [...loadedBy(file)].filter(([to]) => to.startsWith("@pulumi/")).map(([, way]) => way.join(" > ")),
        );
    expect(wrong).toEqual([]);
});

describe("a violation is found", () => {
    const seen = (from: string, text: string): Import[] => importsIn(from, text);

    test("however it is written", () => {
        const text = [
            `import { a } from "../sglang/a.ts";`,
            `import "./b.ts";`,
            `export * from "@pulumi/pulumi";`,
            `import type { C } from "./c.ts";`,
            `import { type D } from "./d.ts";`,
            `const e = await import("./e.ts");`,
            `const f = createRequire(import.meta.url)("f") as typeof import("f");`,
        ].join("\n");
        expect(seen("knowledge/base/x.ts", text).map(({ to, loads }) => `${to} ${loads}`)).toEqual([
            ...["knowledge/sglang/a.ts true", "knowledge/base/b.ts true", "@pulumi/pulumi true"],
            ...["knowledge/base/c.ts false", "knowledge/base/d.ts true", "knowledge/base/e.ts true", "f true"],
        ]);
    });

    test("and named with its import", () => {
        const up = seen("knowledge/base/x.ts", `import type { A } from "../rules/rule.ts";`);
        expect(wrongWay(rooms, "knowledge/", up)).toEqual(["knowledge/base/x.ts imports knowledge/rules/rule.ts"]);
        const across = seen("placements/pool/x.ts", `import { a } from "../hosts/host.ts";`);
        expect(wrongWay(placementRows, "placements/", across)).toHaveLength(1);
        const layer = seen("knowledge/base/x.ts", `import { a } from "../../placements/index.ts";`);
        expect(wrongWay(layers, "", layer)).toHaveLength(1);
    });
});
