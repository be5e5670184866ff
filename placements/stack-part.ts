import type { HostFields } from "../knowledge/fields/host.ts";
import type { PoolFields } from "../knowledge/fields/pool.ts";
import type { SecretReference } from "../knowledge/fields/values.ts";
import type { HostFacts } from "../knowledge/records/facts.ts";

/** What a stack file has that the `placement` of a service refers to. */
export interface StackParts {
    /** `<project>/<stack>`. */
    readonly owner: string;
    readonly hosts: Readonly<Record<string, HostFields>>;
    readonly pools: Readonly<Record<string, PoolFields>>;
    /** Facts by name of the host or pool. */
    readonly facts: Readonly<Record<string, HostFacts>>;
}

/** Secrets of a service, as the stack file refers to them. */
export interface StackSecrets {
    /** Hub token of its model. */
    readonly token: SecretReference | undefined;
    readonly apiKey: SecretReference | undefined;
}

/** Looks a name up in a table of the file; a name that is not there is a problem at the path below `placement`. */
export type Find = <T>(
    table: Readonly<Record<string, T>>,
    name: string,
    path: string,
    kind: "host" | "pool" | "build" | "model",
) => T | undefined;
