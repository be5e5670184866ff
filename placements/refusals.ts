import type { Problem } from "../knowledge/base/settings.ts";
import type { ResolvedService } from "../knowledge/service/spec.ts";

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
