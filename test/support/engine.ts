import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { commandPlugin } from "./command-plugin/install.ts";

/** What one run of the CLI did. The texts are without the engine's remarks about plugins that it found on PATH. */
export interface EngineResult {
    code: number;
    stdout: string;
    stderr: string;
    /** Both, as a user would have read them. */
    text: string;
    /** Each event of the run, one JSON document a line, less debug messages, which hold secrets in clear. */
    eventLog: string;
}

export interface RunOptions {
    /** More arguments for the CLI. */
    args?: string[];
    /** More environment for this run. */
    env?: Record<string, string>;
    /** Gets the CLI's process when it runs, to interrupt it. */
    onStart?: (child: ChildProcess) => void;
}

export interface EngineOptions {
    /** The folder of the program, with its `Pulumi.yaml`. The CLI writes its stack settings there. */
    program: string;
    /** Environment of every run, besides what the CLI itself needs. */
    env?: Record<string, string>;
    /** Folders to look in first for programs and plugins. */
    path?: string[];
}

/** A step of a preview, as far as tests look at it (`pulumi preview --json`). */
export interface PreviewStep {
    op: string;
    urn: string;
    detailedDiff?: Record<string, { kind: string; inputDiff: boolean }> | null;
    replaceReasons?: string[];
    oldState?: { type: string; inputs?: Record<string, unknown>; outputs?: Record<string, unknown> };
    newState?: { type: string; inputs?: Record<string, unknown>; outputs?: Record<string, unknown> };
}

/** A stack's state (`pulumi stack export`). */
export interface StackState {
    deployment: { resources?: { type: string; urn: string; inputs?: object; outputs?: object }[] };
}

/** The programs that a run with the real engine needs on PATH. */
const needed = ["pulumi", "pulumi-language-nodejs"];

/** Why the real engine cannot run here, or nothing when it can. */
export function engineAvailable(): string | undefined {
    const missing = needed.filter((name) => findOnPath(name) === undefined);
    return missing.length === 0 ? undefined : `not on PATH: ${missing.join(", ")}`;
}

/** The first executable file of that name on this process's PATH. */
export function findOnPath(name: string): string | undefined {
    const files = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
    return files.find((file) => {
        try {
            accessSync(file, constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });
}

/**
 * A copy of this project that the CLI can run in without a trace in the checkout: links to the code, and files of its
 * own for what the CLI or a test writes (stack settings, locks, facts).
 */
export async function projectCopy(folder: string): Promise<string> {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(packageRoot)) {
        if (/^(Pulumi\..*yaml|locks|facts)$/.test(name)) {
            await cp(join(packageRoot, name), join(folder, name), { recursive: true });
        } else if (name === "stacks") {
            await cp(join(packageRoot, name), join(folder, name), { recursive: true });
        } else if (name !== ".git") {
            await symlink(join(packageRoot, name), join(folder, name));
        }
    }
    return folder;
}

/** The real Pulumi CLI, on one program, with a home, a file backend and an event log of its own in a temporary folder. */
export class Engine {
    readonly #options: EngineOptions;
    readonly #folder: string;
    readonly #environment: Record<string, string>;
    #stack = "";
    #runs = 0;

    private constructor(options: EngineOptions, folder: string, plugin: string) {
        this.#options = options;
        this.#folder = folder;
        const node = join(packageRoot, "node_modules", ".bin");
        this.#environment = {
            PATH: [...(options.path ?? []), node, plugin, process.env.PATH ?? ""].join(delimiter),
            HOME: folder,
            LANG: "C.UTF-8",
            TMPDIR: tmpdir(),
            PULUMI_HOME: join(folder, "home"),
            PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
            PULUMI_CONFIG_PASSPHRASE: "passphrase of a test",
            PULUMI_SKIP_UPDATE_CHECK: "1",
            PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "1",
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "1",
            PULUMI_DEBUG_COMMANDS: "1",
            ...options.env,
        };
    }

    static async create(options: EngineOptions): Promise<Engine> {
        const folder = await mkdtemp(join(tmpdir(), "engine-"));
        await mkdir(join(folder, "home"));
        await mkdir(join(folder, "backend"));
        const plugin = await commandPlugin();
        return new Engine(options, folder, plugin.path);
    }

    /** Removes everything but the program. */
    async close(): Promise<void> {
        await rm(this.#folder, { recursive: true, force: true });
    }

    /** Makes a stack and works on it from then on. Raises an error when the CLI refuses. */
    async stackInit(name: string): Promise<void> {
        this.#stack = name;
        this.#must(await this.run(["stack", "init", name]));
    }

    /** Works on a stack that exists. */
    use(stack: string): void {
        this.#stack = stack;
    }

    async configSet(key: string, value: string, options: { secret?: boolean; path?: boolean } = {}): Promise<void> {
        const flags = [options.secret ? "--secret" : "--plaintext", ...(options.path ? ["--path"] : [])];
        this.#must(await this.run(["config", "set", "-s", this.#stack, ...flags, "--", key, value]));
    }

    /** A preview as text. With `expectNoChanges` its exit code is not 0 when something would change. */
    preview(options: RunOptions & { diff?: boolean; expectNoChanges?: boolean } = {}): Promise<EngineResult> {
        const flags = [
            ...(options.diff ? ["--diff"] : []),
            ...(options.expectNoChanges ? ["--expect-no-changes"] : []),
        ];
        return this.#operate(["preview", ...flags], options);
    }

    /** The steps of a preview. Raises an error when the preview fails. */
    async previewSteps(options: RunOptions = {}): Promise<PreviewStep[]> {
        const result = this.#must(await this.#operate(["preview", "--json"], options));
        return (JSON.parse(result.stdout) as { steps: PreviewStep[] }).steps;
    }

    up(options: RunOptions & { diff?: boolean } = {}): Promise<EngineResult> {
        return this.#operate(["up", "--yes", "--skip-preview", ...(options.diff ? ["--diff"] : [])], options);
    }

    refresh(options: RunOptions = {}): Promise<EngineResult> {
        return this.#operate(["refresh", "--yes", "--skip-preview"], options);
    }

    destroy(options: RunOptions = {}): Promise<EngineResult> {
        return this.#operate(["destroy", "--yes", "--skip-preview"], options);
    }

    /** The state with its secrets in clear. */
    async decryptedState(): Promise<StackState> {
        const flags = ["stack", "export", "-s", this.#stack, "--show-secrets"];
        return JSON.parse(this.#must(await this.run(flags)).stdout) as StackState;
    }

    /** All the text of the state files as they lie in the backend. */
    async rawState(): Promise<string> {
        const files = await readdir(join(this.#folder, "backend"), { recursive: true, withFileTypes: true });
        const texts = files
            .filter((entry) => entry.isFile())
            .map((entry) => readFile(join(entry.parentPath, entry.name)));
        return (await Promise.all(texts)).map(String).join("\n");
    }

    /** Runs the CLI with these arguments. Never raises an error for what the CLI answers. */
    async run(args: string[], options: RunOptions = {}): Promise<EngineResult> {
        const child = spawn("pulumi", ["--non-interactive", "--color", "never", ...args, ...(options.args ?? [])], {
            cwd: this.#options.program,
            env: { ...this.#environment, ...options.env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        options.onStart?.(child);
        const texts = { stdout: "", stderr: "" };
        for (const name of ["stdout", "stderr"] as const) {
            child[name].setEncoding("utf8").on("data", (text: string) => {
                texts[name] += text;
            });
        }
        const code = await new Promise<number>((resolve, reject) => {
            child.on("error", reject);
            child.on("close", (status) => resolve(status ?? -1));
        });
        const stdout = withoutRemarks(texts.stdout);
        const stderr = withoutRemarks(texts.stderr);
        return { code, stdout, stderr, text: stdout + stderr, eventLog: "" };
    }

    async #operate(args: string[], options: RunOptions): Promise<EngineResult> {
        const file = join(this.#folder, `events-${++this.#runs}.json`);
        const result = await this.run([...args, "-s", this.#stack, "--event-log", file], options);
        const events = (await readFile(file, "utf8").catch(() => "")).split("\n");
        return { ...result, eventLog: events.filter((line) => !line.includes('"severity":"debug"')).join("\n") };
    }

    #must(result: EngineResult): EngineResult {
        if (result.code !== 0) {
            throw new Error(`pulumi ended with ${result.code}:\n${result.text}`);
        }
        return result;
    }
}

/** Takes out `using pulumi-... from $PATH`, a remark about how tests are set up, and the headings left without content. */
function withoutRemarks(text: string): string {
    return text
        .split("\n")
        .filter((line) => !/warning: using pulumi-[a-z-]+ from \$PATH at /.test(line))
        .join("\n")
        .replace(/^ {2}\S+ \([^)]*\):\n\n*(?! {4})/gm, "")
        .replace(/^Diagnostics:\n(?! {2})/m, "");
}
