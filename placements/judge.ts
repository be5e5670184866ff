import type { Problem } from "../knowledge/base/settings.ts";
import { fieldOfSetting } from "../knowledge/fields/field-settings.ts";
import { resolve } from "../knowledge/service/resolve.ts";
import type { ResolvedService, ServiceSpec } from "../knowledge/service/spec.ts";
import { type AnyRequest, placementOf } from "./index.ts";

/** A request with everything decided, and everything that stands against it. */
export interface Judged {
    readonly request: AnyRequest;
    readonly spec: ServiceSpec;
    readonly resolved: ResolvedService;
    /** Mistakes in what was asked for, paths below the service. */
    readonly problems: readonly Problem[];
    /** Settings that are open while the facts of a machine are not known; none when they are. */
    readonly open: readonly string[];
}

/**
 * The one judgement of a service: stack files, components and commands all take it. Pure; never throws for a mistake of the user's.
 *
 * Where the facts of a machine are not known yet, all is judged that does not depend on them.
 */
export function judge(request: AnyRequest): Judged {
    const { name, build, model, target, apiKey, oracle, fields } = request;
    const placement = placementOf(target);
    const nodes = placement.nodes(target);
    const spec: ServiceSpec = {
        name,
        build: {
            release: build.release,
            patches: build.patches.map((patch) => patch.name),
            versions: build.versions,
            stock: build.stock,
        },
        model: {
            repository: model.repository,
            revision: model.revision ?? model.locked?.revision,
            profile: model.profile,
            config: model.config,
            hfQuantConfig: model.hfQuantConfig,
            tensors: model.tensors,
        },
        placement: placement.kind,
        nodes: nodes ?? [],
        hasApiKey: apiKey !== undefined,
        oracle,
        fields,
    };
    const resolved = resolve(spec);
    const secret = apiKey && placement.secretProblem(apiKey);
    const problems = [
        ...placement.problems(request),
        ...(secret ? [{ path: "apiKey", message: secret }] : []),
        ...resolved.problems,
    ];
    return { request, spec, resolved, problems, open: nodes ? [] : decidedByFacts(resolved) };
}

/** What the facts of machines decide and nobody else did. */
function decidedByFacts({ settings }: ResolvedService): string[] {
    const named = ["tp-size", "mem-fraction-static"].filter((name) => settings[name] === undefined);
    return [...named, "NCCL environment"];
}

/** Everything that keeps a service from being deployed: mistakes, and settings that a rule refuses. */
export function objections({ problems, resolved }: Pick<Judged, "problems" | "resolved">): Problem[] {
    const refused = resolved.findings.filter(({ verdict }) => verdict === "refuse");
    return [
        ...problems,
        ...refused.map(({ rule, setting, message, sources }) => ({
            path: (setting && fieldOfSetting(setting)) ?? setting ?? "settings",
            message: `${message} [rule ${rule}: ${sources.join(", ")}; where it is wrong, \`accept\` overrides it]`,
        })),
    ];
}
