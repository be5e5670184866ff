import type { Problem } from "../../knowledge/base/settings.ts";
import { endpointOf } from "../../knowledge/service/process.ts";
import type { ResolvedService, ServiceSpec } from "../../knowledge/service/spec.ts";

/** A service whose GPUs and port are decided. */
export interface PlacedService {
    readonly spec: Pick<ServiceSpec, "name" | "placement" | "nodes">;
    readonly resolved: Pick<ResolvedService, "settings">;
}

/**
 * What each service wants of a host that one before it has: a GPU or a port. One list a service, paths below the service.
 * Services in pools want nothing of a host.
 */
export function collisions(services: readonly PlacedService[]): Problem[][] {
    const taken = new Map<string, string>();
    return services.map(({ spec: { name, placement, nodes }, resolved: { settings } }) => {
        const take = (what: string) => {
            const other = taken.get(what);
            taken.set(what, other ?? name);
            return other;
        };
        return (placement === "hosts" ? nodes : []).flatMap((node) => {
            const { port } = endpointOf(settings);
            const gpus = Map.groupBy(node.gpus, (gpu) => take(`GPU ${gpu} of ${node.name}`));
            const rival = take(`port ${port} of ${node.name}`);
            return [
                ...[...gpus].flatMap(([other, shared]) =>
                    other === undefined ? [] : [gpuProblem(node.name, shared, other)],
                ),
                ...(rival === undefined
                    ? []
                    : [
                          {
                              path: "api.port",
                              message: `port ${port} of ${node.name} is already used by services.${rival}: choose another`,
                          },
                      ]),
            ];
        });
    });
}

function gpuProblem(node: string, gpus: readonly number[], other: string): Problem {
    const which = gpus.length === 1 ? `GPU ${gpus[0]} of ${node} is` : `GPUs ${gpus.join(", ")} of ${node} are`;
    return { path: "placement.gpus", message: `${which} already used by services.${other}: give each service its own` };
}
