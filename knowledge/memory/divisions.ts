/** Whether the model can be divided over the GPUs at all: everything here stops SGLang while it loads. */

import type { Finding } from "../base/settings.ts";
import type { Checkpoint } from "../models/profile.ts";
import { smallestGpu } from "./default-fraction.ts";
import type { MemoryInput } from "./input.ts";
import { attentionTp, gpuCount } from "./parallel.ts";
import { finding } from "./report.ts";

const MODEL_CODE = ["sglang 0.5.23 srt/models"];

/** Refusals of divisions that do not work out. */
export function divisionFindings(input: MemoryInput, checkpoint: Checkpoint): Finding[] {
    return [
        ...groupFindings(input),
        ...headFindings(input),
        ...expertFindings(input),
        ...countFindings(input, checkpoint),
    ];
}

function groupFindings(input: MemoryInput): Finding[] {
    const findings: Finding[] = [];
    const { tp, pp = 1, dp = 1 } = input;
    if (input.dpAttention && tp % dp !== 0) {
        const message = `Attention data-parallelism divides tp-size ${tp} by dp-size ${dp}, which leaves a rest. Choose a divisor of ${tp}.`;
        findings.push(finding("memory-dp-attention", "refuse", message, MODEL_CODE, "dp-size", dp));
    }
    if (pp > input.profile.structure.layers) {
        const message = `pp-size ${pp} is larger than the ${input.profile.structure.layers} layers of the model.`;
        findings.push(finding("memory-pp-layers", "refuse", message, MODEL_CODE, "pp-size", pp));
    }
    return findings;
}

function headFindings(input: MemoryInput): Finding[] {
    const { structure } = input.profile;
    const tp = attentionTp(input);
    const findings: Finding[] = [];
    const refuse = (rule: string, message: string, sources: readonly string[]) =>
        findings.push(finding(rule, "refuse", message, sources, "tp-size", input.tp));
    if (structure.heads % tp !== 0) {
        refuse(
            "memory-tp-heads",
            `Attention over ${tp} GPUs does not divide ${structure.heads} heads. ${divisors(structure.heads)}`,
            MODEL_CODE,
        );
    }
    const { kvHeads, mla } = structure;
    if (!mla && (kvHeads >= tp ? kvHeads % tp !== 0 : tp % kvHeads !== 0)) {
        const message = `${kvHeads} key/value heads can be neither divided over nor copied to ${tp} GPUs. Use a tp-size that divides ${kvHeads} or is a multiple of it.`;
        refuse("memory-tp-kv-heads", message, MODEL_CODE);
    }
    const { linear } = structure;
    if (linear && (linear.keyHeads % tp !== 0 || linear.valueHeads % tp !== 0)) {
        const message = `Linear attention has ${linear.keyHeads} key and ${linear.valueHeads} value heads, which ${tp} GPUs do not divide. ${divisors(linear.keyHeads)}`;
        refuse("memory-tp-linear-heads", message, ["sglang 0.5.23 srt/configs/mamba_utils.py"]);
    }
    return findings;
}

function expertFindings(input: MemoryInput): Finding[] {
    const { experts } = input.profile.structure;
    const ep = input.ep ?? 1;
    if (!experts || ep === 1) {
        return [];
    }
    if (input.tp % ep === 0 && experts.routed % ep === 0) {
        return [];
    }
    const message = `ep-size ${ep} must divide tp-size ${input.tp} and the ${experts.routed} experts.`;
    return [
        finding("memory-ep-experts", "refuse", message, ["sglang 0.5.23 srt/arg_groups/moe_hook.py"], "ep-size", ep),
    ];
}

function countFindings(input: MemoryInput, checkpoint: Checkpoint): Finding[] {
    const findings: Finding[] = [];
    const needed = gpuCount(input);
    if (input.gpuMemoryMiB.length < needed) {
        const message = `tp-size, pp-size and dp-size take ${needed} GPUs; the placement has ${input.gpuMemoryMiB.length}.`;
        findings.push(finding("memory-gpus-missing", "refuse", message, [], "tp-size", input.tp));
    }
    const perReplica = input.tp * (input.pp ?? 1);
    const minimum = checkpoint.minimumGpus;
    if (perReplica < minimum && smallestGpu(input) < 100 * 1024) {
        const message = `${checkpoint.repository} needs at least ${minimum} GPUs of 96 GB; tp-size times pp-size is ${perReplica}.`;
        const sources = ["local-inference-lab/rtx6kpro gpu-configs", "arithmetic over the parameters"];
        findings.push(finding("memory-below-minimum-gpus", "refuse", message, sources, "tp-size", input.tp));
    }
    return findings;
}

function divisors(count: number): string {
    const fitting = [1, 2, 3, 4, 6, 8, 12, 16].filter((n) => count % n === 0);
    return `These do: ${fitting.join(", ")}.`;
}
