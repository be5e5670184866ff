import * as pulumi from "@pulumi/pulumi";
import {
    type GpuPool,
    Host,
    type HostArgs,
    InferenceService,
    type InferenceServiceArgs,
    ModelCache,
    type ModelCacheArgs,
    PatchedBuild,
    type PatchedBuildArgs,
} from "../../../index.ts";
import { hostFacts } from "../service/service-spec.ts";

/** Arguments of a host that are right, and what differs. */
export const hostArgs = (changes: Partial<HostArgs> = {}): HostArgs => ({
    address: "192.0.2.11",
    hostKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDOCUMENTATION",
    user: "deploy",
    facts: hostFacts(),
    ...changes,
});

/** A pool of nodes like that host, and what differs. */
export const gpuPool = (changes: Partial<GpuPool> = {}): GpuPool => ({
    namespace: "inference",
    nodeSelector: { pool: "rtx" },
    gpusPerNode: 8,
    facts: hostFacts(),
    ...changes,
});

/** What `pin` writes for a model of one file. */
export const lock: ModelCacheArgs["lock"] = {
    revision: "0123456789abcdef0123456789abcdef01234567",
    bytes: 12_000_000_000,
    manifestDigest: "a".repeat(64),
    files: [{ path: "config.json", size: 12_000_000_000, gitBlob: "b".repeat(40) }],
};

/** Changes of {@link example}. */
export interface ExampleChanges {
    host?: Partial<HostArgs>;
    build?: Partial<PatchedBuildArgs>;
    cache?: Partial<ModelCacheArgs>;
    service?: Partial<InferenceServiceArgs>;
}

/** The smallest whole deployment: one host, one build, one model, one service. */
export function example(changes: ExampleChanges = {}) {
    const host = new Host("rack1", hostArgs(changes.host));
    const placement = { hosts: [host] };
    const build = new PatchedBuild("sglang", {
        placement,
        release: "0.5.23",
        dependencies: "parser-only",
        ...changes.build,
    });
    const repository = "nvidia/Qwen3-235B-A22B-NVFP4";
    const cache = new ModelCache("qwen", { placement, repository, lock, ...changes.cache });
    const { placement: wanted, ...settings } = changes.service ?? {};
    // a test's own placement may be a function of the hosts that are made here
    const there = typeof wanted === "function" ? (wanted as (hosts: Host[]) => typeof placement)([host]) : wanted;
    const service = new InferenceService("chat", { build, cache, placement: there ?? placement, ...settings });
    return { host, build, cache, service };
}

/** A secret as a stack's configuration gives one. */
export const secret = (text: string): pulumi.Output<string> => pulumi.secret(text);
