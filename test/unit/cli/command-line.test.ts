/** The command line itself: help explains everything, a mistake is one line that says how it is right, and a verb loads no other. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { commandLine } from "../../../cli/command-line.ts";
import { verbs } from "../../../cli/verbs.ts";
import { packageJson, packageRoot } from "../../../knowledge/base/package-root.ts";

afterEach(() => vi.restoreAllMocks());

/** What is written to standard error when the words are given, and whether that is a mistake. */
async function said(...words: string[]): Promise<{ text: string; mistake: boolean }> {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const ended = (await commandLine(words[0]!).then(
        (program) => program.parseAsync(words, { from: "user" }).catch((error) => error),
        (error) => error,
    )) as { exitCode: number };
    return { text: written.mock.calls.map(([text]) => text).join(""), mistake: ended.exitCode !== 0 };
}

test.each([
    ["plna", /no verb "plna"; did you mean "plan"\?$/],
    ["frobnicate", /no verb "frobnicate"$/],
    ["constructor", /no verb "constructor"$/],
    ["plna --help", /no verb "plna"; did you mean "plan"\?$/],
    ["--jsn", /unknown option '--jsn'/],
    ["plan --wrte x", /unknown option '--wrte' \(Did you mean --write\?\)$/],
    ["rules --jsno", /unknown option '--jsno' \(Did you mean --json\?\)$/],
    ["plan extra", /too many arguments for 'plan'\. Expected 0 arguments but got 1: extra\.$/],
    ["topology a b", /too many arguments for 'topology'\. Expected 1 argument but got 2/],
    ["topology", /missing required argument 'FILE'$/],
    ["options", /missing required argument 'RELEASE'$/],
    ["facts", /missing required argument 'HOST'$/],
    ["plan -s", /option '-s, --stack <STACK>' argument missing$/],
    ["plan -s a --file b", /'--file <FILE>' cannot be used with option '-s, --stack <STACK>'$/],
    ["pin -s a --file b", /'--file <FILE>' cannot be used with option '-s, --stack <STACK>'$/],
    ["plan -s a --from-command b", /'--from-command <FILE>' cannot be used with option '-s, --stack <STACK>'$/],
    ["plan --file a --from-command b", /'--from-command <FILE>' cannot be used with option '--file <FILE>'$/],
    ["plan --release 1 --model-config x", /--release, --model-config can be given with --from-command only$/],
    ["logs -n many", /'many' is invalid\. It must be a whole number\.$/],
    ["logs -n 0", /'0' is invalid/],
])("%s is a mistake, in one line", async (words, line) => {
    const { text, mistake } = await said(...words.split(" "));
    expect(mistake).toBe(true);
    expect(text).toMatch(/^error: .*\n$/);
    expect(text.trimEnd()).toMatch(line);
});

describe.each(Object.keys(verbs))("the help of %s", (name) => {
    test("explains every option and argument, without colour, in 80 columns", async () => {
        const program = await commandLine(name);
        const verb = program.commands.find((command) => command.name() === name)!;
        const help = verb.helpInformation();
        expect(help).toMatch(new RegExp(`^Usage: pulumi-sglang ${name} `));
        expect([...verb.options, ...verb.registeredArguments].filter(({ description }) => !description)).toEqual([]);
        for (const { flags } of verb.options) {
            expect(help).toContain(`  ${flags} `);
        }
        expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
        expect(help).not.toContain("\u001b");
        for (const command of verb.commands) {
            const words = [...command.options, ...command.registeredArguments];
            expect(words.filter(({ description }) => !description)).toEqual([]);
            expect(command.helpInformation()).toMatch(new RegExp(`^Usage: pulumi-sglang ${name} ${command.name()} `));
            expect(
                command
                    .helpInformation()
                    .split("\n")
                    .filter((line) => line.length > 80),
            ).toEqual([]);
        }
    });
});

/** Runs the command in a process of its own and lists the modules that it loads. */
function modulesOf(...words: string[]): { stdout: string; modules: string[] } {
    const hooks = `import { registerHooks } from "node:module";
        const seen = [];
        registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
        process.on("exit", () => process.stderr.write(JSON.stringify(seen)));`;
    const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, join(packageRoot, "cli/main.ts"), ...words],
        { cwd: packageRoot, encoding: "utf8" },
    );
    return { stdout, modules: JSON.parse(stderr) };
}

test("plan loads no other verb and nothing of Pulumi", () => {
    const { stdout, modules } = modulesOf("plan", "-s", "blackwell", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ refused: false });
    expect(modules.some((url) => url.endsWith("/cli/plan.ts"))).toBe(true);
    const others = Object.keys(verbs).filter((name) => name !== "plan");
    const unwanted = new RegExp(`/cli/(${[...others, "remote-agent"].join("|")})\\.ts$|/node_modules/@pulumi/`);
    expect(modules.filter((url) => unwanted.test(url))).toEqual([]);
});

test("the version loads no verb", () => {
    const { stdout, modules } = modulesOf("--version");
    expect(stdout).toBe(`${packageJson<{ version: string }>("package.json").version}\n`);
    expect(modules.filter((url) => /\/cli\/(?!main|command-line|verbs)/.test(url))).toEqual([]);
});

test("help of a verb is asked for in three ways, and of all in four", () => {
    const main = join(packageRoot, "cli/main.ts");
    const ask = (...words: string[]) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: "utf8" });
        return `${status} ${stdout}${stderr}`;
    };
    const rules = ask("rules", "--help");
    expect(rules).toMatch(/^0 Usage: pulumi-sglang rules \[options\]\n/);
    expect([ask("rules", "-h"), ask("help", "rules")]).toEqual([rules, rules]);
    const all = ask();
    expect(all).toMatch(/^0 Usage: pulumi-sglang VERB …\n/);
    expect([ask("help"), ask("--help"), ask("-h")]).toEqual([all, all, all]);
    expect(ask("help", "rlues")).toBe('2 error: there is no verb "rlues"; did you mean "rules"?\n');
});
