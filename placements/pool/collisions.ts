import type { Problem } from "../../knowledge/base/settings.ts";
import { groupName, podsService } from "./workload.ts";

/** A service, and its pool where it is in one. */
export interface NamedService {
    readonly name: string;
    readonly pool?: string | undefined;
}

/** Services of a pool whose Kubernetes Services would have one name. One list a service, paths below the service. */
export function nameCollisions(services: readonly NamedService[]): Problem[][] {
    const made = ({ name }: NamedService) => [name, podsService(name), groupName(name)];
    return services.map((service, index) =>
        services.slice(0, index).flatMap((other) => {
            const shared = made(service).find((one) => made(other).includes(one));
            return shared === undefined || service.pool === undefined || service.pool !== other.pool
                ? []
                : [
                      {
                          path: "placement",
                          message: `makes a Kubernetes Service ${shared}, and so does services.${other.name}: give one of them another name`,
                      },
                  ];
        }),
    );
}
