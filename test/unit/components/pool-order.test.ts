/** What of a pool depends on what: the engine deletes before a replacement whatever has an input that was made of the replaced. */
import * as kubernetes from "@pulumi/kubernetes";
import { expect, test } from "vitest";
import { InferenceService, ModelCache, PatchedBuild } from "../../../index.ts";
import { runProgram } from "../../support/mocks.ts";
import { gpuPool, lock, secret } from "./example.ts";

const image = `registry.example.com/sglang@sha256:${"1".repeat(64)}`;

/** A service in a pool with all its secrets, and an object of the user's own that tells others where it is. */
function program() {
    const pool = gpuPool();
    const build = new PatchedBuild("sglang", { placement: { pool, image }, release: "0.5.23" });
    const cache = new ModelCache("qwen", {
        placement: { pool, image },
        repository: "nvidia/Qwen3-235B-A22B-NVFP4",
        token: { value: secret("hf_token") },
        lock,
    });
    const apiKey = { value: secret("sk-key") };
    const service = new InferenceService("chat", { build, cache, placement: { pool }, apiKey });
    new kubernetes.core.v1.ConfigMap("where", { data: { endpoint: service.endpoint, path: cache.path } });
}

test.each([true, false])(
    "nothing that serves is made of a download, a verdict or what they mount (preview: %s)",
    async (preview) => {
        const { registered, error } = await runProgram(program, { preview });
        expect(error).toBeUndefined();
        expect(registered.map(({ name }) => name)).toContain("where");
        const made = registered.flatMap(({ type, name, madeOf }) => madeOf.map((of) => `${type} ${name} of ${of}`));
        expect([...new Set(made)]).toEqual(["kubernetes:batch/v1:Job chat-verdict of chat-server"]);
    },
);
