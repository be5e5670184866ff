import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

/** A command of {@link commandsProgram}. In a text, `{{NAME.stdout}}` is the output of another command. */
export interface CommandResource {
    type?: "remote" | "local";
    inputs: Record<string, unknown>;
    /** Names of the inputs that are marked secret. */
    secrets?: string[];
    options?: Record<string, unknown>;
}

/** A Pulumi program that makes just the commands that a test gives it; they can be others for each run. */
export interface CommandsProgram {
    folder: string;
    write: (resources: Record<string, CommandResource>) => Promise<void>;
    remove: () => Promise<void>;
}

export async function commandsProgram(): Promise<CommandsProgram> {
    const folder = await mkdtemp(join(tmpdir(), "program-"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: commands\nruntime: nodejs\nmain: index.js\n");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    await writeFile(join(folder, "index.js"), source);
    await symlink(join(packageRoot, "node_modules"), join(folder, "node_modules"));
    return {
        folder,
        write: (resources) => writeFile(join(folder, "resources.json"), JSON.stringify(resources)),
        remove: () => rm(folder, { recursive: true, force: true }),
    };
}

const source = `
import { readFileSync } from "node:fs";
import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";

const made = {};
function value(input) {
    const found = typeof input === "string" ? /^(.*)\\{\\{(.+)\\.stdout\\}\\}(.*)$/s.exec(input) : null;
    return found === null ? input : pulumi.interpolate\`\${found[1]}\${made[found[2]].stdout}\${found[3]}\`;
}
for (const [name, resource] of Object.entries(JSON.parse(readFileSync("resources.json", "utf8")))) {
    const inputs = Object.entries(resource.inputs).map(([key, input]) => {
        const plain = value(input);
        return [key, resource.secrets?.includes(key) ? pulumi.secret(plain) : plain];
    });
    const Command = resource.type === "local" ? command.local.Command : command.remote.Command;
    made[name] = new Command(name, Object.fromEntries(inputs), resource.options);
}
`;
