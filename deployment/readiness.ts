import type { Problem } from "../knowledge/base/settings.ts";
import type { LoadedDeployment } from "./load.ts";

/** Word in the host keys of the shipped stack files. */
const exampleMark = "EXAMPLE";

/** What keeps a deployment that reads well from being deployed: example host keys, and what `pin` has not looked up yet. */
export function deploymentReadiness({
    deployment,
    services,
}: Pick<LoadedDeployment, "deployment" | "services">): Problem[] {
    const problems: Problem[] = [];
    for (const [name, host] of Object.entries(deployment.hosts)) {
        if (host.hostKey.includes(exampleMark)) {
            problems.push({
                path: `hosts.${name}.hostKey`,
                message: `replace hosts.${name} with your own: this is the example's key (\`ssh-keyscan -t ed25519 ADDRESS\` prints one)`,
            });
        }
    }
    for (const { request } of services) {
        const { build, model, target } = request;
        if (!model.locked || (model.revision !== undefined && model.revision !== model.locked.revision)) {
            problems.push({ path: `models.${model.name}`, message: `${model.repository} is not pinned: run pin` });
        }
        if (target.kind === "hosts" && !build.locked && build.dependencies === "full") {
            problems.push({ path: `builds.${build.name}`, message: "its packages are not pinned: run pin" });
        }
        if (target.kind === "pool" && !build.image) {
            problems.push({ path: `builds.${build.name}.image`, message: "a pool needs an image by digest" });
        }
    }
    return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);
}
