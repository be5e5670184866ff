import type { TuningArea } from "../row.ts";

/** SGLang's own from 0.5.10 on. */
const threads = '{"enable_multithread_load": true, "num_threads": 8}';

export const start: TuningArea = {
    title: "Start and host",
    introduction: "How soon it is ready, and what the host can do for it.",
    rows: [
        {
            id: "loader-threads",
            gpu: "any",
            when: {
                all: [
                    {
                        any: [
                            { setting: "load-format", unset: true },
                            { setting: "load-format", in: ["safetensors"] },
                        ],
                    },
                    {
                        any: [
                            { release: { before: "0.5.10" } },
                            {
                                all: [
                                    { release: { since: "0.5.16" } },
                                    { setting: "weight-loader-prefetch-checkpoints", set: true },
                                ],
                            },
                        ],
                    },
                ],
            },
            set: { "model-loader-extra-config": threads },
            reason: "Without it this release reads the weights with one thread (before 0.5.10, and from 0.5.16 on when it prefetches).",
            effects: [],
            confidence: "medium",
            sources: [
                "sgl-project/sglang#7277",
                "sgl-project/sglang#30146",
                "sglang 0.5.10 srt/model_loader/loader.py",
            ],
        },
        {
            id: "numa-nodes",
            when: {
                all: [
                    { placement: "hosts" },
                    { count: "nodes", below: 2 },
                    { count: "data", below: 2 },
                    { predicate: "numa-nodes-known" },
                ],
            },
            window: { sglang: [{ before: "0.5.18" }] },
            set: { "numa-node": { computed: "numa-node-of-each-gpu" } },
            reason: "Each rank runs beside its card; from 0.5.18 on SGLang does so by itself.",
            effects: [],
            confidence: "medium",
            risk: "Measured on other hardware only (spread of runs 26 to 60 % without, 6 to 8 % with). SGLang warns where it may not bind.",
            sources: ["sglang 0.5.17 and 0.5.18 srt/environ.py", "unverified"],
        },
        {
            id: "power-for-throughput",
            objectives: ["throughput"],
            when: { predicate: "power-limit-below-450" },
            advice: "Raise the power limit to 450 to 500 W where card, cooling and circuit allow it (`nvidia-smi -pl`).",
            reason: "Many users at once gain up to 500 W, and nothing above.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 1206,
                    after: 1558,
                    at: "64 users, 300 against 500 W",
                    on: "MiniMax-M2.5 NVFP4 on 4 cards",
                    source: "local-inference-lab/rtx6kpro (power sweep)",
                },
            ],
            confidence: "high",
            sources: ["local-inference-lab/rtx6kpro (power sweep)"],
        },
        {
            id: "power-for-one-user",
            objectives: ["latency"],
            when: { predicate: "power-limit-above-400" },
            advice: "A limit of 300 to 350 W costs one user about 4 % and halves the draw; speculative decoding loses more (18 % on an RTX 5090 at 400 of 600 W).",
            reason: "Decoding for few users is bound by memory and not by arithmetic.",
            effects: [
                {
                    measure: "output tokens/s",
                    before: 625.6,
                    after: 597,
                    at: "600 against 300 W",
                    on: "GLM-4.5-Air FP8 on 2 cards",
                    source: "local-inference-lab/rtx6kpro (power sweep)",
                },
            ],
            confidence: "medium",
            sources: ["local-inference-lab/rtx6kpro (power sweep)"],
        },
    ],
};
