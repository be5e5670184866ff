import type { RuleArea } from "../rule.ts";

export const parallelism: RuleArea = {
    title: "Parallelism",
    introduction: "How the GPUs are divided. Whether the model can be cut so and fits is the memory plan's to say.",
    rules: [
        {
            id: "gpus-left-idle",
            verdict: "warn",
            gpu: "any",
            when: { predicate: "gpus-left-idle" },
            reason: "The parallel sizes leave GPUs of the service unused.",
            remedy: "Name the GPUs that are meant in `gpus`, or raise a size.",
            sources: ["sglang srt/entrypoints/engine.py"],
            confidence: "high",
        },
    ],
};
