/** A verb of the command: what it is for, and the module that runs it. */
interface Verb {
    readonly summary: string;
    readonly arguments: string;
    readonly load: () => Promise<{ run: (argv: string[]) => number | Promise<number> }>;
}

/** Every verb; its module is loaded when it is used. */
export const verbs: Readonly<Record<string, Verb>> = {
    plan: {
        arguments:
            "[-s STACK | --file FILE | --from-command FILE [--release V] [--facts FILE] [--model-config FILE]] [--write DIR] [--json]",
        summary: "what `pulumi up` would put on the machines, without an engine, host or cluster",
        load: () => import("./plan.ts"),
    },
    topology: {
        arguments: "FILE [--numactl FILE] [--svg FILE] [--json]",
        summary: "what `nvidia-smi topo -m` says, and the NCCL environment that it leads to",
        load: () => import("./topology.ts"),
    },
    options: {
        arguments: "RELEASE [NAME] [--json]",
        summary: "the options of an SGLang release, as its own parser declares them",
        load: () => import("./options.ts"),
    },
    rules: {
        arguments: "[--json]",
        summary: "what is known to be unsafe on SM120, by version, with sources",
        load: () => import("./rules.ts"),
    },
    pin: {
        arguments: "[-s STACK | --file FILE]",
        summary: "look up revisions, files and packages, and write locks/STACK.json",
        load: () => import("./pin.ts"),
    },
    facts: {
        arguments: "HOST [-o FILE]",
        summary: "record what a host is: GPUs, topology, driver, toolchain",
        load: () => import("./facts.ts"),
    },
    status: {
        arguments: "[-s STACK | --file FILE] [SERVICE …] [--json]",
        summary: "what the hosts run, and the verdict of the last gate",
        load: () => import("./status.ts"),
    },
    logs: {
        arguments: "[-s STACK | --file FILE] [SERVICE …] [-n LINES]",
        summary: "the journal of a service",
        load: () => import("./logs.ts"),
    },
    drift: {
        arguments: "[-s STACK | --file FILE] [SERVICE …] [--json]",
        summary: "what the stack file asks for against what the hosts run",
        load: () => import("./drift.ts"),
    },
    review: {
        arguments: "[--file FILE] < preview.json",
        summary: "a `pulumi preview --json` as a change description in Markdown",
        load: () => import("./review.ts"),
    },
};

/** The help text of some verbs, or of all. */
export function usage(names: readonly string[] = Object.keys(verbs)): string {
    const lines = names.map((name) => `  ${name} ${verbs[name]!.arguments}\n      ${verbs[name]!.summary}`);
    return `Usage: pulumi-sglang VERB …\n\n${lines.join("\n")}\n`;
}
