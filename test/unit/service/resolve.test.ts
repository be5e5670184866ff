import { describe, expect, it } from "vitest";
import { ruleIds } from "../../../knowledge/rules/index.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import { fixture, hostFacts, serviceSpec } from "./service-spec.ts";

const KIMI = "nvidia/Kimi-K2.5-NVFP4";
const QWEN35 = "nvidia/Qwen3.5-397B-A17B-NVFP4";
const settingOf = (service: ResolvedService, name: string) => service.settings[name]?.value;

describe("where a setting comes from", () => {
    it("keeps what the user said, fills the rest from profile, placement, memory and rules, and says which", () => {
        const service = resolve(
            serviceSpec({
                release: "0.5.9",
                repository: QWEN35,
                fields: { backends: { moeRunner: "flashinfer_cutlass" }, scheduling: { contextLength: 131072 } },
            }),
        );
        expect(service.settings["moe-runner-backend"]).toEqual({ value: "flashinfer_cutlass", origin: "user" });
        expect(service.settings["reasoning-parser"]).toEqual({ value: "qwen3", origin: "profile" });
        expect(service.settings["tp-size"]).toEqual({ value: 8, origin: "placement" });
        expect(service.settings["mem-fraction-static"]?.origin).toBe("memory");
        expect(service.settings["fp4-gemm-backend"]).toEqual({
            value: "flashinfer_cudnn",
            origin: "rule",
            rule: "fp4-cutlass-race",
        });
        expect(service.environment.find(({ name }) => name === "NCCL_P2P_LEVEL")).toMatchObject({
            value: "SYS",
            origin: "topology",
        });
    });

    it("writes the release's own spelling, sorted, without what the placement adds", () => {
        const fields = {
            backends: { sparsePrefill: "tilelang", sparseDecode: "tilelang" },
            kvCache: { dtype: "bfloat16" },
        };
        const older = resolve(serviceSpec({ release: "0.5.10.post1", repository: "festr2/GLM-5-NVFP4-MTP", fields }));
        const newer = resolve(serviceSpec({ release: "0.5.15.post1", repository: "festr2/GLM-5-NVFP4-MTP", fields }));
        expect(older.arguments).toHaveProperty("nsa-prefill-backend", "tilelang");
        expect(newer.arguments).toHaveProperty("dsa-prefill-backend", "tilelang");
        for (const { arguments: map } of [older, newer]) {
            expect(Object.keys(map)).toEqual(Object.keys(map).toSorted());
            expect(map).not.toHaveProperty("model-path");
            expect(map).not.toHaveProperty("port");
        }
    });

    it("takes a parser away that the profile would set", () => {
        const service = resolve(serviceSpec({ repository: QWEN35, fields: { parsers: { reasoning: "none" } } }));
        expect(settingOf(service, "reasoning-parser")).toBeUndefined();
        expect(service.gate).toMatchObject({ reasoning: false, toolCall: true });
    });

    it("knows every rule that it names", () => {
        for (const release of ["0.5.9", "0.5.12.post1", "0.5.17", "0.5.23"]) {
            for (const repository of [QWEN35, KIMI, "nvidia/GLM-5.2-NVFP4", "openai/gpt-oss-120b"]) {
                const { findings } = resolve(serviceSpec({ release, repository }));
                expect(findings.map(({ rule }) => rule).filter((rule) => !ruleIds.includes(rule))).toEqual([]);
            }
        }
    });

    it("puts the worst first", () => {
        const { findings } = resolve(serviceSpec({ release: "0.5.9", fields: { backends: { attention: "fa3" } } }));
        const order = findings.map(({ verdict }) => ["refuse", "fix", "warn"].indexOf(verdict));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(findings[0]!.rule).toBe("fa3");
    });
});

describe("a checkpoint of mixed precision", () => {
    it.each(["0.5.11", "0.5.16", "0.5.23"])(
        "%s: names method and runner, since SGLang looks for modelopt_fp4 only",
        (release) => {
            for (const quantization of [undefined, "modelopt_mixed"]) {
                const service = resolve(
                    serviceSpec({
                        release,
                        repository: "nvidia/Qwen3.5-397B-A17B-NVFP4-V2",
                        fields: { backends: { quantization } },
                    }),
                );
                expect(settingOf(service, "quantization")).toBe("modelopt_mixed");
                expect(settingOf(service, "moe-runner-backend")).toBe("flashinfer_cutlass");
            }
        },
    );
});

describe("a rule that the user overrides", () => {
    const reason = "we measured it on this very host for a week";

    it("changes nothing, and shows with the reason", () => {
        const service = resolve(
            serviceSpec({
                release: "0.5.9",
                fields: {
                    backends: { fp4Gemm: "flashinfer_cutlass" },
                    accept: [{ rule: "fp4-cutlass-race", reason }],
                },
            }),
        );
        expect(service.settings["fp4-gemm-backend"]).toEqual({ value: "flashinfer_cutlass", origin: "user" });
        const finding = service.findings.find(({ rule }) => rule === "fp4-cutlass-race");
        expect(finding).toMatchObject({ verdict: "warn" });
        expect(finding!.message).toContain(reason);
    });

    it("no longer refuses", () => {
        const fields = { backends: { attention: "trtllm_mla" } };
        expect(resolve(serviceSpec({ repository: KIMI, fields })).refused).toBe(true);
        const accepted = resolve(
            serviceSpec({ repository: KIMI, fields: { ...fields, accept: [{ rule: "trtllm-mla", reason }] } }),
        );
        expect(accepted.refused).toBe(false);
        expect(accepted.findings.find(({ rule }) => rule === "trtllm-mla")).toMatchObject({ verdict: "warn" });
    });

    it("can be one that the topology makes: the variable stays as it was set", () => {
        const environment = { NCCL_P2P_LEVEL: "2" };
        const service = resolve(
            serviceSpec({ fields: { environment, accept: [{ rule: "nccl-p2p-level-number", reason }] } }),
        );
        expect(service.environment.find(({ name }) => name === "NCCL_P2P_LEVEL")).toMatchObject({
            value: "2",
            origin: "user",
        });
        expect(service.findings.find(({ rule }) => rule === "nccl-p2p-level-number")).toMatchObject({
            verdict: "warn",
        });
    });

    it("must exist; the nearest name is given", () => {
        const service = resolve(serviceSpec({ fields: { accept: [{ rule: "fp4-cutlas-race", reason }] } }));
        expect(service.problems).toEqual([
            {
                path: "accept.0.rule",
                message: expect.stringContaining('did you mean "fp4-cutlass-race"?'),
            },
        ]);
    });
});

describe("a mistake of the user's is one problem at its place, never an exception", () => {
    const problems = (changes: Parameters<typeof serviceSpec>[0]) => resolve(serviceSpec(changes)).problems;

    it.each([
        ["a release that is not supported", { release: "0.5.99" }, "build", /0\.5\.23/],
        ["a release that is no version", { release: "latest" }, "build", /not a release/],
        ["a model that nobody knows", { repository: "nobody/knows" }, "model", /config\.json/],
        ["a profile that is not there", { model: { repository: "a/b", profile: "glm-5.4" } }, "model", /did you mean/],
        ["a configuration that is none", { model: { repository: "a/b", config: { x: 1 } } }, "model", /architectures/],
        ["a topology that cannot be read", { facts: hostFacts({ topology: "no table" }) }, "facts of host", /./],
        [
            "a value that the release does not take",
            { fields: { backends: { attention: "magic" } } },
            "backends.attention",
            /magic/,
        ],
        ["an option that is not there", { fields: { extraArgs: { "tp-sise": 8 } } }, "extraArgs.tp-sise", /--tp-size/],
        [
            "an option that has a field",
            { fields: { extraArgs: { "fp4-gemm-backend": "auto" } } },
            "extraArgs.fp4-gemm-backend",
            /backends\.fp4Gemm/,
        ],
        [
            "an old name of such an option",
            { fields: { extraArgs: { "nsa-decode-backend": "trtllm" } } },
            "extraArgs.nsa-decode-backend",
            /backends\.sparseDecode/,
        ],
        [
            "an option of the placement",
            { fields: { extraArgs: { "node-rank": 1 } } },
            "extraArgs.node-rank",
            /placement/,
        ],
        [
            "an API key in the clear",
            { fields: { extraArgs: { "api-key": "secret" } } },
            "extraArgs.api-key",
            /placement/,
        ],
    ] as const)("%s", (_, changes, path, message) => {
        const found = problems(changes as Parameters<typeof serviceSpec>[0]);
        expect(found.map((problem) => problem.path)).toContain(path);
        expect(found.find((problem) => problem.path === path)!.message).toMatch(message);
        expect(resolve(serviceSpec(changes as Parameters<typeof serviceSpec>[0])).refused).toBe(true);
    });

    it("names all at once", () => {
        expect(
            problems({
                release: "0.5.99",
                repository: "nobody/knows",
                fields: { accept: [{ rule: "nothing", reason: "because of this and that" }] },
            }).map(({ path }) => path),
        ).toEqual(["accept.0.rule", "build", "model"]);
    });
});

describe("GPUs that are not SM120", () => {
    it("get no rule of SM120: an H200 host is said to be one, and nothing is changed for SM120", () => {
        const facts = hostFacts({
            count: 2,
            gpu: {
                name: "NVIDIA H200",
                computeCapability: "9.0",
                memoryMiB: 143771,
                powerLimitWatts: 700,
                powerMinWatts: 200,
            },
            driver: "580.159.04",
            topology: fixture("topology/20-2x-h200-nv18.txt"),
            p2p: { r: fixture("topology/20b-2x-h200-p2p-r.txt") },
        });
        const service = resolve(
            serviceSpec({
                facts,
                repository: "lukealonso/MiniMax-M2.5-NVFP4",
                fields: { backends: { attention: "fa3", fp4Gemm: "flashinfer_cutlass" } },
                release: "0.5.9",
                versions: { transformers: "5.3.0" },
            }),
        );
        expect(service.findings.map(({ rule }) => rule)).toContain("not-sm120");
        expect(service.findings.filter(({ verdict }) => verdict === "fix")).toEqual([]);
        expect(settingOf(service, "attention-backend")).toBe("fa3");
        expect(settingOf(service, "disable-custom-all-reduce")).toBeUndefined();
    });
});

describe("digest", () => {
    it("is the same on a host and in a pool, and changes with what the server gets", () => {
        const host = resolve(serviceSpec({ hasApiKey: true }));
        const pool = resolve(serviceSpec({ hasApiKey: true, placement: "pool" }));
        expect(pool.settingsDigest).toBe(host.settingsDigest);
        const other = resolve(serviceSpec({ hasApiKey: true, fields: { scheduling: { maxRunningRequests: 8 } } }));
        expect(other.settingsDigest).not.toBe(host.settingsDigest);
        const port = resolve(serviceSpec({ hasApiKey: true, fields: { api: { port: 8000 } } }));
        expect(port.settingsDigest).toBe(host.settingsDigest);
    });

    it("is the same every time", () => {
        expect(resolve(serviceSpec())).toEqual(resolve(serviceSpec()));
    });
});

describe("speed", () => {
    it("resolves 64 services in under two seconds", () => {
        const started = performance.now();
        for (let index = 0; index < 64; index++) {
            resolve(serviceSpec({ repository: [KIMI, QWEN35][index % 2]!, fields: { api: { port: 30000 + index } } }));
        }
        expect(performance.now() - started).toBeLessThan(2000);
    });
});
