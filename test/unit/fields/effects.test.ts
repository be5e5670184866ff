/** A field that nothing reads cannot exist: each value that a row has as an example changes what is put on a machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { loadDeployment } from "../../../deployment/load.ts";
import { deploy } from "../../../stacks/deploy.ts";
import { runProgram } from "../../support/mocks.ts";
import { exampleStacks, readExampleFile, type StackFile } from "./example-stacks.ts";
import { withField } from "./set-field.ts";
import { valueFields, written } from "./stack-fields.ts";

const home = mkdtempSync(join(tmpdir(), "home-"));

beforeAll(() => {
    vi.stubEnv("HOME", home);
    mkdirSync(join(home, ".ssh"));
    for (const name of ["id_ed25519", "other"]) {
        writeFileSync(join(home, ".ssh", name), `key ${name}`);
    }
    const names = ["sshKey", "otherKey", "firstSecret", "secondSecret"];
    pulumi.runtime.setAllConfig(Object.fromEntries(names.map((name) => [`project:${name}`, `secret-${name}`])));
});

afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
});

const known = new Map<string, Promise<Outcome>>();

/** What a stack file leads to: the resources of the program, or why there are none. */
type Outcome = { resources: string } | { refused: string };

function outcome(stack: StackFile): Promise<Outcome> {
    const key = JSON.stringify(stack);
    const found = known.get(key) ?? run(stack);
    known.set(key, found);
    return found;
}

async function run(stack: StackFile): Promise<Outcome> {
    const loaded = loadDeployment(stack, readExampleFile);
    if (loaded.problems.length > 0) {
        return { refused: JSON.stringify(loaded.problems) };
    }
    const { registered, error } = await runProgram(() => deploy(loaded));
    const byName = registered.toSorted((a, b) => (a.type + a.name < b.type + b.name ? -1 : 1));
    return error ? { refused: error.message } : { resources: JSON.stringify(byName) };
}

test.each(valueFields.map((one) => [written(one), one] as const))("%s changes what is deployed", async (_, one) => {
    const [usual, ...others] = one.row!.examples!;
    const values = one.required ? others : [usual, ...others];
    for (const value of values) {
        expect(await effect(one, value), `an effect of ${JSON.stringify(value)}`).toBe("changes");
    }
});

/** Whether a value changes something in one of the example stacks, and if not, what each said. */
async function effect(one: (typeof valueFields)[number], value: unknown): Promise<string> {
    const said: string[] = [];
    for (const [name, stack] of Object.entries(exampleStacks)) {
        const before = withField(stack, one, one.required ? { value: one.row!.examples![0] } : undefined);
        if (before === undefined) {
            continue;
        }
        const after = await outcome(withField(stack, one, { value }));
        if ("refused" in after) {
            said.push(`${name}: ${after.refused}`);
        } else if (after.resources !== (await usualResources(before))) {
            return "changes";
        } else {
            said.push(`${name}: nothing changes`);
        }
    }
    return said.join("\n");
}

async function usualResources(stack: StackFile): Promise<string | undefined> {
    const found = await outcome(stack);
    return "resources" in found ? found.resources : undefined;
}
