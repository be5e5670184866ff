import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../deployment/plan.ts";

/** Writes what would be on the machines as files, a folder for each service: unit, arguments, environment, or manifests. */
export function writePlan(plan: Plan, folder: string): void {
    for (const { resolved, placed } of plan.services) {
        const target = join(folder, resolved.name);
        mkdirSync(target, { recursive: true });
        const files = { "arguments.json": json(placed.arguments), ...placed.files() };
        for (const [name, text] of Object.entries(files)) {
            writeFileSync(join(target, name), text);
        }
    }
}

function json(value: unknown): string {
    return `${JSON.stringify(value, null, 4)}\n`;
}
