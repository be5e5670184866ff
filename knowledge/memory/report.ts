/** A memory plan in words: as text for people, and as findings. */

import type { Finding, SettingValue, Verdict } from "../base/settings.ts";
import type { MemoryPlan, PlanInput } from "./input.ts";

/** The plan: pools first, then margin, then every input with its source. Findings are not part of it. Ends with a newline. */
export function memoryReport(plan: MemoryPlan): string {
    const lines = [
        plan.fits ? "Memory of one GPU" : "Memory of one GPU: does not fit",
        row("free before loading", size(plan.freeGiB)),
        row("weights", size(plan.weightsGiBPerGpu)),
        ...(plan.draftWeightsGiBPerGpu > 0 ? [row("draft weights", size(plan.draftWeightsGiBPerGpu))] : []),
        ...(plan.mambaGiB === undefined
            ? []
            : [row("recurrent states", `${size(plan.mambaGiB)}   ${plan.mambaSlots} slots`)]),
        row(
            "KV cache",
            `${size(plan.kvGiB)}   ${count(plan.kvTokens)} tokens of ${count(plan.kvBytesPerToken)} bytes, ${plan.kvCacheDtype}`,
        ),
        ...(plan.swaTokens === undefined ? [] : [row("window cache", `${count(plan.swaTokens)} tokens`)]),
        row("headroom", `${size(plan.headroomGiB)}   graphs about ${size(plan.graphsGiB)}`),
        row("mem-fraction-static", `${round(plan.memFractionStatic)} (${plan.memFractionOrigin})`),
        row("requests at once", count(plan.maxRunningRequests)),
        ...(plan.hostPinnedGiB === undefined ? [] : [row("pinned on the host", size(plan.hostPinnedGiB))]),
        row(
            "margin",
            `${size(plan.margin.gib)}: ${count(plan.margin.tokensLow)} to ${count(plan.margin.tokensHigh)} tokens (${plan.margin.reason})`,
        ),
        "Inputs",
        ...Object.keys(plan.inputs)
            .sort()
            .map((name) => inputRow(name, plan.inputs[name]!)),
    ];
    return `${lines.join("\n")}\n`;
}

/** A finding of the memory planner. */
export function finding(
    rule: string,
    verdict: Exclude<Verdict, "fix">,
    message: string,
    sources: readonly string[],
    setting?: string,
    from?: SettingValue,
): Finding {
    return { rule, verdict, message, sources, ...(setting && { setting }), ...(from !== undefined && { from }) };
}

/** GiB with one decimal. */
export function gib(value: number): string {
    return `${value.toFixed(1)} GiB`;
}

function row(label: string, text: string): string {
    return `  ${label.padEnd(22)}${text}`;
}

function inputRow(name: string, input: PlanInput): string {
    const value = typeof input.value === "number" ? round(input.value) : String(input.value);
    return row(name, `${[value, input.unit].filter(Boolean).join(" ")}  (${input.source})`);
}

function size(gib: number): string {
    return `${gib.toFixed(2)} GiB`;
}

function count(value: number): string {
    return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function round(value: number): string {
    return String(Math.round(value * 1000) / 1000);
}
