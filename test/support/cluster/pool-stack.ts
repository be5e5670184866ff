/** A stack of this project on the test cluster: stack file, facts, lock and the real engine. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { digestOf } from "../../../knowledge/base/digest.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";
import { Engine, type EngineResult, projectCopy } from "../engine.ts";
import { advertise, type ClusterHub, image, kubeconfig, nodeSelector } from "./cluster.ts";

/** The parts of a stack file that tests change. */
export interface PoolStackFile {
    pools: Record<string, Record<string, unknown>>;
    builds: Record<string, Record<string, unknown>>;
    models: Record<string, Record<string, unknown>>;
    services: Record<string, Record<string, unknown>>;
}

/** Seconds of the gate in tests; with a budget of one minute the whole rollout has 145. */
const gateSeconds = 20;

/** A stack in a copy of the project, changed by editing `file`. The service and the model are both called `tiny`. */
export class PoolStack {
    readonly engine: Engine;
    readonly namespace: string;
    readonly file: PoolStackFile;
    readonly #folder: string;
    #config: Record<string, unknown> = {};
    #salt: unknown;

    private constructor(engine: Engine, folder: string, namespace: string, file: PoolStackFile) {
        this.engine = engine;
        this.#folder = folder;
        this.namespace = namespace;
        this.file = file;
    }

    /**
     * Makes a stack with one service on eight GPUs, in a namespace of the stack's name. Its GPUs are a resource of its own and its pods
     * ask for little beside, so that stacks of other tests take nothing away from it.
     */
    static async create(namespace: string, hub: ClusterHub, repository: string): Promise<PoolStack> {
        const folder = await projectCopy(mkdtempSync(join(tmpdir(), "pool-")));
        rmSync(join(folder, "locks"), { recursive: true, force: true });
        mkdirSync(join(folder, "locks"));
        cpSync(join(packageRoot, "facts/esc8000a-8x-rtxpro6000-server.json"), join(folder, "node.json"));
        cpSync(join(packageRoot, "test/fixtures/model-configs/qwen3-235b-a22b.json"), join(folder, "config.json"));
        const models = Object.fromEntries(
            Object.entries(hub.repositories).map(([name, { revision, files }]) => {
                const bytes = files.reduce((sum, { size }) => sum + size, 0);
                return [name, { revision, files, bytes, manifestDigest: digestOf(files) }];
            }),
        );
        writeFileSync(join(folder, "locks", `${namespace}.json`), JSON.stringify({ schema: 1, models, builds: {} }));
        const gpuResource = `example.com/gpu-of-${namespace}`;
        advertise(gpuResource);
        const engine = await Engine.create({ program: folder, env: { KUBECONFIG: kubeconfig } });
        const stack = new PoolStack(engine, folder, namespace, {
            pools: {
                rtx: {
                    namespace,
                    nodeSelector: nodeSelector(),
                    gpuResource,
                    gpusPerNode: 8,
                    requests: { cpu: "50m", memory: "64Mi" },
                    storage: { className: namespace },
                    facts: "node.json",
                },
            },
            builds: { sglang: { release: "0.5.17", image } },
            models: { tiny: { repository, config: "config.json", endpoint: hub.endpoint } },
            services: {
                tiny: {
                    placement: { pool: "rtx" },
                    build: "sglang",
                    model: "tiny",
                    backends: { fp4Gemm: "flashinfer_cudnn", moeRunner: "flashinfer_cutlass" },
                    scheduling: { maxRunningRequests: 64 },
                    gate: { concurrency: 4, sampled: 2, timeoutSeconds: gateSeconds },
                    startupBudgetMinutes: 1,
                },
            },
        });
        stack.write();
        await engine.stackInit(namespace);
        stack.#keep();
        return stack;
    }

    /** The service, to edit. */
    get service(): Record<string, unknown> {
        return this.file.services.tiny!;
    }

    /** Sets a secret of the stack. */
    async secret(key: string, value: string): Promise<void> {
        this.write();
        await this.engine.configSet(key, value, { secret: true });
        this.#keep();
    }

    /** Brings up what the file says. */
    async up(): Promise<EngineResult> {
        this.write();
        return this.engine.up();
    }

    /** Writes the stack file. */
    write(): void {
        const config = { ...this.#config, "pulumi-sglang:deployment": this.file };
        writeFileSync(this.path, stringify({ ...(this.#salt ? { encryptionsalt: this.#salt } : {}), config }));
    }

    /** Removes the copy and the engine's folders; what is in the cluster stays. */
    async close(): Promise<void> {
        await this.engine.close();
        rmSync(this.#folder, { recursive: true, force: true });
    }

    /** Path of the stack file. */
    get path(): string {
        return join(this.#folder, `Pulumi.${this.namespace}.yaml`);
    }

    /** Takes over what the CLI wrote: the salt, and the secrets that it encrypted. */
    #keep(): void {
        const { config, encryptionsalt } = parse(readFileSync(this.path, "utf8"));
        const { "pulumi-sglang:deployment": _, ...rest } = config;
        this.#config = rest;
        this.#salt = encryptionsalt;
    }
}
