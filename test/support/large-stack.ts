import { join } from "node:path";
import { stringify } from "yaml";
import { packageRoot } from "../../knowledge/base/package-root.ts";

const models = ["nvidia/Qwen3.5-397B-A17B-NVFP4", "lukealonso/GLM-5-NVFP4", "moonshotai/Kimi-K2.5"];
const releases = ["0.5.16", "0.5.23", "0.5.14"];

/** The text of a stack file with so many hosts, one service on each; three models and releases take turns. */
export function largeStack(count: number): string {
    const each = <T>(value: (index: number) => [string, T]) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => value(index)));
    const facts = join(packageRoot, "facts/esc8000a-8x-rtxpro6000-server.json");
    return stringify({
        hosts: each((index) => [
            `node${index}`,
            { address: `192.0.2.${index + 1}`, hostKey: "ssh-ed25519 AAAAEXAMPLE", facts },
        ]),
        builds: Object.fromEntries(releases.map((release, index) => [`build${index}`, { release }])),
        models: Object.fromEntries(models.map((repository, index) => [`model${index}`, { repository }])),
        services: each((index) => [
            `service${index}`,
            { placement: { hosts: [`node${index}`] }, build: `build${index % 3}`, model: `model${index % 3}` },
        ]),
    });
}
