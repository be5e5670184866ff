import type { Problem } from "../knowledge/base/settings.ts";
import type { LoadedDeployment } from "./load.ts";

/** Word in the host keys of the shipped stack files. */
const exampleMark = "EXAMPLE";

/** What keeps a deployment that reads well from being deployed: example host keys, and what `pin` has not looked up yet. */
export function deploymentReadiness({ deployment, lock, services }: LoadedDeployment): Problem[] {
    const problems: Problem[] = [];
    for (const [name, host] of Object.entries(deployment.hosts)) {
        if (host.hostKey.includes(exampleMark)) {
            problems.push({
                path: `hosts.${name}.hostKey`,
                message: `replace hosts.${name} with your own: this is the example's key (\`ssh-keyscan -t ed25519 ADDRESS\` prints one)`,
            });
        }
    }
    for (const { service, model, build } of services) {
        const locked = lock.models[model.repository];
        if (!locked || (model.revision !== undefined && model.revision !== locked.revision)) {
            problems.push({ path: `models.${service.model}`, message: `${model.repository} is not pinned: run pin` });
        }
        if (service.hosts && !lock.builds[service.build] && build.dependencies === "full") {
            problems.push({ path: `builds.${service.build}`, message: "its packages are not pinned: run pin" });
        }
        if (service.pool && !build.image) {
            problems.push({ path: `builds.${service.build}.image`, message: "a pool needs an image by digest" });
        }
    }
    return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index);
}
