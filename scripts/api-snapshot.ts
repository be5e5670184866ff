/**
 * Keeps the declarations that users of the package see in `docs/api.d.ts`, and only those, so that a change of the public
 * surface is a reviewed diff. `--check` compares instead of writing.
 *
 * Ends with a message when a declaration names something of this package that is not exported, or needs zod to be read.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { packageRoot } from "../knowledge/base/package-root.ts";

const target = join(packageRoot, "docs", "api.d.ts");
const emitted = mkdtempSync(join(tmpdir(), "api-"));
try {
    execFileSync("tsc", ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", emitted], {
        cwd: packageRoot,
        stdio: "inherit",
    });
    const { text, problems } = publicSurface(join(emitted, "index.d.ts"));
    if (!process.argv.includes("--check")) {
        writeFileSync(target, text);
    } else if (readFileSync(target, "utf8") !== text) {
        problems.push("The public surface has changed: run `npm run generate` and review docs/api.d.ts");
    }
    process.stderr.write(problems.map((problem) => `${problem}\n`).join(""));
    process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
    rmSync(emitted, { recursive: true });
}

/** Every exported declaration in alphabetical order, and what is wrong with them. */
function publicSurface(entry: string): { text: string; problems: string[] } {
    const program = ts.createProgram([entry], {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        typeRoots: [join(packageRoot, "node_modules", "@types")],
        types: ["node"],
    });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(entry)!;
    const exported = new Map(
        checker
            .getExportsOfModule(checker.getSymbolAtLocation(source)!)
            .map((symbol) => [symbol.name, aliased(symbol, checker)] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
    const own = new Set(exported.values());
    const problems = new Set<string>();
    const texts = [...exported].flatMap(([name, symbol]) =>
        (symbol.declarations ?? []).map((declaration) => {
            for (const stranger of strangers(declaration, checker, own)) {
                problems.add(`${name} names ${stranger}, which is not exported`);
            }
            const file = declaration.getSourceFile();
            if (/from "zod"/.test(file.text)) {
                problems.add(
                    `${name} is declared where zod is imported, whose declarations a user would have to check`,
                );
            }
            return statementText(declaration);
        }),
    );
    const head = "// The public surface, written by `npm run generate`.\n\n";
    return { text: head + texts.join("\n"), problems: [...problems] };
}

function aliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Names in a declaration that come from this package and are not exported by it. */
function strangers(node: ts.Node, checker: ts.TypeChecker, own: ReadonlySet<ts.Symbol>): string[] {
    const found: string[] = [];
    const visit = (inner: ts.Node): void => {
        if (ts.isTypeReferenceNode(inner) || ts.isExpressionWithTypeArguments(inner)) {
            const name = ts.isTypeReferenceNode(inner) ? inner.typeName : inner.expression;
            const symbol = checker.getSymbolAtLocation(name);
            const meant = symbol && aliased(symbol, checker);
            const [file] = meant?.declarations?.map((one) => one.getSourceFile().fileName) ?? [];
            if (meant && file?.startsWith(emitted) && !own.has(meant)) {
                found.push(name.getText());
            }
        }
        ts.forEachChild(inner, visit);
    };
    visit(node);
    return found;
}

/** A declaration with its documentation; of a constant the whole statement. */
function statementText(declaration: ts.Declaration): string {
    let node: ts.Node = declaration;
    while (ts.isVariableDeclaration(node) || ts.isVariableDeclarationList(node)) {
        node = node.parent;
    }
    return `${node.getFullText().trim()}\n`;
}
