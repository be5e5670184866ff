import type { Command } from "commander";

/** A verb of the command: what it is for, and the module that declares what it takes and does. */
interface Verb {
    readonly summary: string;
    readonly load: () => Promise<{ readonly declare: (verb: Command) => void }>;
}

/** Every verb; its module is loaded when it is named. */
export const verbs: Readonly<Record<string, Verb>> = {
    plan: {
        summary: "what `pulumi up` would put on the machines, without an engine, host or cluster",
        load: () => import("./plan.ts"),
    },
    topology: {
        summary: "what `nvidia-smi topo -m` says, and the NCCL environment that it leads to",
        load: () => import("./topology.ts"),
    },
    options: {
        summary: "the options of an SGLang release, as its own parser declares them",
        load: () => import("./options.ts"),
    },
    rules: {
        summary: "what is known to be unsafe on SM120, by version, with sources",
        load: () => import("./rules.ts"),
    },
    models: {
        summary: "the models that are known, their checkpoints, and what is proven of them on SM120",
        load: () => import("./models.ts"),
    },
    patches: {
        summary: "the patches that ship for each release, and what each is for",
        load: () => import("./patches.ts"),
    },
    explain: {
        summary: "a field of the stack file, a setting of SGLang, or a rule: type, unit, default, sources",
        load: () => import("./explain.ts"),
    },
    pin: {
        summary: "look up revisions, files and packages, and write locks/STACK.json",
        load: () => import("./pin.ts"),
    },
    facts: {
        summary: "record what a host is: GPUs, topology, driver, toolchain",
        load: () => import("./facts.ts"),
    },
    status: {
        summary: "what the hosts run, and the verdict of the last gate; exit 1 when a service is not up",
        load: () => import("./status.ts"),
    },
    receipt: {
        summary: "what a gate proved, every figure, and of what; exit 1 when it said no or its machine changed",
        load: () => import("./receipt.ts"),
    },
    logs: {
        summary: "the journal of a service, from each of its hosts",
        load: () => import("./logs.ts"),
    },
    drift: {
        summary: "what the stack file asks for against what the hosts run; exit 1 when they differ",
        load: () => import("./drift.ts"),
    },
    oracle: {
        summary: "whether a server computes what a trusted one does: `oracle record`, `oracle compare`",
        load: () => import("./oracle.ts"),
    },
    review: {
        summary: "a `pulumi preview --json` as a change description in Markdown",
        load: () => import("./review.ts"),
    },
};
