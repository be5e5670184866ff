import { scryptSync } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";

/** A secret: its value, or a reference to where it already is. Exactly one of the three. */
export interface SecretSource {
    /** The value; give a secret of the stack's configuration or `pulumi.secret(…)`. */
    value?: pulumi.Input<string>;
    /** Absolute path of a file on the host, mode 0600, that someone else keeps. */
    hostFile?: string;
    /** In a pool: name of a Secret of the namespace. */
    kubernetesSecret?: string;
    /** Key inside that Secret. Defaults to `token`. */
    key?: string;
}

/** Deliberately slow and keyed by the place, so that a fingerprint in a diff is no shortcut to the value. */
export function fingerprintOf(value: string, place: string): string {
    return scryptSync(value, place, 6).toString("hex");
}
