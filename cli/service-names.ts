import type { LoadedDeployment } from "../deployment/load.ts";
import { readStackFile } from "../deployment/read.ts";
import { didYouMean } from "../knowledge/base/nearest.ts";
import { ProblemsError } from "../knowledge/base/problems.ts";
import type { Judged } from "../placements/judge.ts";
import type { StackParts } from "../placements/stack-part.ts";

/** A stack file, and the services of it that a verb is about. */
export interface NamedServices {
    readonly loaded: LoadedDeployment;
    readonly parts: StackParts;
    readonly services: readonly Judged[];
}

/** The named services of a stack file, or all. Throws a {@link ProblemsError} for a wrong file or name, or where there is none. */
export function namedServices(file: string, names: readonly string[]): NamedServices {
    const loaded = readStackFile(file);
    const { owner, facts, deployment, problems } = loaded;
    const known = loaded.services.map(({ request }) => request.name);
    const unknown = names
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: name, message: `no service has this name${didYouMean(name, known)}` }));
    const none = known.length === 0 && problems.length === 0 ? [{ path: "services", message: "there are none" }] : [];
    const wrong = [...problems, ...unknown, ...none];
    if (wrong.length > 0) {
        throw new ProblemsError(`${file} cannot be followed:`, wrong);
    }
    const { hosts, pools } = deployment;
    const services = loaded.services.filter(({ request }) => names.length === 0 || names.includes(request.name));
    return { loaded, parts: { owner, facts, hosts, pools }, services };
}
