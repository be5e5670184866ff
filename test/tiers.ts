import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
    run(paths: readonly string[]): Counts;
}

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

function unittest(): Counts {
    const { status, stderr } = spawnSync("python3", ["-m", "unittest", "discover", "-s", "test/agent", "-t", "."], {
        cwd: packageRoot,
        encoding: "utf8",
        maxBuffer: 2 ** 28,
    });
    process.stdout.write(stderr);
    const ran = Number(/^Ran (\d+) tests?/m.exec(stderr)?.[1] ?? 0);
    const bad = [...stderr.matchAll(/(?:failures|errors|unexpected successes)=(\d+)/g)];
    const failed = Math.max(
        bad.reduce((sum, [, count]) => sum + Number(count), 0),
        status === 0 ? 0 : 1,
    );
    return { passed: Math.max(0, ran - failed), failed };
}
