/** A stack of this project on test hosts: stack file, facts, lock and the real engine. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseYaml, stringify } from "yaml";
import { digestOf } from "../../knowledge/base/digest.ts";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { Engine, projectCopy } from "./engine.ts";
import type { TestHost } from "./hosts/host.ts";
import { indexUrl, type Wheelhouse } from "./hosts/wheelhouse.ts";
import type { Hub } from "./standin-hub/hub.ts";

/** Key of one service of a stack file, as far as tests change it. */
export type StackFile = {
    hosts: Record<string, Record<string, unknown>>;
    builds: Record<string, Record<string, unknown>>;
    models: Record<string, Record<string, unknown>>;
    services: Record<string, Record<string, unknown>>;
};

/** Release of the stand-in server. */
export const standInRelease = "0.5.17";

/** A stack in a copy of the project, changed by editing `file` and calling {@link E2eStack.write}. */
export class E2eStack {
    readonly engine: Engine;
    readonly folder: string;
    readonly name: string;
    /** What the stack file says. */
    file: StackFile;

    private constructor(engine: Engine, folder: string, name: string, file: StackFile) {
        this.engine = engine;
        this.folder = folder;
        this.name = name;
        this.file = file;
    }

    /** Makes a stack with one service on the hosts, pinned to what hub and wheelhouse hold. */
    static async create(
        name: string,
        hosts: readonly TestHost[],
        { hub, wheelhouse, repository }: { hub: Hub; wheelhouse: Wheelhouse; repository: string },
    ): Promise<E2eStack> {
        const folder = await projectCopy(mkdtempSync(join(tmpdir(), "stack-")));
        rmSync(join(folder, "locks"), { recursive: true, force: true });
        mkdirSync(join(folder, "locks"));
        cpSync(join(packageRoot, "facts/esc8000a-8x-rtxpro6000-server.json"), join(folder, "host.json"));
        const facts = JSON.parse(readFileSync(join(folder, "host.json"), "utf8"));
        writeFileSync(join(folder, "host.json"), JSON.stringify({ ...facts, python: ["3.11"] }));
        cpSync(join(packageRoot, "test/fixtures/model-configs/qwen3-235b-a22b.json"), join(folder, "config.json"));
        const { revision, files } = hub.repositories[repository]!;
        const lock = {
            schema: 1,
            models: {
                [repository]: {
                    revision,
                    files,
                    bytes: files.reduce((sum, { size }) => sum + size, 0),
                    manifestDigest: digestOf(files),
                },
            },
            builds: {
                sglang: {
                    packages: wheelhouse.lock.filter((one) => one.name === "sglang" && one.version === standInRelease),
                },
            },
        };
        writeFileSync(join(folder, "locks", `${name}.json`), JSON.stringify(lock));
        const engine = await Engine.create({ program: folder });
        const stack = new E2eStack(engine, folder, name, {
            hosts: Object.fromEntries(hosts.map((host) => [host.name, hostEntry(host)])),
            builds: { sglang: { release: standInRelease, python: "3.11", indexUrl } },
            models: { tiny: { repository, config: "config.json", endpoint: hub.endpoint, directory: "/srv/models" } },
            services: {
                tiny: {
                    placement: { hosts: hosts.map((host) => host.name) },
                    build: "sglang",
                    model: "tiny",
                    backends: { fp4Gemm: "flashinfer_cudnn", moeRunner: "flashinfer_cutlass" },
                    gate: { concurrency: 8, timeoutSeconds: 60 },
                    startupBudgetMinutes: 1,
                },
            },
        });
        stack.write();
        await engine.stackInit(name);
        await engine.configSet("sshKey", readFileSync(hosts[0]!.privateKeyPath, "utf8"), { secret: true });
        stack.keepSecrets();
        return stack;
    }

    #config: Record<string, unknown> = {};
    #salt: unknown;

    /** Takes over what the CLI wrote: the salt, and the secrets that it encrypted. */
    keepSecrets(): void {
        const parse = parseYaml;
        const written = parse(readFileSync(this.path, "utf8"));
        const { "pulumi-sglang:deployment": _, ...rest } = written.config;
        this.#config = rest;
        this.#salt = written.encryptionsalt;
    }

    /** Path of the stack file. */
    get path(): string {
        return join(this.folder, `Pulumi.${this.name}.yaml`);
    }

    /** Writes the stack file. */
    write(): void {
        const config = { ...this.#config, "pulumi-sglang:deployment": this.file };
        writeFileSync(this.path, stringify({ ...(this.#salt ? { encryptionsalt: this.#salt } : {}), config }));
    }

    /** Puts other packages into the lock file of the build `sglang`. */
    pinBuild(packages: Wheelhouse["lock"]): void {
        const path = join(this.folder, "locks", `${this.name}.json`);
        const lock = JSON.parse(readFileSync(path, "utf8"));
        lock.builds.sglang = { packages };
        writeFileSync(path, JSON.stringify(lock));
    }

    /** Sets a secret of the stack. */
    async secret(key: string, value: string): Promise<void> {
        this.write();
        await this.engine.configSet(key, value, { secret: true });
        this.keepSecrets();
    }

    /** Removes the copy and the engine's folders. */
    async close(): Promise<void> {
        await this.engine.close();
        rmSync(this.folder, { recursive: true, force: true });
    }
}

function hostEntry(host: TestHost): Record<string, unknown> {
    return {
        address: host.address,
        port: host.port,
        user: "deploy",
        hostKey: host.hostKey,
        privateKey: { config: "sshKey" },
        facts: "host.json",
    };
}
