/** The plan of the shipped stacks as text for people and as the document for programs. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planDocument } from "../../../cli/plan/plan-document.ts";
import { renderPlan } from "../../../cli/plan/render-plan.ts";
import { writePlan } from "../../../cli/plan/write-plan.ts";
import { planDeployment } from "../../../deployment/plan.ts";
import { readStackFile } from "../../../deployment/read.ts";
import { deploymentReadiness } from "../../../deployment/readiness.ts";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

const stackFile = (stack: string) => join(packageRoot, `Pulumi.${stack}.yaml`);
function planOf(stack: string) {
    const loaded = readStackFile(stackFile(stack));
    return planDeployment(loaded, deploymentReadiness(loaded));
}

let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "plan-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(["blackwell", "glm5", "kimi", "pool"])("the plan of %s", (stack) => {
    test("as text says everything once, in lines that fit", () => {
        const text = renderPlan(planOf(stack));
        const lines = text.split("\n");
        expect(lines.filter((line) => line.length > 112 && !/ExecStart=|^ {2}PATH=/.test(line))).toEqual([]);
        expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
        expect(text).not.toMatch(/undefined|\[object|NaN(?! )/);
        for (const part of ["Settings, and who decided them", "Launch command", "Memory", "Build", "Weights"]) {
            expect(text).toContain(`\n${part}\n---`);
        }
    });

    test("as a document has the keys that programs rely on", () => {
        const document = planDocument(planOf(stack));
        expect(Object.keys(document)).toEqual(["refused", "problems", "notReady", "services"]);
        for (const service of document.services) {
            expect(Object.keys(service).slice(0, 9)).toEqual([
                ...["name", "release", "placement", "argv", "env", "settings", "findings", "memory", "digests"],
            ]);
            expect(service.argv).toContain("sglang.launch_server");
            expect(service.memory).toMatchObject({
                weightsGiBPerGpu: expect.any(Number),
                kvBytesPerToken: expect.any(Number),
                kvTokens: expect.any(Number),
                headroomGiB: expect.any(Number),
                fits: true,
                inputs: expect.any(Object),
            });
            for (const { rule, verdict, message, sources } of service.findings) {
                expect({ rule, verdict, message }).toEqual({
                    rule: expect.stringMatching(/^[a-z0-9-]+$/),
                    verdict: expect.stringMatching(/^(fix|warn)$/),
                    message: expect.stringMatching(/\.$/),
                });
                expect(sources.length).toBeGreaterThan(0);
            }
        }
    });
});

test("a service in a pool has its image, its own digest and its objects, and nothing of a build on a host", () => {
    const plan = planOf("pool");
    const text = renderPlan(plan);
    const [glm5] = planDocument(plan).services;
    expect(text).toMatch(new RegExp(`\nBuild\n-+\n  digest +${glm5!.digests.build}\n  image `));
    expect(text).not.toContain("published wheel");
    expect(text).not.toContain("packages");
    expect(text).toMatch(/\nObjects in pool \S+, in order\n-+\n {2}persistentvolumeclaim\/glm5-weights\n/);
    expect(text).toMatch(/\n {2}deployment\/glm5\n/);
    expect(plan.notReady.map(({ path }) => path)).toContain("builds.sglang-0523.image");
    writePlan(plan, folder);
    const files = readdirSync(join(folder, "glm5")).filter((file) => file.endsWith(".yaml"));
    const objects = files.toSorted().map((file) => file.replace(/^\d+-(\w+)-(.*)\.yaml$/, "  $1/$2\n"));
    expect(text).toContain(`\n${objects.join("")}`);
});

test("is the same bytes from another folder, in another locale, time zone and home", () => {
    const run = (cwd: string, env: Record<string, string>) =>
        ["", "--json"].map(
            (json) =>
                spawnSync(
                    process.execPath,
                    [
                        join(packageRoot, "cli/main.ts"),
                        "plan",
                        "--file",
                        stackFile("blackwell"),
                        ...(json ? [json] : []),
                    ],
                    { cwd, env: { PATH: process.env.PATH!, ...env }, encoding: "utf8" },
                ).stdout,
        );
    const here = run(packageRoot, { LC_ALL: "C", TZ: "UTC", HOME: "/root" });
    const there = run(folder, { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Asia/Kathmandu", HOME: folder });
    expect(there).toEqual(here);
    expect(here[0]).toContain("tp-size");
});

test("what is written for a host is what the plan shows", () => {
    const plan = planOf("blackwell");
    writePlan(plan, folder);
    const read = (name: string) => readFileSync(join(folder, "qwen35", name), "utf8");
    const [service] = planDocument(plan).services;
    expect(read("environment").trim().split("\n")).toEqual(
        Object.entries(service!.env)
            .map(([name, value]) => `${name}=${value}`)
            .toSorted(),
    );
    expect(renderPlan(plan)).toContain(
        read("sglang-qwen35.service")
            .trim()
            .replace(/\n(?=.)/g, "\n  "),
    );
    for (const name of Object.keys(JSON.parse(read("arguments.json")))) {
        expect(service!.argv).toContain(`--${name}`);
    }
});
