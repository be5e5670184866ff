import type { RuleArea } from "../rule.ts";
import { nvfp4 } from "./shared.ts";

export const model: RuleArea = {
    title: "Model and build",
    introduction: "What a release cannot read, or reads only with other packages.",
    rules: [
        {
            id: "model-not-in-release",
            verdict: "refuse",
            gpu: "any",
            when: { all: [{ stock: true }, { model: "not-in-release" }] },
            reason: "The release has no class for the model's architecture.",
            sources: ["sglang srt/models (EntryClass)"],
            confidence: "high",
        },
        {
            id: "transformers-too-old",
            verdict: "refuse",
            gpu: "any",
            when: { predicate: "transformers-cannot-read" },
            reason: "Transformers of this build does not recognize the model type, so SGLang stops at start.",
            remedy: "Pin a newer one in build.versions (`transformers: 5.3.0`), or take 0.5.10 or newer.",
            sources: ["sglang 0.5.9 (ran)"],
            confidence: "high",
        },
        {
            id: "transformers-below-recipe",
            verdict: "warn",
            gpu: "any",
            when: {
                all: [{ not: { predicate: "transformers-cannot-read" } }, { predicate: "transformers-below-recipe" }],
            },
            reason: "Published recipes for this model ask for a newer Transformers than the build has.",
            remedy: "Pin it in build.versions if the load fails.",
            sources: ["vllm-project/recipes"],
            confidence: "low",
        },
        {
            id: "model-unproven",
            verdict: "warn",
            when: { model: "unproven" },
            reason: "Nobody has shown this model on SM120 with SGLang; the settings follow from its structure.",
            sources: ["unverified"],
            confidence: "low",
            detectedBy: "gate",
        },
        {
            id: "cudnn-check",
            verdict: "fix",
            gpu: "any",
            when: {
                all: [
                    { model: "multimodal" },
                    { predicate: "cudnn-too-old" },
                    { not: { variable: "SGLANG_DISABLE_CUDNN_CHECK", set: true } },
                ],
            },
            environment: { SGLANG_DISABLE_CUDNN_CHECK: "1" },
            window: { sglang: [{ since: "0.5.8", before: "0.5.10" }] },
            reason: "With PyTorch 2.9.1 SGLang refuses multimodal models when cuDNN is below 9.15, which makes pictures slow, not wrong.",
            remedy: "Pin `nvidia-cudnn-cu12: 9.16.0.29` in build.versions to keep pictures fast.",
            sources: ["pytorch/pytorch#168167", "sglang 0.5.9 srt/server_args.py"],
            confidence: "high",
        },
        {
            id: "context-beyond-model",
            verdict: "refuse",
            gpu: "any",
            when: {
                all: [
                    { predicate: "context-beyond-model" },
                    { setting: "json-model-override-args", unset: true },
                    { not: { variable: "SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN", in: ["1", "true", "True"] } },
                ],
            },
            reason: "The context is longer than the model's own, and SGLang stops at start.",
            remedy: "Lower it, give rope scaling in json-model-override-args, or set SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1 at the price of wrong answers.",
            sources: ["sglang 0.5.23 srt/configs/model_config.py (ran)"],
            confidence: "high",
        },
        {
            id: "loose-shared-experts",
            verdict: "fix",
            when: { all: [nvfp4, { architecture: ["GlmMoeDsaForCausalLM"] }, { model: "loose-shared-experts" }] },
            set: { "disable-shared-experts-fusion": true },
            reason: "The shared experts of this checkpoint are loose bf16: fused into the NVFP4 experts the load fails (`3072 vs 6144`).",
            sources: [
                "sgl-project/sglang#29562",
                "sgl-project/sglang#29580",
                "sglang 0.5.9 and 0.5.16 srt/models/deepseek_v2.py, glm4_moe.py",
            ],
            confidence: "high",
            contradicted: {
                statement:
                    "Reported of GLM-5.2. That GLM-5 and 5.1 store theirs so is inferred from their size in memory; without the fusion either way of storing loads.",
                sources: ["unverified"],
            },
        },
        {
            id: "glm-decode-graphs",
            verdict: "fix",
            when: {
                all: [
                    nvfp4,
                    { architecture: ["GlmMoeDsaForCausalLM"] },
                    { model: "loose-shared-experts" },
                    { not: { setting: "disable-cuda-graph", set: true } },
                    { not: { setting: "cuda-graph-backend-decode", in: ["disabled"] } },
                    { not: { setting: "max-running-requests", below: 257 } },
                    {
                        any: [
                            { setting: "cuda-graph-max-bs-decode", unset: true },
                            { setting: "cuda-graph-max-bs-decode", above: 256 },
                        ],
                    },
                ],
            },
            set: { "cuda-graph-max-bs-decode": 256 },
            reason: "Capturing decode graphs up to SGLang's default batch of 512 ran out of memory with GLM-5.2 on eight of these cards.",
            sources: ["sgl-project/sglang#29562", "sgl-project/sglang#29580"],
            confidence: "high",
        },
        {
            id: "torch-without-sm120",
            verdict: "refuse",
            when: { predicate: "torch-without-sm120" },
            reason: "PyTorch before 2.7 has no SM120 kernels: `no kernel image is available`.",
            remedy: "Leave torch to the release.",
            sources: ["sgl-project/sglang#7249", "sgl-project/sglang#12178", "pytorch/pytorch#167244"],
            confidence: "high",
        },
        {
            id: "torch-without-kernels",
            verdict: "refuse",
            gpu: "any",
            when: { all: [{ stock: true }, { predicate: "torch-without-kernels" }] },
            reason: "SGLang's kernel package is built for one PyTorch; another one ends in an undefined symbol at import.",
            remedy: "Pin the kernel package (sgl-kernel, from 0.5.10 sglang-kernel) that was built for it too, or leave torch to the release.",
            sources: ["sgl-project/sglang#30705"],
            confidence: "medium",
        },
    ],
};
