/** A resource as a check sees it: its type, its inputs, and the options that matter. */
export interface CheckedResource {
    readonly type: string;
    readonly props: Readonly<Record<string, unknown>>;
    readonly opts?: { readonly protect?: boolean; readonly customTimeouts?: { readonly createSeconds?: number } };
}

/** What is wrong with a resource, one sentence each; empty when nothing is. */
export type Check = (resource: CheckedResource) => string[];

/** The value below a path of keys; undefined where something on the way is missing. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
    return path.reduce<unknown>(
        (found, key) =>
            found !== null && typeof found === "object" ? (found as Record<string | number, unknown>)[key] : undefined,
        value,
    );
}

/** A value as a list; anything else is an empty one. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): unknown[] {
    const found = at(value, ...path);
    return Array.isArray(found) ? found : [];
}

/** Every text in a value with the path to it. */
export function texts(value: unknown, path = ""): { path: string; text: string }[] {
    if (typeof value === "string") {
        return [{ path, text: value }];
    }
    if (value === null || typeof value !== "object") {
        return [];
    }
    return Object.entries(value).flatMap(([key, item]) => texts(item, path === "" ? key : `${path}.${key}`));
}
