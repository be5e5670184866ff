import type * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { shortDigestOf } from "../../knowledge/base/digest.ts";
import { fingerprintOf, type SecretOnHost, type SecretValue } from "../secret-source.ts";
import type { Host } from "./host.ts";
import { agentLauncher, remoteCommand, removalLauncher } from "./host-command.ts";
import { secretFile } from "./paths.ts";

/** A secret as it is on a host. */
export interface HostSecret {
    /** Path of its file; another one where the host's name or address is another, since the old file is removed then. */
    readonly path: pulumi.Output<string>;
    /** Changes when the value does; tells nothing of it. For a `hostFile` it is the path. */
    readonly fingerprint: pulumi.Output<string>;
    /** The command that wrote it; absent for a `hostFile`. */
    readonly command?: command.remote.Command;
}

/**
 * Puts one secret into a file of its own, mode 0600. The value is the whole standard input of the command, so that
 * nothing else is masked with it, and it is in no text, no path and no other command.
 */
export function hostSecret(
    name: string,
    parent: pulumi.Resource,
    host: Host,
    source: SecretValue | SecretOnHost,
): HostSecret {
    if ("hostFile" in source) {
        return { path: pulumi.output(source.hostFile), fingerprint: pulumi.output(source.hostFile) };
    }
    const { access } = host;
    const fingerprint = pulumi.unsecret(
        pulumi.output(source.value).apply((value) => fingerprintOf(value, `${access.owner}/${name}`)),
    );
    const path = pulumi
        .all([fingerprint, access.place])
        .apply(([text, place]) => secretFile(access.root, name, `${text}-${shortDigestOf(place).slice(0, 6)}`));
    const text = pulumi.interpolate`${agentLauncher(access)} secret ${path}`;
    const written = remoteCommand(name, access, {
        create: text,
        update: text,
        remove: pulumi.interpolate`${removalLauncher(access)} remove-secret ${path}`,
        stdin: pulumi.secret(source.value),
        replaceWhen: fingerprint,
        opts: { parent, dependsOn: host },
    });
    return { path: pulumi.all([path, written.urn]).apply(([text]) => text), fingerprint, command: written };
}
