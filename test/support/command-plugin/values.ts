/**
 * Property values as they travel between engine and plugin: plain JSON, in which a secret is a marked object and an
 * unknown value (known only after the update) is one fixed string. Both marks are documented constants of Pulumi's SDK.
 */

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** What stands for a value that a preview cannot know. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
export type Properties = { [key: string]: Value };

export function isMap(value: Value | undefined): value is Properties {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSecret(value: Value | undefined): boolean {
    return isMap(value) && value[signatureKey] === secretSignature;
}

/** Marks a value as secret, unless it is marked already. */
export function asSecret(value: Value): Value {
    return isSecret(value) ? value : { [signatureKey]: secretSignature, value };
}

/** The value without any secret mark, at any depth: for running a command, never for an answer. */
export function reveal(value: Value): Value {
    if (Array.isArray(value)) {
        return value.map(reveal);
    }
    if (!isMap(value)) {
        return value;
    }
    return isSecret(value) ? reveal(value.value ?? null) : mapValues(value, reveal);
}

/** The properties less those that are null, at the top level: a removed option arrives as null. */
export function withoutNulls(properties: Properties): Properties {
    return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
}

export function mapValues(map: Properties, change: (value: Value) => Value): Properties {
    return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
