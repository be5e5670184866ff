import { describe, expect, it } from "vitest";
import { inWindow, type VersionWindow } from "../../../knowledge/base/version.ts";
import type { ServiceFields } from "../../../knowledge/fields/service.ts";
import { resolve } from "../../../knowledge/service/resolve.ts";
import type { ResolvedService } from "../../../knowledge/service/spec.ts";
import { releases } from "../../../knowledge/sglang/index.ts";
import { serviceSpec, untuned } from "./service-spec.ts";

/** The settings that pick a kernel. */
const kernels = [
    "attention-backend",
    "dsa-decode-backend",
    "dsa-prefill-backend",
    "fp4-gemm-backend",
    "fp8-gemm-backend",
    "kv-cache-dtype",
    "moe-runner-backend",
    "quantization",
] as const;

/** What comes out in a range of releases: the kernels that are named, the variables of rules, and what speaks against it. */
interface Outcome {
    readonly releases: VersionWindow;
    readonly why: string;
    readonly refusedBy?: readonly string[];
    readonly kernels?: Readonly<Partial<Record<(typeof kernels)[number], string>>>;
    readonly variables?: Readonly<Record<string, string>>;
    /** Warnings, without those about P2P, which no release changes. */
    readonly warned?: readonly string[];
}

const noDeepGemm = { SGLANG_ENABLE_DEEP_GEMM: "0", SGLANG_ENABLE_JIT_DEEPGEMM: "0" };
const picturesSlow = { SGLANG_DISABLE_CUDNN_CHECK: "1" };
const named = { quantization: "modelopt_fp4", "moe-runner-backend": "flashinfer_cutlass" };
const dense = {
    "attention-backend": "triton",
    "dsa-decode-backend": "tilelang",
    "dsa-prefill-backend": "tilelang",
    "kv-cache-dtype": "bfloat16",
};

const qwen: readonly Outcome[] = [
    { releases: { before: "0.5.9" }, why: "has no class for the model", refusedBy: ["model-not-in-release"] },
    {
        releases: { since: "0.5.9", before: "0.5.10" },
        why: "FlashInfer 0.6.3 races in CUTLASS, flashinfer attention is an AssertionError, the flag is needed to load",
        kernels: {
            "attention-backend": "triton",
            "fp4-gemm-backend": "flashinfer_cudnn",
            quantization: "modelopt_fp4",
        },
        variables: { ...noDeepGemm, ...picturesSlow },
        warned: ["fp4-all-backends-broken"],
    },
    {
        releases: { since: "0.5.10", before: "0.5.11" },
        why: "auto is cuDNN and SGLang's own CUTLASS for experts, both sound with FlashInfer 0.6.7",
        kernels: {},
        variables: noDeepGemm,
    },
    {
        releases: { since: "0.5.11", before: "0.5.12" },
        why: "auto is cuDNN, which gives NaN with FlashInfer 0.6.8, and an SM100 kernel for experts",
        kernels: { ...named, "fp4-gemm-backend": "flashinfer_cutlass" },
        variables: noDeepGemm,
    },
    {
        releases: { since: "0.5.12", before: "0.5.13" },
        why: "cuDNN is sound again with FlashInfer 0.6.11; the experts still go to an SM100 kernel",
        kernels: named,
        variables: noDeepGemm,
    },
    {
        releases: { since: "0.5.13" },
        why: "all GEMM kernels are sound; with the flag left out the experts go to an SM100 kernel",
        kernels: named,
    },
];

const glm: readonly Outcome[] = [
    {
        releases: { before: "0.5.9" },
        why: "has no class for the model",
        refusedBy: ["dsa-no-sm120-kernels", "model-not-in-release", "transformers-too-old"],
    },
    {
        releases: { since: "0.5.9", before: "0.5.10" },
        why: "Transformers 4.57 cannot read the configuration, and no sparse kernel runs",
        refusedBy: ["dsa-no-sm120-kernels", "transformers-too-old"],
    },
    {
        releases: { since: "0.5.10", before: "0.5.13" },
        why: "all seven sparse backends were tried on this card and fail",
        refusedBy: ["dsa-no-sm120-kernels"],
    },
    {
        releases: { since: "0.5.13", before: "0.5.17" },
        why: "dense attention in Triton over bfloat16 is what was shown to serve this architecture on eight cards",
        kernels: { ...named, ...dense },
    },
    {
        releases: { since: "0.5.17" },
        why: "SGLang's own choice, flashinfer_sparse_mla over FP8, has SM120 kernels; nobody has shown it yet",
        kernels: named,
        warned: ["glm-sparse-mla-unproven"],
    },
];

/** The kernels of the GLM-5 launch after what the plan corrects: dense attention was asked for, so it stays in every release. */
const launched = { ...named, ...dense, "attention-backend": "flashinfer", "fp8-gemm-backend": "cutlass" };
const habits = ["nccl-channels-unmeasured", "nccl-net-buffers-single-node", "nccl-p2p-level-below-topology"];
const glmLaunch: readonly Outcome[] = [
    {
        releases: { since: "0.5.9", before: "0.5.10" },
        why: "as written but for the race in CUTLASS, with a newer Transformers put in",
        kernels: { ...launched, "fp4-gemm-backend": "flashinfer_cudnn" },
        variables: noDeepGemm,
        warned: ["fp4-all-backends-broken", "moe-cutlass-race", "transformers-below-recipe", ...habits],
    },
    {
        releases: { since: "0.5.10", before: "0.5.11" },
        why: "the named MoE runner still races with FlashInfer 0.6.7",
        kernels: launched,
        variables: noDeepGemm,
        warned: ["moe-cutlass-race", "transformers-below-recipe", ...habits],
    },
    {
        releases: { since: "0.5.11", before: "0.5.12" },
        why: "auto would be cuDNN with FlashInfer 0.6.8",
        kernels: { ...launched, "fp4-gemm-backend": "flashinfer_cutlass" },
        variables: noDeepGemm,
        warned: habits,
    },
    {
        releases: { since: "0.5.12", before: "0.5.13" },
        why: "kept; DeepGEMM stays off",
        kernels: launched,
        variables: noDeepGemm,
        warned: habits,
    },
    { releases: { since: "0.5.13" }, why: "kept", kernels: launched, warned: habits },
];
const glmFlags = `CUDA_HOME=/usr/local/cuda-12.8 NCCL_IB_DISABLE=1 NCCL_P2P_LEVEL=PHB NCCL_ALLOC_P2P_NET_LL_BUFFERS=1 NCCL_MIN_NCHANNELS=8 \\
python3 -m sglang.launch_server --model lukealonso/GLM-5-NVFP4 --trust-remote-code --tp 8 --mem-fraction-static 0.85 --max-running-requests 64 \\
  --kv-cache-dtype auto --quantization modelopt_fp4 --attention-backend flashinfer --fp8-gemm-backend cutlass --nsa-decode-backend trtllm \\
  --nsa-prefill-backend trtllm --moe-runner-backend flashinfer_cutlass --disable-custom-all-reduce --enable-flashinfer-allreduce-fusion \\
  --disable-cuda-graph --host 0.0.0.0 --port 8000`;

describe.each([
    ["Qwen3.5-397B NVFP4 on eight cards", "nvidia/Qwen3.5-397B-A17B-NVFP4", qwen, {}, {}],
    ["GLM-5 NVFP4 on eight cards", "lukealonso/GLM-5-NVFP4", glm, {}, {}],
    [
        "GLM-5 NVFP4 with the launch of early 2026",
        "lukealonso/GLM-5-NVFP4",
        glmLaunch,
        { launch: glmFlags },
        { transformers: "5.3.0" },
    ],
] as [string, string, readonly Outcome[], ServiceFields, Record<string, string>][])(
    "%s",
    (_, repository, outcomes, fields, newer) => {
        const rows = releases().flatMap((release) => {
            const outcome = outcomes.find(({ releases: window }) => inWindow(release, window));
            return outcome === undefined ? [] : [[release, outcome.why, outcome] as const];
        });

        it("says something of every release that has the model", () => {
            expect(rows.length).toBeGreaterThanOrEqual(releases().length - 1);
        });

        it.each(rows)("%s: %s", (release, _why, outcome) => {
            const versions = inWindow(release, { before: "0.5.10" }) ? newer : {};
            const service = resolve(serviceSpec(untuned({ release, repository, fields, versions })));
            expect(verdicts(service, "refuse")).toEqual(outcome.refusedBy ?? []);
            expect(service.problems).toEqual([]);
            if (outcome.refusedBy === undefined) {
                expect(kernelsOf(service)).toEqual(outcome.kernels);
                expect(ruleVariables(service)).toEqual(outcome.variables ?? {});
                expect(verdicts(service, "warn")).toEqual([...(outcome.warned ?? [])].sort());
                expect(service.settings["flashinfer-allreduce-fusion-backend"]).toBeUndefined();
                expect(service.settings["disable-custom-all-reduce"]?.value).toBe(true);
            }
        });
    },
);

function verdicts({ findings }: ResolvedService, verdict: string): string[] {
    const found = findings.filter((finding) => finding.verdict === verdict).map(({ rule }) => rule);
    return [...new Set(found)].filter((rule) => !/^(?:launch-|nccl-p2p-unproven)/.test(rule)).sort();
}

function kernelsOf({ settings }: ResolvedService): Record<string, unknown> {
    return Object.fromEntries(kernels.flatMap((name) => (settings[name] ? [[name, settings[name].value]] : [])));
}

function ruleVariables({ environment }: ResolvedService): Record<string, string> {
    return Object.fromEntries(
        environment.filter(({ origin }) => origin === "rule").map((one) => [one.name, one.value]),
    );
}
