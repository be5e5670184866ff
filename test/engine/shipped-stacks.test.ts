/** What a reviewer sees of the stacks that ship with this project, in previews by the real engine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readStackFile } from "../../deployment/read.ts";
import { packageRoot } from "../../knowledge/base/package-root.ts";
import { Engine, type EngineResult, findOnPath, type PreviewStep, projectCopy } from "../support/engine.ts";

/** Not by looking: a checkout may hold stacks of its user too. */
const shipped = ["blackwell", "glm5", "kimi", "pool"];

/** A stack with pools needs the Kubernetes plugin; in CI it must be there. */
const canPreview = (stack: string) =>
    process.env.CI === "true" ||
    Object.keys(stackFile(stack).deployment.pools).length === 0 ||
    findOnPath("pulumi-resource-kubernetes") !== undefined;
const stacks = shipped.filter(canPreview);

/** What the engine puts where it does not know a value yet. */
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

let folder: string;
let here: Engine;
let elsewhere: Engine;
beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "shipped-"));
    here = await Engine.create({ program: await projectCopy(join(folder, "project")) });
    elsewhere = await Engine.create({ program: await projectCopy(join(folder, "deeper", "other folder")) });
});
afterAll(async () => {
    await here?.close();
    await elsewhere?.close();
    await rm(folder, { recursive: true, force: true });
});

function stackFile(stack: string) {
    return readStackFile(join(packageRoot, `Pulumi.${stack}.yaml`));
}

describe.each(stacks)("stack %s", (stack) => {
    let shown: EngineResult;
    let steps: PreviewStep[];
    beforeAll(async () => {
        await here.stackInit(stack);
        shown = await here.preview({ diff: true });
        steps = await here.previewSteps();
    });

    test("previews every resource with every value known, but for the attempt that a switch on a host gets", () => {
        expect(shown.code, shown.text).toBe(0);
        const unknown = shown.text.split("\n").filter((line) => /output<|\[unknown\]/.test(line));
        expect(unknown.filter((line) => !/^\s*update\s*: (output<string>|\[unknown\])$/.test(line))).toEqual([]);
        expect(steps.length).toBeGreaterThan(5);
        const open = steps.flatMap(({ urn, newState }) => unknownPaths(newState).map((path) => `${urn} ${path}`));
        expect(open.filter((one) => !/-activate \S*update$/.test(one))).toEqual([]);
    });

    test("masks nothing but the connection and values of secrets", () => {
        const masked = shown.text.split("\n").filter((line) => line.includes("[secret]"));
        expect(new Set(masked.map((line) => line.trim().replace(/ +/g, " ")))).toEqual(
            new Set(steps.some(({ newState }) => newState?.inputs?.connection) ? ["connection : [secret]"] : []),
        );
    });

    test("shows each setting on a line of its own, and no value longer than 200 characters", () => {
        const { services } = stackFile(stack);
        for (const { spec } of services) {
            expect(shown.text).toMatch(/^ +settingsDigest: "[0-9a-f]+"$/m);
            expect(shown.text).toMatch(new RegExp(`^ +model +: "${spec.model.repository}"$`, "m"));
            expect(shown.text).toMatch(/^ +tp-size +: \d+$/m);
        }
        const values = shown.text.split("\n").map((line) => line.trim().replace(/^[^:]*: /, ""));
        expect(values.filter((value) => value.length > 202)).toEqual([]);
    });

    test("prints the same bytes again, and from a copy in another folder", async () => {
        await elsewhere.stackInit(stack);
        expect((await elsewhere.preview({ diff: true })).text).toBe(shown.text);
        expect((await here.preview({ diff: true })).text).toBe(shown.text);
    });

    test("is refused by `up` with what to do first, and nothing is made", async () => {
        const { deployment } = stackFile(stack);
        const up = await here.up();
        expect(up.code).not.toBe(0);
        for (const host of Object.keys(deployment.hosts)) {
            expect(up.text).toContain(`replace hosts.${host} with your own`);
        }
        for (const { repository } of Object.values(deployment.models)) {
            expect(up.text).toContain(`${repository} is not pinned: run pin`);
        }
        expect(up.text).not.toMatch(/^ +at /m);
        expect((await here.decryptedState()).deployment.resources?.map(({ type }) => type)).toEqual([
            "pulumi:pulumi:Stack",
        ]);
    });
});

/** Where a resource has an unknown value; the version of a provider that is not made yet is one, and is no value of ours. */
function unknownPaths(value: unknown, path = ""): string[] {
    if (value === null || typeof value !== "object") {
        return String(value).includes(unknownValue) ? [path] : [];
    }
    return Object.entries(value).flatMap(([key, item]) =>
        ["provider", "urn", "id"].includes(key) ? [] : unknownPaths(item, `${path}.${key}`),
    );
}
