import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

/** How commands become root on a host. */
export const Sudo = {
    /** The user is root. */
    None: "none",
    /** `sudo -n`, which must not ask for a password. */
    Passwordless: "passwordless",
} as const;
/** See {@link Sudo}. */
export type Sudo = (typeof Sudo)[keyof typeof Sudo];

/** How a host is reached and where things are on it: what the commands of other components need. */
export interface HostAccess {
    /** Name of the host, part of every command's name. */
    readonly name: string;
    /** Address; a new one moves everything to the new machine. */
    readonly address: pulumi.Output<string>;
    /** SSH connection, secret as a whole. */
    readonly connection: pulumi.Output<command.types.input.remote.ConnectionArgs>;
    /** How commands become root. */
    readonly sudo: pulumi.Output<Sudo>;
    /** Folder for everything but weights. */
    readonly root: string;
    /** Path of the agent on the host. */
    readonly agent: string;
    /** `<project>/<stack>`, written into every receipt: only its owner removes a thing. */
    readonly owner: string;
    /** Name and address, written into every receipt: a host that gets another of either may be the same machine. */
    readonly place: pulumi.Output<string>;
}
