import { loadDeployment } from "../../../deployment/load.ts";
import { planDeployment } from "../../../deployment/plan.ts";
import type { PlacedField } from "../../../knowledge/fields/walk.ts";
import { exampleStacks, readExampleFile, type StackFile } from "../fields/example-stacks.ts";
import { withField } from "../fields/set-field.ts";

/** What the plan of a stack's first service is named by; nothing where the stack file is refused. */
function digestsOf(stack: StackFile): Record<string, string> | undefined {
    const { problems, services } = planDeployment(loadDeployment(stack, readExampleFile), []);
    const [service] = services;
    if (problems.length > 0 || service === undefined) {
        return undefined;
    }
    const { placed, resolved, model } = service;
    return {
        build: placed.buildDigest,
        model: `${model.path} ${model.desired.generation}`,
        settings: resolved.settingsDigest,
        restart: placed.restartDigest,
    };
}

/** The digests that a field changes in any of the example stacks, by any of its example values; `none` where it changes none. */
export function changedBy(one: PlacedField): string {
    const found = new Set<string>();
    const [usual] = one.row!.examples!;
    for (const stack of Object.values(exampleStacks)) {
        const without = withField(stack, one, one.required ? { value: usual } : undefined);
        const before = without && digestsOf(without);
        for (const value of before ? one.row!.examples! : []) {
            const after = digestsOf(withField(stack, one, { value })) ?? before!;
            for (const name of Object.keys(after).filter((name) => after[name] !== before![name])) {
                found.add(name);
            }
        }
    }
    return ["build", "model", "settings", "restart"].filter((name) => found.has(name)).join(" ") || "none";
}
