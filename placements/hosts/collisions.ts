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
        const wanted = (placement === "hosts" ? nodes : []).flatMap((node) => [
            ...node.gpus.map((gpu) => [`GPU ${gpu} of ${node.name}`, "placement.gpus"] as const),
            [`port ${endpointOf(settings).port} of ${node.name}`, "api.port"] as const,
        ]);
        return wanted.flatMap(([what, path]) => {
            const other = taken.get(what);
            taken.set(what, other ?? name);
            return other === undefined ? [] : [{ path, message: `${what} is already used by services.${other}` }];
        });
    });
}
