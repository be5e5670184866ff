import { z } from "zod";
import { field } from "../../knowledge/fields/field.ts";
import { gpuList, type SecretReference, size } from "../../knowledge/fields/values.ts";
import type { Find, StackParts, StackSecrets } from "../stack-part.ts";
import type { PoolTarget } from "./placement.ts";

/** The `placement` of a service in a pool, in a stack file. */
export const poolFields = z.strictObject({
    pool: field(z.string(), { says: "Name of a pool", examples: ["rtx", "other-pool"] }),
    nodes: field(size.default(1), { says: "Nodes of the pool that one server spans", examples: [2] }),
    gpus: field(gpuList, {
        says: "Indices of the GPUs to use of each node; Kubernetes chooses which, so that only their number counts",
        default: "all",
        examples: [[0, 1, 2, 3]],
    }).optional(),
});

/** The pool that it names; nothing while it is not in the file. */
export function poolTarget(
    { pool: name, nodes, gpus }: z.output<typeof poolFields>,
    { pools, facts }: StackParts,
    find: Find,
    { token, apiKey }: StackSecrets,
): PoolTarget | undefined {
    const pool = find(pools, name, "pool", "pool");
    const recorded = facts[name];
    return (
        pool &&
        recorded && {
            kind: "pool",
            name,
            pool,
            facts: recorded,
            namespace: pool.namespace,
            nodes,
            gpus,
            token: token && inPool(token),
            apiKey: apiKey && inPool(apiKey),
        }
    );
}

function inPool(reference: SecretReference): PoolTarget["token"] {
    return "kubernetesSecret" in reference ? reference : { value: true };
}
