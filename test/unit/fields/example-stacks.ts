import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../knowledge/base/package-root.ts";

// biome-ignore lint/suspicious/noExplicitAny: a stack file, edited by tests
export type StackFile = any;

const image = `example.invalid/sglang@sha256:${"0".repeat(64)}`;
const facts = "facts/first.json";
const host = { address: "192.0.2.11", hostKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDOCUMENTATION", facts };
const pool = { namespace: "inference", gpusPerNode: 8, facts };
const qwen = { repository: "nvidia/Qwen3-235B-A22B-NVFP4" };
const reason = "What the field asks for shall stand.";

/** A stack with one service, its settings, and what else differs from the usual. */
function stack(placement: object, settings: object = {}, parts: { model?: object; pool?: object } = {}): StackFile {
    const sglang = { release: "0.5.23", ...("pool" in placement ? { image } : {}) };
    return structuredClone({
        ...("pool" in placement
            ? { pools: { rtx: { ...pool, ...parts.pool }, "other-pool": { ...pool, namespace: "other" } } }
            : { hosts: { node1: host, node2: { ...host, address: "192.0.2.12" } } }),
        builds: { sglang, "other-build": { ...sglang, release: "0.5.22" } },
        models: { qwen: { ...qwen, ...parts.model }, "other-model": { repository: "nvidia/GLM-4.7-NVFP4" } },
        services: { chat: { build: "sglang", model: "qwen", placement, ...settings } },
    });
}

const onHost = { hosts: ["node1"] };
const inPool = { pool: "rtx" };

/** Stack files in one of which each field has an effect. */
export const exampleStacks: Readonly<Record<string, StackFile>> = {
    "on a host": stack(onHost),
    "in a pool": stack(inPool),
    "over several nodes": stack({ ...inPool, nodes: 4 }, {}, { pool: { storage: { accessMode: "ReadWriteMany" } } }),
    "a model with sparse attention": stack(onHost, {}, { model: { repository: "lukealonso/GLM-5-NVFP4" } }),
    "a model with linear attention": stack(onHost, {}, { model: { repository: "nvidia/Qwen3.5-397B-A17B-NVFP4" } }),
    "speculative decoding": stack(onHost, {
        speculative: { algorithm: "EAGLE", steps: 5, eagleTopK: 2, draftTokens: 8, draftModel: "owner/model" },
    }),
    "a model that nothing is known of": stack(onHost, {}, { model: { repository: "owner/unknown" } }),
    "an option of a fork": stack(onHost, { extraArgs: { "enable-what-only-a-fork-has": true } }),
    "held against an oracle": stack(onHost, { gate: { oracle: "oracles/other.json" } }),
    "with an API key": stack(onHost, { apiKey: { hostFile: "/etc/sglang/key" } }),
    "rules overridden": stack(onHost, {
        accept: ["custom-all-reduce", "flashinfer-all-reduce-fusion"].map((rule) => ({ rule, reason })),
    }),
};

/** Reads what the examples name: facts that differ by file, a model's configuration. */
export function readExampleFile(path: string): string {
    const text = (file: string) => readFileSync(join(packageRoot, file), "utf8");
    if (path.startsWith("oracles/")) {
        return text(`test/fixtures/oracle/${path === "oracles/other.json" ? "sound" : "sound-flashinfer"}.json`);
    }
    if (path === "config.json") {
        return JSON.stringify({
            architectures: ["Qwen3MoeForCausalLM"],
            model_type: "qwen3_moe",
            num_hidden_layers: 48,
            hidden_size: 2048,
            num_attention_heads: 32,
            num_key_value_heads: 4,
            head_dim: 128,
            num_experts: 128,
            num_experts_per_tok: 8,
            moe_intermediate_size: 768,
            intermediate_size: 6144,
            vocab_size: 151936,
            max_position_embeddings: 40960,
        });
    }
    const recorded = JSON.parse(text("facts/esc8000a-8x-rtxpro6000-server.json"));
    return JSON.stringify({ ...recorded, ...(path === facts ? {} : { driver: "590.48.01", memoryBytes: 2 ** 40 }) });
}
