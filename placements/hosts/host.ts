import type * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { agentArchive } from "../../knowledge/artifacts/agent-archive.ts";
import { hostKeySchema, hostSchema, jumpHostSchema } from "../../knowledge/fields/host.ts";
import { type HostFacts, hostFactsSchema } from "../../knowledge/records/facts.ts";
import { checkArgs, input, typeToken, whenKnown } from "../component.ts";
import { agentInstaller } from "./agent-installer.ts";
import { type HostAccess, Sudo } from "./host-access.ts";
import { remoteCommand } from "./host-command.ts";
import { agentFolder } from "./paths.ts";

/** A machine between the operator and a host. */
export interface JumpHostArgs {
    /** Address of the machine in between. */
    address: pulumi.Input<string>;
    /** SSH port. Defaults to 22. */
    port?: number;
    /** User. Defaults to `root`. */
    user?: pulumi.Input<string>;
    /** Its ed25519 or ecdsa host key, as `ssh-keyscan` prints it. */
    hostKey: pulumi.Input<string>;
}

/** Arguments of {@link Host}. */
export interface HostArgs {
    /** Address or DNS name. A new address moves everything that runs on the host to the new machine. */
    address: pulumi.Input<string>;
    /** SSH port. Defaults to 22. */
    port?: number;
    /** User to log in as. Defaults to `root`. */
    user?: pulumi.Input<string>;
    /** The host's ed25519 or ecdsa key, as `ssh-keyscan -t ed25519` prints it. Required: without it any machine would be trusted. */
    hostKey: pulumi.Input<string>;
    /** Private key text. Defaults to the operator's SSH agent. */
    privateKey?: pulumi.Input<string>;
    /** Machine in between. Defaults to none. */
    proxy?: JumpHostArgs;
    /** How commands become root. Defaults to `none` for the user root and `passwordless` for all others. */
    sudo?: Sudo;
    /** Seconds for one connection attempt. Defaults to 15. */
    dialTimeoutSeconds?: number;
    /** Folder on the host for everything but weights. Defaults to `/opt/sglang`. */
    root?: string;
    /**
     * Facts recorded from the machine by `pulumi-sglang facts`; checked against the machine before anything else happens there.
     * Where they come from another resource, a preview of services on this host says which settings are open.
     */
    facts: pulumi.Input<HostFacts>;
}

const { address, user } = hostSchema.shape;
const jumpShape = jumpHostSchema.shape;

const hostArgs = hostSchema.extend({
    address: input(address),
    user: input<string>(user).prefault("root"),
    hostKey: input(hostKeySchema),
    privateKey: input(z.string().min(1)).optional(),
    proxy: jumpHostSchema
        .extend({
            address: input(jumpShape.address),
            user: input<string>(jumpShape.user).prefault("root"),
            hostKey: input(hostKeySchema),
        })
        .optional(),
    facts: input(hostFactsSchema),
});

type CheckedHost = z.output<typeof hostArgs>;

/**
 * One bare-metal machine: reachable over SSH, its agent installed, its facts checked against the recorded ones.
 *
 * @example
 * ```ts
 * const host = new Host("rack1", { address: "192.0.2.11", hostKey: "ssh-ed25519 AAAA…", facts });
 * ```
 */
export class Host extends pulumi.ComponentResource {
    /** Name of the host, as given. */
    public readonly name: string;
    /** Facts that were recorded of it. */
    public readonly facts: pulumi.Output<HostFacts>;
    /** @internal The facts, where they are known when the program runs. */
    public readonly knownFacts: HostFacts | undefined;
    /** @internal How other components reach it; whoever uses it waits until the agent is installed. */
    public readonly access: HostAccess;

    /** Throws a `RunError` that names every invalid argument. */
    constructor(name: string, args: HostArgs, opts?: pulumi.ComponentResourceOptions) {
        const checked = checkArgs("Host", name, hostArgs, args);
        const { port, root } = checked;
        const later = <T>(path: string, schema: z.ZodType<T>, value: T | pulumi.Output<T>) =>
            whenKnown(["Host", name, path], schema, value);
        const address = later("address", hostSchema.shape.address, checked.address);
        const user = later<string>("user", hostSchema.shape.user, checked.user);
        const hostKey = later("hostKey", hostKeySchema, checked.hostKey);
        const facts = later("facts", hostFactsSchema, checked.facts);
        const sudo = checked.sudo
            ? pulumi.output<Sudo>(checked.sudo)
            : user.apply((login): Sudo => (login === "root" ? Sudo.None : Sudo.Passwordless));
        const gpus = facts.apply(gpuSummary);
        super(typeToken("Host"), name, { address, port, user, hostKey, sudo, root, gpus }, opts);

        const archive = agentArchive();
        const access: HostAccess = {
            name,
            address,
            connection: connection({ ...checked, address, user, hostKey }),
            sudo,
            root,
            agent: `${agentFolder(root, archive.digest)}/agent.pyz`,
            owner: `${pulumi.getProject()}/${pulumi.getStack()}`,
            place: pulumi.interpolate`${name} ${address}`,
        };
        const install = remoteCommand(`${name}-agent`, access, {
            ...agentInstaller(access, archive, facts),
            opts: { parent: this, hideDiffs: ["stdin"] },
        });

        this.name = name;
        this.facts = facts;
        this.knownFacts = pulumi.Output.isInstance(checked.facts) ? undefined : (checked.facts as HostFacts);
        this.access = { ...access, address: pulumi.all([access.address, install.urn]).apply(([address]) => address) };
        this.registerOutputs({ name });
    }
}

/** What a diff shows of the facts, such as `8 x NVIDIA RTX PRO 6000 Blackwell Server Edition`. */
function gpuSummary(facts: HostFacts): string {
    const counts = new Map<string, number>();
    for (const { name } of facts.gpus) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => `${count} x ${name}`).join(", ");
}

/** The connection, field by field: an unknown field would make the engine print the whole object, key included (pulumi/pulumi#19465). */
function connection({
    address,
    port,
    user,
    hostKey,
    dialTimeoutSeconds,
    proxy,
    privateKey,
}: CheckedHost): pulumi.Output<command.types.input.remote.ConnectionArgs> {
    const own = { host: address, port, user, hostKey, perDialTimeout: dialTimeoutSeconds, privateKey };
    const between = proxy && {
        host: proxy.address,
        port: proxy.port,
        user: proxy.user,
        hostKey: proxy.hostKey,
        privateKey,
    };
    return pulumi.secret(
        pulumi
            .all([own, between])
            .apply(([direct, jump]) =>
                jump ? { ...withoutEmpty(direct), proxy: withoutEmpty(jump) } : withoutEmpty(direct),
            ),
    ) as pulumi.Output<command.types.input.remote.ConnectionArgs>;
}

function withoutEmpty(fields: object): object {
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
