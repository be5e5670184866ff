/** What a computed plan says: what cannot start, and what starts and dies on the first long prompt. */

import type { Finding } from "../base/settings.ts";
import { isMultimodal } from "../models/profile.ts";
import type { Budget } from "./budget.ts";
import { resolveKvDtype } from "./cell.ts";
import { chunkOf } from "./default-fraction.ts";
import { graphsGiB, SMALLEST_HEADROOM_GIB, safeHeadroomGiB } from "./headroom.ts";
import type { MemoryInput } from "./input.ts";
import { HOST_RESERVE_BYTES, hostPinnedBytes, type Pools, poolsOf } from "./pools.ts";
import { traitsOf } from "./release-traits.ts";
import { finding, gib } from "./report.ts";

const GIB = 2 ** 30;
const SIZING = ["sglang 0.5.23 srt/mem_cache/kv_cache_configurator.py"];
const RUNTIME = ["SemiAnalysisAI/InferenceX#2312", "local-inference-lab/rtx6kpro"];
const FRACTION = "mem-fraction-static";

/** Findings of a plan. A shortfall refuses where the weights are known from a log; one that rests on the formula alone warns. */
export function fitFindings(input: MemoryInput, budget: Budget, pools: Pools): Finding[] {
    const starting = startFindings(input, budget, pools).map((found) => asKnown(found, budget));
    return [
        ...starting,
        ...fractionFindings(input, budget),
        ...thinFindings(input, budget),
        ...poolFindings(input, budget, pools, starting.length > 0),
    ];
}

function asKnown(found: Finding, budget: Budget): Finding {
    if (found.rule === "memory-window-pool-too-small" || isShown(budget)) {
        return found;
    }
    const doubt = "The weights are by formula, which no log confirms for this checkpoint.";
    return { ...found, verdict: "warn", message: `${found.message} ${doubt}` };
}

function isShown({ target, draft }: Budget): boolean {
    return target.shown && draft.shown;
}

function startFindings(input: MemoryInput, budget: Budget, pools: Pools): Finding[] {
    const { mamba } = pools;
    if (budget.rest > 0 && mamba && mamba.slots <= 0) {
        const message =
            `The pool of recurrent states holds no slot: ${gib(budget.rest)} are left after the weights, and one request's states take ` +
            `${(mamba.perRequest / 2 ** 20).toFixed(1)} MiB. Use mamba-ssm-dtype bfloat16, fewer draft tokens, a higher fraction or more GPUs.`;
        return [finding("memory-mamba-pool-empty", "refuse", message, SIZING, "max-mamba-cache-size")];
    }
    if (budget.rest <= 0 || pools.tokens <= 0) {
        return [
            finding("memory-no-kv-pool", "refuse", noPoolMessage(budget, pools), SIZING, FRACTION, budget.fraction),
        ];
    }
    if (pools.maxRunningRequests <= 0) {
        const message = `No request fits: ${mamba?.slots ?? 0} state slots at ${mamba?.slotsPerRequest ?? 1} per request.`;
        return [finding("memory-no-request-fits", "refuse", message, SIZING, "max-running-requests")];
    }
    const window = input.profile.structure.window;
    if (window && pools.windowTokens !== undefined && window.window + pools.pageSize >= pools.windowTokens) {
        const message = `The sliding-window pool holds ${pools.windowTokens} tokens, less than one window of ${window.window} and a page. Raise swa-full-tokens-ratio or the fraction.`;
        const sources = ["sglang 0.5.23 srt/model_executor/pool_configurator.py"];
        return [finding("memory-window-pool-too-small", "refuse", message, sources, "swa-full-tokens-ratio")];
    }
    return [];
}

function noPoolMessage(budget: Budget, pools: Pools): string {
    const resident = budget.free * budget.fraction - budget.rest;
    const minimum = Math.ceil((resident / budget.free) * 1000) / 1000;
    const taken = `Weights and reserves take ${gib(resident)} of the ${gib(budget.free)} that are free`;
    if (minimum >= 1) {
        return `${taken}: this checkpoint does not fit on these GPUs. Use more GPUs or a smaller checkpoint.`;
    }
    return budget.rest <= 0
        ? `${taken}, the fraction ${budget.fraction} allows ${gib(budget.free * budget.fraction)}: nothing is left for the KV cache. ` +
              `The least fraction is ${minimum.toFixed(3)}; use more GPUs or a smaller checkpoint if that leaves no headroom.`
        : `${taken}; the ${gib(budget.rest)} that are left hold no page of ${pools.pageSize} tokens beside the recurrent states.`;
}

function fractionFindings(input: MemoryInput, budget: Budget): Finding[] {
    const findings: Finding[] = [];
    const headroom = budget.free * (1 - budget.fraction);
    const { fraction } = budget;
    if (headroom < SMALLEST_HEADROOM_GIB) {
        const message = `mem-fraction-static ${fraction} leaves ${gib(headroom)} for graphs, activations and workspaces; below ${SMALLEST_HEADROOM_GIB} GiB nothing is served. Lower it.`;
        findings.push(finding("memory-headroom-too-small", "refuse", message, RUNTIME, FRACTION, fraction));
    } else if (fraction > 0.94) {
        const message = `mem-fraction-static ${fraction} is above 0.94, where this card was seen to run out of memory. Use 0.85 to 0.93.`;
        findings.push(finding("memory-fraction-high", "warn", message, RUNTIME, FRACTION, fraction));
    }
    if (budget.fractionOrigin === "release default" && isMultimodal(input.profile) && !input.languageOnly) {
        const message = `No mem-fraction-static is given: SGLang takes ${fraction.toFixed(3)}, lowered for a vision tower that it does not read well. Set it.`;
        const sources = ["sglang 0.5.23 srt/arg_groups/memory_hook.py"];
        findings.push(finding("memory-fraction-not-explicit", "warn", message, sources, FRACTION));
    }
    return findings;
}

/**
 * Too little beside the pools for graphs and a prefill chunk. A fraction that the plan itself raised for the context is not warned of: the
 * context is what asks for it.
 */
function thinFindings(input: MemoryInput, budget: Budget): Finding[] {
    const { fraction } = budget;
    const headroom = budget.free * (1 - fraction);
    const needed = safeHeadroomGiB(input);
    if (headroom < SMALLEST_HEADROOM_GIB || headroom >= needed) {
        return [];
    }
    const taken =
        `graphs (about ${gib(graphsGiB(input))}) and a prefill chunk of ${chunkOf(input)} tokens may take ${gib(needed)}, ` +
        `and mem-fraction-static ${fraction} leaves ${gib(headroom)}`;
    const thin = "It starts, and can run out of memory on the first long prompt";
    if (budget.fractionOrigin !== "memory") {
        const message = `${thin}: ${taken}. Lower the fraction, chunked-prefill-size or cuda-graph-max-bs-decode.`;
        return [finding("memory-headroom-thin", "warn", message, RUNTIME, FRACTION, fraction)];
    }
    const context = input.contextLength ?? input.profile.structure.context;
    const dtype = resolveKvDtype(input, budget.calibrated);
    const { tokens } = poolsOf(input, dtype, budget.rest - (needed - headroom));
    const advice =
        tokens > 0
            ? `Set context-length to at most ${tokens}, or lower chunked-prefill-size or cuda-graph-max-bs-decode.`
            : "Use more GPUs or a smaller checkpoint, or lower chunked-prefill-size or cuda-graph-max-bs-decode.";
    const message = `The context of ${context} tokens leaves little room: ${taken}. ${thin}. ${advice}`;
    return [finding("memory-headroom-thin", "warn", message, RUNTIME, "context-length", context)];
}

function poolFindings(input: MemoryInput, budget: Budget, pools: Pools, cannotStart: boolean): Finding[] {
    if (cannotStart) {
        return [];
    }
    const findings: Finding[] = [];
    const context = input.contextLength ?? input.profile.structure.context;
    if (pools.tokens < context) {
        const message = `The KV pool holds ${pools.tokens} tokens, fewer than the context of ${context}: a prompt of full length cannot be served. Set context-length to at most ${pools.tokens}, or make room.`;
        findings.push(finding("memory-context-exceeds-pool", "warn", message, SIZING, "context-length", context));
    }
    const late = lateGiB(input, budget, pools);
    const headroom = budget.free * (1 - budget.fraction);
    const allowedFor = budget.fractionOrigin === "memory" && headroom - late >= safeHeadroomGiB(input);
    if (late > 0 && !allowedFor) {
        const verdict = headroom - late < SMALLEST_HEADROOM_GIB && isShown(budget) ? "refuse" : "warn";
        const message =
            `${input.release} sizes its pools before it allocates ${gib(late)} more (draft weights and cache, or sparse rows that are wider ` +
            `than it counts): ${gib(headroom - late)} of ${gib(headroom)} headroom remain. Lower the fraction or use a newer release.`;
        findings.push(finding("memory-uncounted", verdict, message, SIZING, FRACTION, budget.fraction));
    }
    return [...findings, ...hostFindings(input, pools)];
}

/** GiB that the release allocates without having counted it. */
export function lateGiB(input: MemoryInput, budget: Budget, pools: Pools): number {
    const draft = traitsOf(input.release).draftCounted ? 0 : budget.draft.gib;
    const perToken = pools.cell.allocated - pools.cell.bytes + pools.cell.uncountedDraft;
    return draft + ((pools.tokens + pools.pageSize) * perToken) / GIB;
}

function hostFindings(input: MemoryInput, pools: Pools): Finding[] {
    const pinned = hostPinnedBytes(input, pools);
    if (pinned === undefined || input.hostMemoryBytes === undefined) {
        return [];
    }
    const available = input.hostMemoryBytes - HOST_RESERVE_BYTES;
    if (pinned <= available) {
        return [];
    }
    const message = `HiCache pins ${gib(pinned / GIB)} on a host with ${gib(input.hostMemoryBytes / GIB)}, of which 10 GiB stay free. Lower hicache-size or hicache-ratio.`;
    const setting = (input.hicache?.sizeGB ?? 0) > 0 ? "hicache-size" : "hicache-ratio";
    return [
        finding(
            "memory-hicache-exceeds-host",
            "refuse",
            message,
            ["sglang 0.5.23 srt/mem_cache/pool_host/base.py"],
            setting,
        ),
    ];
}
