import type { TuningArea } from "../row.ts";
import { GLM_WIKI, INFERENCEX } from "./shared.ts";

export const scheduling: TuningArea = {
    title: "Batches",
    introduction: "Graphs and chunks as large as the load, and no larger.",
    rows: [
        {
            id: "graphs-to-requests",
            gpu: "any",
            when: {
                all: [
                    { setting: "max-running-requests", set: true },
                    { setting: ["cuda-graph-bs-decode", "cuda-graph-config"], unset: true },
                    { not: { setting: "cuda-graph-backend-decode", in: ["disabled"] } },
                ],
            },
            set: { "cuda-graph-max-bs-decode": { computed: "graphs-for-requests" } },
            reason: "No batch is larger than the requests that may run, so no larger graph is ever used; the start is shorter and less memory is set aside (7 GiB were logged at 128 and more, 208 s for the whole list).",
            effects: [],
            confidence: "medium",
            risk: "A batch without a graph decodes at half the speed: it is never below the requests that may run.",
            shown: "The log says `cuda graph: True` at full load.",
            sources: [INFERENCEX, GLM_WIKI, "sgl-project/sglang#24047"],
        },
        {
            id: "prefill-chunk",
            objectives: ["throughput"],
            when: {
                all: [{ setting: ["enable-dp-attention", "attn-dp-size"], unset: true }],
            },
            set: { "chunked-prefill-size": 16384, "max-prefill-tokens": 16384 },
            reason: "Prompts in larger chunks keep the cards busier; public throughput figures were measured with 16384, where SGLang takes 8192 on this card.",
            effects: [],
            confidence: "medium",
            risk: "Others wait longer between two tokens while a chunk is computed. 32768 ran out of memory on four cards.",
            sources: [INFERENCEX],
        },
    ],
};
