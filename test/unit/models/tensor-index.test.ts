/** Weights by the index of a checkpoint's files, which lies beside its configuration. */
import { describe, expect, test } from "vitest";
import { loadDeployment } from "../../../deployment/load.ts";
import { tensorIndex } from "../../../knowledge/models/index.ts";
import { fixture } from "../service/service-spec.ts";

const facts = "facts/esc8000a-8x-rtxpro6000-server.json";
const folder = "checkpoints/03-ct-fp8-dynamic";
const GIB = 2 ** 30;

/** Memory of the checkpoint on one card, with an index of so many GiB beside it or none. */
function memory(gib: number | undefined, fields: Record<string, unknown> = {}, file = "config.json", at = folder) {
    const deployment = {
        hosts: { node1: { address: "192.0.2.1", hostKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcd", facts } },
        builds: { sglang: { release: "0.5.23" } },
        models: { m: { repository: "owner/name", config: file } },
        services: {
            s: { placement: { hosts: ["node1"], gpus: [0] }, build: "sglang", model: "m", ...fields },
        },
    };
    const index = `{"metadata": {"total_size": ${Math.round((gib ?? 0) * GIB)}}, "weight_map": {"model.layers.31.mlp.up_proj.weight": "a"}}`;
    const { services, problems } = loadDeployment(deployment, (path) => {
        if (path.endsWith("model.safetensors.index.json") && gib !== undefined) {
            return index;
        }
        if (path === facts) {
            return fixture(`../../${facts}`);
        }
        if (path === file) {
            return fixture(`${at}/config.json`);
        }
        throw Object.assign(new Error("none"), { code: "ENOENT" });
    });
    expect(problems).toEqual([]);
    return services[0]!.resolved.memory!;
}

describe("the index of a checkpoint's files", () => {
    test("decides its weights, beyond what loading adds", () => {
        const { gib } = { gib: memory(undefined).weightsGiBPerGpu - 0.3 };
        for (const measured of [gib * 0.95, gib, gib * 1.1]) {
            expect(memory(measured).weightsGiBPerGpu).toBeCloseTo(measured + 0.3, 2);
        }
    });

    test("of something else than the configuration says counts for nothing", () => {
        const formula = memory(undefined).weightsGiBPerGpu;
        expect(memory(formula * 3).weightsGiBPerGpu).toBe(formula);
    });

    test("counts for nothing where the weights are quantized while they are loaded", () => {
        const online = "checkpoints/18-online-fp8-qwen3-moe";
        const fields = { backends: { quantization: "fp8" } };
        const formula = memory(undefined, fields, "config.json", online).weightsGiBPerGpu;
        expect(memory(formula * 1.1, fields, "config.json", online).weightsGiBPerGpu).toBe(formula);
    });

    test("is searched for its size, its layers and a prediction block", () => {
        const names = [
            "model.layers.0.a",
            "mtp.layers.0.b",
            "model.visual.layers.90.c",
            "model.language_model.layers.7.d",
        ];
        const map = Object.fromEntries(names.map((name) => [name, "x"]));
        const text = JSON.stringify({ metadata: { total_size: 1234 }, weight_map: map }, null, 2);
        expect(tensorIndex(text)).toEqual({ bytes: 1234, layers: 8, namesMtp: true });
        expect(tensorIndex('{"weight_map": {}}')).toBeUndefined();
        expect(tensorIndex("not JSON")).toBeUndefined();
    });
});
