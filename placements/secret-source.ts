import { scryptSync } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { hostPath } from "../knowledge/fields/values.ts";
import { input } from "./component.ts";
import type { SecretKind } from "./placement.ts";

/** A secret by its value: a secret of the stack's configuration or `pulumi.secret(…)`. */
export interface SecretValue {
    /** The value. */
    value: pulumi.Input<string>;
}

/** A secret in a file on the host, mode 0600, that someone else keeps. */
export interface SecretOnHost {
    /** Absolute path of the file. */
    hostFile: string;
}

/** A secret in a Secret of the pool's namespace. */
export interface SecretInCluster {
    /** Name of the Secret. */
    kubernetesSecret: pulumi.Input<string>;
    /** Key inside that Secret. Defaults to `token`. */
    key?: string;
}

/** A secret: its value, or a reference to where it already is. */
export type SecretSource = SecretValue | SecretOnHost | SecretInCluster;

/** @internal The schema of {@link SecretSource}. */
export const secretSource = z.union(
    [
        z.strictObject({ value: input(z.string().min(1)) }),
        z.strictObject({ hostFile: hostPath }),
        z.strictObject({ kubernetesSecret: input(z.string().min(1)), key: z.string().default("token") }),
    ],
    { error: "must be one of { value }, { hostFile: <path> } and { kubernetesSecret: <name>, key: <key> }" },
);

/** How a secret is given. */
export function kindOf(source: SecretSource): SecretKind {
    if ("value" in source) {
        return "value";
    }
    return "hostFile" in source ? "hostFile" : "kubernetesSecret";
}

/** Deliberately slow and keyed by the place, so that a fingerprint in a diff is no shortcut to the value. */
export function fingerprintOf(value: string, place: string): string {
    return scryptSync(value, place, 6).toString("hex");
}
