/** Two services on one host, four cards each, from one build. */
import { readFileSync } from "node:fs";
import { Config } from "@pulumi/pulumi";
import {
    Fp4GemmBackend,
    Host,
    type HostFacts,
    InferenceService,
    KvCacheDtype,
    ModelCache,
    MoeRunnerBackend,
    PatchedBuild,
} from "pulumi-sglang";

const config = new Config();

// Recorded with `pulumi-sglang facts HOST -o facts.json`.
const facts = JSON.parse(readFileSync(config.require("facts"), "utf8")) as HostFacts;

const host = new Host("node1", {
    address: config.require("address"),
    hostKey: config.require("hostKey"),
    user: "deploy",
    facts,
});
const placement = { hosts: [host] };

const build = new PatchedBuild("sglang", { placement, release: "0.5.23", patches: ["redact-credentials"] });

const chat = new InferenceService("chat", {
    placement: { ...placement, gpus: [0, 1, 2, 3] },
    build,
    cache: new ModelCache("qwen35", { placement, repository: "nvidia/Qwen3.5-397B-A17B-NVFP4" }),
    backends: { fp4Gemm: Fp4GemmBackend.FlashinferCudnn, moeRunner: MoeRunnerBackend.FlashinferCutlass },
    kvCache: { dtype: KvCacheDtype.Fp8E4m3 },
    scheduling: { contextLength: 65536 },
    api: { port: 8000 },
});

const code = new InferenceService("code", {
    placement: { ...placement, gpus: [4, 5, 6, 7] },
    build,
    cache: new ModelCache("minimax", { placement, repository: "nvidia/MiniMax-M2.5-NVFP4" }),
    kvCache: { dtype: KvCacheDtype.Fp8E4m3 },
    api: { port: 8001 },
});

/** Where each of them answers. */
export const endpoints = { chat: chat.endpoint, code: code.endpoint };
