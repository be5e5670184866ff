import type { Companion, Found } from "../found.ts";
import { open } from "../open.ts";
import { runShell } from "../shell/run.ts";
import { together } from "./argv.ts";

/** Whether a text is a Makefile: a target with a recipe below it. */
export function isMakefile(text: string): boolean {
    return /^[\w./-]+(?:[ \t]+[\w./-]+)*[ \t]*:(?![=:])[^\n]*\n(?:[ \t]*#[^\n]*\n)*\t/m.test(text);
}

/** The servers of a Makefile, each under the name of its target. */
export function readMakefile(text: string, read: Companion): Found {
    const variables = new Map<string, string>();
    const exported = new Set<string>();
    const recipes = new Map<string, string[]>();
    const assumed: { note: string; value?: string }[] = [];
    let target: string | undefined;
    for (const line of text
        .replaceAll("\r\n", "\n")
        .replaceAll(/\\\n(?!\t)[ \t]*/g, " ")
        .split("\n")) {
        if (line.startsWith("\t") && target !== undefined) {
            recipes.get(target)!.push(line.slice(1));
            continue;
        }
        const assignment = /^[ ]*(export[ \t]+)?([A-Za-z_]\w*)[ \t]*(\?|:{1,3}|\+)?=[ \t]*(.*?)[ \t]*(?:#.*)?$/.exec(
            line,
        );
        const rule = /^([^\s:=#][^:=#]*):(?!=)/.exec(line);
        if (assignment) {
            const [, exports, name, sign, value] = assignment;
            if (sign === "?" && !variables.has(name!)) {
                assumed.push({ note: `${name} is taken as ${value}, its default`, value: value! });
            }
            if (sign !== "?" || !variables.has(name!)) {
                const before = sign === "+" ? `${variables.get(name!) ?? ""} ` : "";
                variables.set(name!, `${before}${sign?.startsWith(":") ? filled(value!, variables) : value}`.trim());
            }
            if (exports) {
                exported.add(name!);
            }
        } else if (/^export[ \t]+\w/.test(line)) {
            line.split(/\s+/)
                .slice(1)
                .forEach((name) => void exported.add(name));
        } else if (rule) {
            target = rule[1]!.trim().split(/\s+/)[0]!;
            recipes.set(target, recipes.get(target) ?? []);
        }
    }
    const value = (name: string) => filled(variables.get(name) ?? "", variables);
    const environment = Object.fromEntries(
        [...exported].filter((name) => variables.has(name)).map((name) => [name, value(name)]),
    );
    const found = [...recipes].flatMap(([name, lines]) => {
        const own = new Map([...variables, ["@", name]]);
        const script = lines.map((line) => filled(line.replace(/^[@+-]+/, ""), own)).join("\n");
        const inside = runShell(script, { origin: "this file", environment, positional: [], read });
        const launches = inside.launches.map((launch) => ({ ...launch, place: `target ${name}` }));
        return /sglang/.test(script) ? [{ ...inside, launches }] : [];
    });
    const all = together(found);
    return { ...all, assumed: [...assumed, ...all.assumed] };
}

/** `$(NAME)` and `${NAME}` with their values; `$$` is the shell's sign; functions of make are open. */
function filled(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
    return text.replaceAll(
        /\$\$|\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\$\{([^{}]*)\}|\$([@<^*])/g,
        (sign, round?: string, curly?: string, short?: string) => {
            if (sign === "$$") {
                return "$";
            }
            const name = (round ?? curly ?? short)!.trim();
            const value = variables.get(name);
            if (value === undefined || depth > 10) {
                return open(
                    sign,
                    /^\w+$/.test(name) ? `${sign} is not set in this file` : `${sign} is known only to make`,
                );
            }
            return filled(value, variables, depth + 1);
        },
    );
}
