import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** One import of a file. */
export interface Import {
    /** The file that imports, from the package root. */
    readonly from: string;
    /** What it imports: a file from the package root, or a package by its name. */
    readonly to: string;
    /** False for `import type`, of which nothing is left at run time. */
    readonly loads: boolean;
}

/** Every TypeScript file of some folders, or of some single files. */
export function sourceFiles(...places: string[]): string[] {
    return places.flatMap((place) =>
        place.endsWith(".ts")
            ? [place]
            : readdirSync(join(packageRoot, place), { recursive: true, encoding: "utf8" })
                  .map((name) => posix.join(place, name.replaceAll("\\", "/")))
                  .filter((name) => name.endsWith(".ts"))
                  .sort(),
    );
}

const known = new Map<string, readonly Import[]>();

/** What a file imports: statements, `import(…)` and `require(…)`. */
export function importsOf(from: string): readonly Import[] {
    const found = known.get(from) ?? importsIn(from, readFileSync(join(packageRoot, from), "utf8"));
    known.set(from, found);
    return found;
}

/** What a text imports, as if it were a file. */
export function importsIn(from: string, text: string): Import[] {
    const found: Import[] = [];
    const add = (name: string, loads: boolean) => {
        const to = name.startsWith(".") ? posix.join(dirname(from), name) : name;
        found.push({ from, to, loads });
    };
    const visit = (node: ts.Node) => {
        if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
            add(node.moduleSpecifier.text, node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword);
        } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
            add(node.moduleSpecifier.text, !node.isTypeOnly);
        } else if (ts.isCallExpression(node) && loaders.test(node.expression.getText(file))) {
            const [name] = node.arguments;
            if (name && ts.isStringLiteral(name)) {
                add(name.text, true);
            }
        }
        ts.forEachChild(node, visit);
    };
    const file = ts.createSourceFile(from, text, ts.ScriptTarget.Latest, true);
    visit(file);
    return found;
}

const loaders = /^(import|require|createRequire\(.*\))$/;

/** Every file that a file loads at run time, itself and what its imports load included, each with the way to it. */
export function loadedBy(file: string): Map<string, readonly string[]> {
    const ways = new Map<string, readonly string[]>([[file, [file]]]);
    for (const [at, way] of ways) {
        for (const { to, loads } of at.endsWith(".ts") ? importsOf(at) : []) {
            if (loads && !ways.has(to)) {
                ways.set(to, [...way, to]);
            }
        }
    }
    return ways;
}
