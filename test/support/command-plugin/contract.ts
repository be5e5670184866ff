import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, type EngineResult, type RunOptions } from "../engine.ts";
import { commandPlugin } from "./install.ts";
import { type LoopbackSshd, startSshd } from "./loopback-sshd.ts";
import { type CommandResource, type CommandsProgram, commandsProgram } from "./program.ts";

export type Commands = Record<string, CommandResource>;

/** What a preview would do to one command, and to which of its properties. */
export interface Planned {
    op: string;
    properties: Record<string, string>;
}

/** The engine, a program of commands, and a host to run them on, where each command notes its runs. */
export class Contract {
    readonly host: LoopbackSshd;
    readonly engine: Engine;
    readonly #program: CommandsProgram;
    readonly #folder: string;
    readonly #log: string;
    #stacks = 0;

    private constructor(host: LoopbackSshd, engine: Engine, program: CommandsProgram, folder: string) {
        this.host = host;
        this.engine = engine;
        this.#program = program;
        this.#folder = folder;
        this.#log = join(folder, "log");
    }

    static async start(): Promise<Contract> {
        const { kind } = await commandPlugin();
        process.stdout.write(`command plugin under test: ${kind}\n`);
        const program = await commandsProgram();
        const engine = await Engine.create({ program: program.folder });
        const folder = await mkdtemp(join(tmpdir(), "contract-"));
        return new Contract(await startSshd(), engine, program, folder);
    }

    async stop(): Promise<void> {
        await this.engine.close();
        await this.#program.remove();
        await this.host.stop();
        await rm(this.#folder, { recursive: true, force: true });
    }

    /** Goes on with a new stack and an empty log on the host. */
    async fresh(): Promise<string> {
        await writeFile(this.#log, "");
        const stack = `stack${++this.#stacks}`;
        await this.engine.stackInit(stack);
        return stack;
    }

    /** Shell text that notes a word on the host. */
    note(text: string): string {
        return `echo ${text} >> ${this.#log}`;
    }

    /** What was noted on the host since the last call, in order. */
    async noted(): Promise<string[]> {
        const text = await readFile(this.#log, "utf8");
        await writeFile(this.#log, "");
        return text.split("\n").filter((line) => line !== "");
    }

    /** Whether this was noted; it stays noted. */
    async wasNoted(text: string): Promise<boolean> {
        return (await readFile(this.#log, "utf8")).includes(text);
    }

    connection(to: LoopbackSshd, more: object = {}): object {
        return {
            ...{ host: "127.0.0.1", port: to.port, user: to.user, privateKey: to.keys[0], hostKey: to.hostKey },
            ...{ dialErrorLimit: 0, perDialTimeout: 5, ...more },
        };
    }

    /** A command in the profile that this project uses. It prints its stdin and notes each run. */
    command(inputs: object = {}, more: Omit<CommandResource, "inputs"> = {}): CommandResource {
        return {
            inputs: {
                create: `${this.note("create")}; cat`,
                update: `${this.note("update")}; cat`,
                delete: this.note("delete"),
                connection: this.connection(this.host),
                logging: "none",
                addPreviousOutputInEnv: false,
                ...inputs,
            },
            ...more,
        };
    }

    /** Raises an error when the update fails. */
    async up(commands: Commands): Promise<EngineResult> {
        return succeeded(await this.tryUp(commands));
    }

    async tryUp(commands: Commands, options: RunOptions = {}): Promise<EngineResult> {
        await this.#program.write(commands);
        return this.engine.up(options);
    }

    async previewDiff(commands: Commands): Promise<string> {
        await this.#program.write(commands);
        return succeeded(await this.engine.preview({ diff: true })).stdout;
    }

    async tryPreview(commands: Commands): Promise<EngineResult> {
        await this.#program.write(commands);
        return this.engine.preview({ expectNoChanges: true });
    }

    /** By name, for the commands that would change. */
    async planned(commands: Commands): Promise<Record<string, Planned>> {
        await this.#program.write(commands);
        const steps = (await this.engine.previewSteps()).map(({ op, urn, detailedDiff }) => {
            const kinds = Object.entries(detailedDiff ?? {}).map(([path, { kind }]) => [path, kind]);
            return [urn.split("::").at(-1), { op, properties: Object.fromEntries(kinds) }];
        });
        return Object.fromEntries(steps);
    }

    /** The outputs of a command in the state, with secrets in clear; empty when it is not there. */
    async outputsOf(name: string): Promise<Record<string, unknown>> {
        const state = await this.engine.decryptedState();
        const resource = state.deployment.resources?.find(({ urn }) => urn.endsWith(`::${name}`));
        return { ...resource?.outputs };
    }
}

/** The result of a run. Raises an error with all its text when it failed. */
export function succeeded(result: EngineResult): EngineResult {
    if (result.code !== 0) {
        throw new Error(`pulumi ended with ${result.code}:\n${result.text}`);
    }
    return result;
}
