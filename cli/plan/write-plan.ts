import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../deployment/plan.ts";

/** Writes what would be on the machines as files, a folder for each service: unit, arguments, environment, or manifests. */
export function writePlan(plan: Plan, folder: string): void {
    for (const { resolved, onHost, inPool } of plan.services) {
        const target = join(folder, resolved.name);
        mkdirSync(target, { recursive: true });
        const write = (name: string, text: string) => writeFileSync(join(target, name), text);
        write("arguments.json", json((onHost ?? inPool)?.arguments ?? resolved.arguments));
        for (const [name, text] of Object.entries(inPool?.manifests ?? {})) {
            write(name, text);
        }
        if (onHost) {
            const lines = Object.entries(onHost.environment).map(([name, value]) => `${name}=${value}\n`);
            write("environment", lines.sort().join(""));
            write(onHost.unitName, onHost.unit);
        }
    }
}

function json(value: unknown): string {
    return `${JSON.stringify(value, null, 4)}\n`;
}
