/** SGLang's own sizing, done before the launch: weights, pools, tokens, headroom, and what follows from them. */

import type { Finding } from "../base/settings.ts";
import { type Checkpoint, checkpointOf } from "../models/profile.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { resolveKvDtype } from "./cell.ts";
import { chunkOf, graphBatchOf, smallestGpu } from "./default-fraction.ts";
import { divisionFindings } from "./divisions.ts";
import { fitFindings, lateGiB } from "./fit.ts";
import { graphsGiB } from "./headroom.ts";
import type { Margin, MemoryInput, MemoryPlan, PlanInput } from "./input.ts";
import { mambaGiB } from "./mamba-pool.ts";
import { gpuCount } from "./parallel.ts";
import { hostPinnedBytes, type Pools, poolsOf } from "./pools.ts";
import { finding } from "./report.ts";

const GIB = 2 ** 30;

/** Plans the memory of one GPU. Deterministic. Throws a RangeError when the release is no version. */
export function memoryPlan(input: MemoryInput): MemoryPlan {
    const checkpoint = input.checkpoint ?? checkpointOf(input.profile, input.repository);
    const dtype = resolveKvDtype(input, checkpoint.kvCalibrated === "fp8_e4m3");
    const budget = budgetOf(input, checkpoint);
    const pools = poolsOf(input, dtype, budget.rest);
    const poolGiB = pools.kvBytes / GIB + (pools.mamba ? mambaGiB(pools.mamba) : 0);
    const pinned = hostPinnedBytes(input, pools);
    const findings = [
        ...divisionFindings(input, checkpoint),
        ...kvDtypeFindings(input, checkpoint),
        ...fitFindings(input, budget, pools),
    ];
    const fits = !findings.some((f) => f.verdict === "refuse");
    const resident = budget.free * budget.fraction - budget.rest - budget.multimodalReserve;
    return {
        fits,
        weightsGiBPerGpu: budget.target.gib,
        draftWeightsGiBPerGpu: budget.draft.gib,
        freeGiB: budget.free,
        memFractionStatic: budget.fraction,
        memFractionOrigin: budget.fractionOrigin,
        kvCacheDtype: dtype,
        kvBytesPerToken: pools.cell.bytes,
        kvTokens: pools.tokens,
        kvGiB: pools.tokens > 0 ? pools.kvBytes / GIB : 0,
        ...(pools.windowTokens !== undefined && { swaTokens: pools.windowTokens }),
        ...(pools.mamba && { mambaGiB: mambaGiB(pools.mamba), mambaSlots: pools.mamba.slots }),
        uncountedGiB: lateGiB(input, budget, pools),
        headroomGiB: budget.free * (1 - budget.fraction),
        freeAfterPoolsGiB: budget.free - resident - poolGiB,
        graphsGiB: graphsGiB(input),
        maxRunningRequests: pools.maxRunningRequests,
        ...(pinned !== undefined && { hostPinnedGiB: pinned / GIB }),
        margin: marginOf(input, dtype, budget),
        inputs: inputsOf(input, checkpoint, budget, pools, dtype),
        findings,
    };
}

/** `auto` depends on what the checkpoint was calibrated for; where nobody has checked that, the answer may be off by a factor of two. */
function kvDtypeFindings(input: MemoryInput, checkpoint: Checkpoint): Finding[] {
    const auto = input.kvCacheDtype === undefined || input.kvCacheDtype === "auto";
    if (!auto || checkpoint.kvCalibrated !== "unverified" || input.profile.structure.index) {
        return [];
    }
    const message = `Whether ${checkpoint.repository} is calibrated for an fp8 KV cache is not verified; planned as bfloat16. Set kv-cache-dtype.`;
    return [finding("memory-kv-dtype-unverified", "warn", message, ["unverified"], "kv-cache-dtype", "auto")];
}

function marginOf(input: MemoryInput, dtype: string, budget: Budget): Margin {
    return {
        gib: budget.uncertainty,
        tokensLow: poolsOf(input, dtype, budget.rest - budget.uncertainty).tokens,
        tokensHigh: poolsOf(input, dtype, budget.rest + budget.uncertainty).tokens,
        reason: "free memory before loading varies between hosts, and weights by formula between checkpoints",
    };
}

function inputsOf(
    input: MemoryInput,
    checkpoint: Checkpoint,
    budget: Budget,
    pools: Pools,
    dtype: string,
): Record<string, PlanInput> {
    const asked = (given: unknown) => (given === undefined ? `default of ${input.release}` : "given");
    const rows: [string, PlanInput | undefined][] = [
        ["checkpoint", { value: checkpoint.repository, source: `${checkpoint.method} weights` }],
        ["chunkedPrefillSize", { value: chunkOf(input), unit: "tokens", source: asked(input.chunkedPrefillSize) }],
        [
            "contextLength",
            {
                value: input.contextLength ?? input.profile.structure.context,
                unit: "tokens",
                source: input.contextLength === undefined ? "configuration of the model" : "given",
            },
        ],
        ["cudaGraphMaxBs", { value: graphBatchOf(input), unit: "requests", source: asked(input.cudaGraphMaxBs) }],
        ["draftWeights", input.speculative && { value: budget.draft.gib, unit: "GiB", source: budget.draft.source }],
        ["freeBeforeLoading", { value: budget.free, unit: "GiB", source: budget.freeSource }],
        ["gpuMemory", { value: smallestGpu(input), unit: "MiB", source: "smallest GPU of the placement" }],
        ["gpus", { value: gpuCount(input), source: "tp-size, pp-size, dp-size" }],
        [
            "kvBytesPerToken",
            {
                value: pools.cell.bytes,
                unit: "bytes",
                source: `formula of ${input.release} for ${input.profile.structure.attention}`,
            },
        ],
        [
            "kvCacheDtype",
            {
                value: dtype,
                source:
                    input.kvCacheDtype === undefined || input.kvCacheDtype === "auto" ? "resolved from auto" : "given",
            },
        ],
        [
            "mambaPerRequest",
            pools.mamba && {
                value: pools.mamba.perRequest / 2 ** 20,
                unit: "MiB",
                source: "formula over the linear layers",
            },
        ],
        [
            "mambaSlotsPerRequest",
            pools.mamba && { value: pools.mamba.slotsPerRequest, source: "strategy and prefix cache" },
        ],
        ["memFractionStatic", { value: budget.fraction, source: budget.fractionOrigin }],
        [
            "multimodalReserve",
            budget.multimodalReserve > 0
                ? { value: budget.multimodalReserve, unit: "GiB", source: `constant of ${input.release}` }
                : undefined,
        ],
        ["pageSize", { value: pools.pageSize, unit: "tokens", source: asked(input.pageSize) }],
        ["release", { value: input.release, source: "given" }],
        ["weights", { value: budget.target.gib, unit: "GiB", source: budget.target.source }],
    ];
    return Object.fromEntries(rows.filter((row): row is [string, PlanInput] => row[1] !== undefined));
}
