import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../knowledge/base/package-root.ts";
import { sshdAvailable } from "./support/command-plugin/loopback-sshd.ts";
import { engineAvailable, findOnPath } from "./support/engine.ts";
import { missingForHosts } from "./support/hosts/debian.ts";

/** How many tests of a tier passed and failed. */
export interface Counts {
    passed: number;
    failed: number;
}

/** A group of tests that need the same surroundings. */
export interface Tier {
    readonly name: string;
    /** What it runs against. */
    readonly against: string;
    /** Why it cannot run here; nothing when it can. */
    missing(): string | undefined;
    /** Runs it, or the files below the paths alone. */
    run(paths: readonly string[]): Counts | Promise<Counts>;
}

/** Modules of the agent's tests, the quickest of the slow ones first. */
const slowest = ["test_build.py", "test_activate_foreign.py", "test_activate_faults.py", "test_activate.py"];

/** Environment variable that names the kubeconfig of a throwaway cluster. */
export const clusterVariable = "PULUMI_SGLANG_TEST_KUBECONFIG";

/** Every tier, cheapest first. */
export const tiers: readonly Tier[] = [
    {
        name: "unit",
        against: "pure functions and tables",
        missing: () => missingPrograms("python3"),
        run: (paths) => vitest("unit", ...paths),
    },
    {
        name: "agent",
        against: "the agent in a scratch folder, real git, real files",
        missing: () => missingPrograms("python3", "git"),
        run: unittest,
    },
    {
        name: "parser",
        against: "the argument parser of real SGLang wheels",
        missing: () => missingPrograms("python3", "git") ?? missingPip(),
        run: (paths) => vitest("parser", ...paths),
    },
    {
        name: "engine",
        against: "the real Pulumi engine",
        missing: () => engineAvailable() ?? missingPrograms("ssh", "ssh-keygen") ?? sshdAvailable(),
        run: (paths) => vitest("engine", ...paths),
    },
    {
        name: "host",
        against: "real systemd hosts over SSH",
        missing: () => engineAvailable() ?? notRoot() ?? missingHostPrograms(),
        run: (paths) => vitest("host", ...paths),
    },
    {
        name: "cluster",
        against: "a real Kubernetes cluster",
        missing: () =>
            engineAvailable() ?? missingPrograms("pulumi-resource-kubernetes", "kubectl") ?? missingCluster(),
        run: (paths) => vitest("cluster", "--fileParallelism", "--maxWorkers=5", ...paths),
    },
];

function missingPrograms(...names: string[]): string | undefined {
    const missing = names.filter((name) => findOnPath(name) === undefined);
    return missing.length === 0 ? undefined : `not on PATH: ${missing.join(", ")}`;
}

function missingPip(): string | undefined {
    const { status } = spawnSync("python3", ["-m", "pip", "--version"]);
    return status === 0 ? undefined : "python3 has no pip";
}

function missingHostPrograms(): string | undefined {
    const missing = missingForHosts();
    return missing.length === 0 ? undefined : `not here: ${missing.join(", ")}`;
}

function notRoot(): string | undefined {
    return process.getuid?.() === 0 ? undefined : "booting hosts needs root";
}

function missingCluster(): string | undefined {
    return process.env[clusterVariable] ? undefined : `${clusterVariable} names no kubeconfig of a throwaway cluster`;
}

function vitest(project: string, ...options: string[]): Counts {
    const folder = mkdtempSync(join(tmpdir(), "tests-"));
    const report = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { status } = spawnSync("vitest", ["run", "--project", project, ...options, ...reporters], {
        cwd: packageRoot,
        stdio: "inherit",
    });
    try {
        const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, "utf8"));
        const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0, status === 0 ? 0 : 1);
        return { passed: numPassedTests, failed };
    } catch {
        return { passed: 0, failed: 1 };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** One process a module, as many at once as there are cores; `modules` of the files that are named, or all. */
async function unittest(paths: readonly string[]): Promise<Counts> {
    const files = readdirSync(join(packageRoot, "test/agent")).filter((name) => /^test_.*\.py$/.test(name));
    const named = files.filter(
        (file) => paths.length === 0 || paths.some((path) => `test/agent/${file}`.startsWith(path)),
    );
    // the ones that start servers take longest: they begin first
    const waiting = named.toSorted((a, b) => slowest.indexOf(b) - slowest.indexOf(a));
    const counts: Counts = { passed: 0, failed: named.length === 0 ? 1 : 0 };
    const worker = async () => {
        for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
            const { status, said } = await run("python3", ["-m", "unittest", `test.agent.${file.slice(0, -3)}`]);
            process.stdout.write(`${file}\n${said}`);
            const ran = Number(/^Ran (\d+) tests?/m.exec(said)?.[1] ?? 0);
            const bad = [...said.matchAll(/(?:failures|errors|unexpected successes)=(\d+)/g)];
            const failed = Math.max(
                bad.reduce((sum, [, count]) => sum + Number(count), 0),
                status === 0 ? 0 : 1,
            );
            counts.passed += Math.max(0, ran - failed);
            counts.failed += failed;
        }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
    return counts;
}

/** Ends with what the program wrote to its standard error. */
function run(program: string, words: readonly string[]): Promise<{ status: number | null; said: string }> {
    return new Promise((resolve) => {
        const child = spawn(program, words, { cwd: packageRoot, stdio: ["ignore", "ignore", "pipe"] });
        let said = "";
        child.stderr.setEncoding("utf8").on("data", (piece: string) => {
            said += piece;
        });
        child.once("error", (error) => resolve({ status: null, said: `${said}${error.message}\n` }));
        child.once("close", (status) => resolve({ status, said }));
    });
}
