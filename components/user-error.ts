import * as pulumi from "@pulumi/pulumi";

/**
 * The error that a user's mistake ends in. It has no stack: the engine shows none, but lets Node colour it first, which with the
 * paths of a scoped package takes Node 22 a minute and gigabytes (`markNodeModules` in its `util.inspect`).
 */
export function userError(message: string): pulumi.RunError {
    const error = new pulumi.RunError(message);
    error.stack = undefined;
    return error;
}
