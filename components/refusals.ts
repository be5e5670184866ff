import type { ResolvedService } from "../knowledge/resolved.ts";
import type { Problem } from "../knowledge/settings.ts";

/** Everything that stands against a service: mistakes in its input, and settings that a rule refuses. */
export function refusals(service: ResolvedService): Problem[] {
    const refused = service.findings.filter(({ verdict }) => verdict === "refuse");
    return [
        ...service.problems,
        ...refused.map(({ rule, setting, message, sources }) => ({
            path: setting ?? "settings",
            message: `${message} [rule ${rule}: ${sources.join(", ")}]`,
        })),
    ];
}
