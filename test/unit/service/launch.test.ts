import { describe, expect, it } from "vitest";
import { compareVersions, inWindow } from "../../../knowledge/base/version.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import { releases } from "../../../knowledge/sglang/index.ts";
import { hostFacts, serviceSpec } from "./service-spec.ts";

/** A launch of early 2026, as it was used. */
const glm5 = `CUDA_HOME=/usr/local/cuda-12.8 NCCL_IB_DISABLE=1 NCCL_P2P_LEVEL=PHB NCCL_ALLOC_P2P_NET_LL_BUFFERS=1 NCCL_MIN_NCHANNELS=8 OMP_NUM_THREADS=8 SAFETENSORS_FAST_GPU=1 \\
python3 -m sglang.launch_server --model lukealonso/GLM-5-NVFP4 --served-model-name glm-5 --reasoning-parser glm45 --tool-call-parser glm47 \\
  --trust-remote-code --tp 8 --mem-fraction-static 0.85 --max-running-requests 64 --kv-cache-dtype auto --quantization modelopt_fp4 \\
  --attention-backend flashinfer --fp8-gemm-backend cutlass --nsa-decode-backend trtllm --nsa-prefill-backend trtllm \\
  --moe-runner-backend flashinfer_cutlass --disable-custom-all-reduce --enable-flashinfer-allreduce-fusion --disable-cuda-graph --host 0.0.0.0 --port 8000`;

/** The flags that cured a service of nothing but "!", with the option name as it was written then. */
const qwen35 = "--moe-runner-backend flashinfer_cutlass --fp4-gemm-runner-backend flashinfer_cudnn";

const settingOf = (service: ResolvedService, name: string) => service.settings[name];
const variable = (service: ResolvedService, name: string) => service.environment.find((one) => one.name === name);
const said = (service: ResolvedService, rule: string) => service.findings.filter((finding) => finding.rule === rule);
const glm = (release: string) =>
    resolve(
        serviceSpec({
            release,
            repository: "lukealonso/GLM-5-NVFP4",
            versions: compareVersions(release, "0.5.10") < 0 ? { transformers: "5.2.0" } : {},
            fields: { launch: glm5 },
        }),
    );

describe("the GLM-5 launch, release by release", () => {
    it.each(releases())("%s", (release) => {
        const service = glm(release);
        if (compareVersions(release, "0.5.9") < 0) {
            // the model is not in this release, nor is the choice trtllm
            expect(service.refused).toBe(true);
            expect(said(service, "model-not-in-release")).toHaveLength(1);
            expect(service.problems.map(({ path }) => path)).toContain("launch.--nsa-decode-backend");
            return;
        }
        expect(service.problems).toEqual([]);
        expect(service.refused, said(service, "x").join()).toBe(false);

        // kept as the user wrote it
        expect(settingOf(service, "tp-size")).toEqual({ value: 8, origin: "user" });
        expect(settingOf(service, "attention-backend")).toEqual({ value: "flashinfer", origin: "user" });
        expect(settingOf(service, "moe-runner-backend")).toEqual({ value: "flashinfer_cutlass", origin: "user" });
        expect(settingOf(service, "fp8-gemm-backend")).toEqual({ value: "cutlass", origin: "user" });
        expect(service.gate.servedModelName).toBe("glm-5");
        expect(variable(service, "NCCL_P2P_LEVEL")).toMatchObject({ value: "PHB", origin: "user" });
        expect(said(service, "nccl-p2p-level-below-topology")[0]).toMatchObject({ verdict: "warn" });

        // corrected: fused all-reduce off, no sparse kernel of other cards, a cache that dense attention can use
        expect(settingOf(service, "flashinfer-allreduce-fusion-backend")).toBeUndefined();
        expect(settingOf(service, "kv-cache-dtype")).toMatchObject({ value: "bfloat16", rule: "dsa-dense-cache" });
        expect(settingOf(service, "dsa-decode-backend")).toMatchObject({ value: "tilelang", origin: "rule" });
        expect(variable(service, "CUDA_HOME")).toBeUndefined();
        expect(settingOf(service, "host")).toMatchObject({ value: "127.0.0.1", rule: "open-without-key" });
        const gemm = settingOf(service, "fp4-gemm-backend");
        expect(gemm?.value).toBe(
            inWindow(release, { before: "0.5.10" })
                ? "flashinfer_cudnn"
                : inWindow(release, { since: "0.5.11", before: "0.5.12" })
                  ? "flashinfer_cutlass"
                  : undefined,
        );

        // written in that release's spelling, the abbreviation included
        const spelled = compareVersions(release, "0.5.13") < 0 ? "nsa-decode-backend" : "dsa-decode-backend";
        expect(service.arguments).toHaveProperty(spelled, "tilelang");
        expect(service.arguments).toHaveProperty("tp-size", 8);
        expect(said(service, "launch-translated").map(({ setting }) => setting)).toContain("tp-size");
    });
});

describe("the Qwen3.5 flags, release by release", () => {
    const service = (release: string, launch: string) =>
        resolve(
            serviceSpec({
                release,
                repository: "nvidia/Qwen3.5-397B-A17B-NVFP4",
                fields: { launch: `python3 -m sglang.launch_server --tp-size 8 ${launch}` },
            }),
        );

    it.each(releases())("%s: an option that never existed is refused with the one that is meant", (release) => {
        expect(service(release, qwen35).problems).toEqual([
            {
                path: "launch.--fp4-gemm-runner-backend",
                message: expect.stringMatching(/never existed.*--fp4-gemm-backend/),
            },
        ]);
    });

    it.each(releases())("%s: with that name they are kept, but where cuDNN is the one that fails", (release) => {
        const resolved = service(release, qwen35.replace("--fp4-gemm-runner-backend", "--fp4-gemm-backend"));
        if (compareVersions(release, "0.5.9") < 0) {
            expect(said(resolved, "model-not-in-release")).toHaveLength(1);
            return;
        }
        expect(resolved.refused).toBe(false);
        expect(settingOf(resolved, "moe-runner-backend")).toEqual({ value: "flashinfer_cutlass", origin: "user" });
        expect(settingOf(resolved, "fp4-gemm-backend")).toEqual(
            inWindow(release, { since: "0.5.11", before: "0.5.12" })
                ? { value: "flashinfer_cutlass", origin: "rule", rule: "fp4-cudnn-nan" }
                : { value: "flashinfer_cudnn", origin: "user" },
        );
        expect(settingOf(resolved, "attention-backend")?.value).toBe(
            compareVersions(release, "0.5.10") < 0 ? "triton" : undefined,
        );
    });
});

describe("a launch beside typed fields", () => {
    it("gives way to the field", () => {
        const service = resolve(
            serviceSpec({
                fields: {
                    launch: "sglang serve --tp-size 4 --attention-backend triton --disable-radix-cache",
                    parallelism: { tensor: 8 },
                    kvCache: { radixCache: true },
                },
            }),
        );
        expect(settingOf(service, "tp-size")).toEqual({ value: 8, origin: "user" });
        expect(settingOf(service, "attention-backend")).toEqual({ value: "triton", origin: "user" });
        expect(settingOf(service, "disable-radix-cache")).toBeUndefined();
    });

    it("never brings a key, and leaves to the placement what it decides", () => {
        const service = resolve(
            serviceSpec({
                fields: { launch: "sglang serve --model-path other/model --node-rank 1 --api-key sk-12345" },
            }),
        );
        expect(JSON.stringify(service)).not.toContain("sk-12345");
        expect(service.problems).toEqual([{ path: "launch.--api-key", message: expect.stringContaining("secret") }]);
        expect(said(service, "launch-placed")[0]).toMatchObject({ setting: "node-rank" });
        expect(said(service, "launch-model")[0]!.message).toContain("other/model");
    });

    it("passes a backend of a fork on a build that is not stock, and says so", () => {
        const launch = "sglang serve --moe-runner-backend b12x --fp4-gemm-backend b12x --attention-backend triton";
        const service = resolve(serviceSpec({ stock: false, fields: { launch } }));
        expect(service.problems).toEqual([]);
        expect(service.refused).toBe(false);
        expect(service.arguments).toMatchObject({ "moe-runner-backend": "b12x", "fp4-gemm-backend": "b12x" });
        expect(said(service, "option-not-stock").map(({ setting }) => setting)).toEqual([
            "fp4-gemm-backend",
            "moe-runner-backend",
        ]);
        expect(resolve(serviceSpec({ fields: { launch } })).refused).toBe(true);
    });

    it("passes an option of a fork on a build that is not stock, and says so", () => {
        const launch = "sglang serve --enable-pcie-oneshot-allreduce --attention-backend triton";
        const service = resolve(serviceSpec({ stock: false, facts: hostFacts(), fields: { launch } }));
        expect(service.arguments).toHaveProperty("enable-pcie-oneshot-allreduce", true);
        expect(said(service, "option-not-stock")).toHaveLength(1);
        expect(resolve(serviceSpec({ fields: { launch } })).refused).toBe(true);
    });
});
