import type { SettingValue } from "../base/settings.ts";
import { cardDefaults } from "../memory/default-fraction.ts";
import { numberOf, type RuleContext } from "../rules/context.ts";

/** A value that is worked out. */
interface ComputedValue {
    /** What it is, in words. */
    readonly description: string;
    /** The value; `undefined` when there is nothing to set. */
    readonly value: (context: RuleContext) => SettingValue | undefined;
}

/** Values of rows that depend on the service, by name, so that a row stays data. */
export const computed = {
    "graphs-for-requests": {
        description:
            "the smallest captured batch that holds every running request, where that is less than SGLang's own",
        value: (context) => {
            const shared = context.settings["enable-dp-attention"] ? numberOf(context, "dp-size", 1) : 1;
            const replicas = numberOf(context, "attn-dp-size", shared);
            const batch = capturedFrom(Math.ceil(numberOf(context, "max-running-requests", 0) / replicas));
            const smallest = Math.min(...context.gpus.map(({ gpu }) => gpu.memoryMiB));
            const own = cardDefaults(smallest, numberOf(context, "tp-size", 1), context.versions.sglang);
            return batch > 0 && batch < own.cudaGraphMaxBs ? batch : undefined;
        },
    },
    "numa-node-of-each-gpu": {
        description: "the NUMA node of each GPU, in rank order",
        value: ({ fabric }) => fabric.numaNodes,
    },
} as const satisfies Record<string, ComputedValue>;

/** Name of such a value. */
export type ComputedName = keyof typeof computed;

/**
 * Batches are captured in steps of 8 up to 256, of 16 up to 512, of 32 above, whatever the steps below 8 are. sglang 0.5.9
 * srt/server_args.py, 0.5.23 srt/arg_groups/cuda_graph_hook.py.
 */
function capturedFrom(requests: number): number {
    const step = requests <= 256 ? 8 : requests <= 512 ? 16 : 32;
    return Math.ceil(requests / step) * step;
}
