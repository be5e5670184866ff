import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { canonicalJson } from "../../knowledge/base/digest.ts";
import { addressed, type Planned } from "../../knowledge/contract/index.ts";
import { type HostAccess, Sudo } from "./host-access.ts";

/** Verbs that bring something about on a host. */
export type HostVerb = "activate" | "build" | "fetch" | "intend" | "prepare";

/** What a remote command is to bring about. */
export interface HostCommandArgs<V extends HostVerb> {
    /** Verb of the agent. */
    readonly verb: V;
    /** Desired state, without secrets. */
    readonly desired: pulumi.Input<Planned<V>>;
    /** What `remove` takes away again: the kind of thing. Without it a deletion does nothing on the host. */
    readonly removes?: "agent" | "build" | "model" | "service";
    /** A word after the verb in the text of an update alone: another one makes the command run though all else is as it was. */
    readonly attempt?: pulumi.Input<string>;
    /** Whether a preview shows the desired state. Defaults to false: it is long, and the component's own inputs say it. */
    readonly shown?: boolean;
}

/**
 * Runs a verb of the agent on a host: the one place that makes remote commands, in the one profile that is safe.
 *
 * The text is a constant launcher that every login shell parses alike; the desired state travels on standard input.
 */
export function hostCommand<V extends HostVerb>(
    name: string,
    host: HostAccess,
    args: HostCommandArgs<V>,
    opts: pulumi.CustomResourceOptions,
): command.remote.Command {
    const { root, owner } = host;
    const stdin = pulumi
        .all([args.desired, host.place])
        .apply(([desired, place]) =>
            canonicalJson(addressed(args.verb, { root, owner, place }, desired as Planned<V>)),
        );
    const text = pulumi.interpolate`${agentLauncher(host)} ${args.verb}`;
    return remoteCommand(name, host, {
        create: args.removes ? pulumi.interpolate`${text} ${anew}` : text,
        update: args.attempt ? pulumi.interpolate`${text} ${args.attempt}` : text,
        remove: args.removes && pulumi.interpolate`${removalLauncher(host)} remove ${args.removes}`,
        stdin,
        opts: args.shown ? opts : pulumi.mergeOptions(opts, { hideDiffs: ["stdin"] }),
    });
}

/** Command words that start the agent as root. */
export function agentLauncher(host: HostAccess): pulumi.Output<string> {
    return pulumi.interpolate`${asRoot(host)}python3 -I ${host.agent}`;
}

/**
 * Runs the stack's agent; where that is lost, another of this root in its place, such as the one that a service starts from. With
 * nothing of this root left there is nothing to remove. No single quote, backslash or exclamation mark inside.
 */
const orAnother = [
    "import glob,os,shutil,sys",
    "own=sys.argv[1]",
    'root=own.rsplit("/agent/",1)[0]',
    'found=[own]*os.path.exists(own) or glob.glob(root+"/*/*/agent.pyz")+glob.glob(root+"/*/*/*/agent.pyz")',
    'found or sys.exit(os.path.isdir(root+"/receipts") and "no agent is left in "+root)',
    "os.makedirs(os.path.dirname(own),exist_ok=True)",
    "found[0]==own or shutil.copy(found[0],own)",
    'os.execv(sys.executable,[sys.executable,"-I"]+sys.argv[1:])',
].join(";");

/** Command words that start an agent as root to take something away, though the stack's own may be lost. */
export function removalLauncher(host: HostAccess): pulumi.Output<string> {
    return pulumi.interpolate`${asRoot(host)}python3 -I -c '${orAnother}' ${host.agent}`;
}

/** Prefix that makes a command root's. */
export function asRoot(host: Pick<HostAccess, "sudo">): pulumi.Output<string> {
    return host.sudo.apply((sudo) => (sudo === Sudo.Passwordless ? "sudo -n " : ""));
}

/**
 * The word by which the agent tells a resource that the engine makes anew from one that it knows: the removal of the one before it
 * is still to come, and must take nothing away.
 */
export const anew = "anew";

/** The profile itself; {@link hostCommand}, the agent's installation and secrets are its only callers. */
export function remoteCommand(
    name: string,
    host: HostAccess,
    args: {
        readonly create: pulumi.Input<string>;
        readonly update: pulumi.Input<string>;
        readonly remove?: pulumi.Input<string>;
        readonly stdin: pulumi.Input<string>;
        readonly opts: pulumi.CustomResourceOptions;
        readonly replaceWhen?: pulumi.Input<string>;
    },
): command.remote.Command {
    return new command.remote.Command(
        name,
        {
            connection: host.connection,
            create: args.create,
            update: args.update,
            delete: args.remove,
            stdin: args.stdin,
            logging: "none",
            addPreviousOutputInEnv: false,
        },
        pulumi.mergeOptions(args.opts, {
            replacementTrigger: args.replaceWhen
                ? pulumi.all([host.address, args.replaceWhen]).apply(([address, what]) => `${address} ${what}`)
                : host.address,
            additionalSecretOutputs: ["stdout", "stderr"],
        }),
    );
}
