import type { EnvironmentVariable, Finding } from "../base/settings.ts";
import { type CustomAllReduce, decideCustomAllReduce } from "./custom-all-reduce.ts";
import type { NcclInput, NcclPart } from "./nccl-input.ts";
import { decideNetwork } from "./nccl-network.ts";
import { decideP2p } from "./nccl-p2p.ts";
import { judgeEnvironment } from "./nccl-user-environment.ts";
import { type NumaPlacement, numaPlacement } from "./numa-placement.ts";

/** What a host's topology leads to. */
export interface NcclEnvironment {
    /**
     * Variables, sorted by name: those that the topology decides, and of the user's those that it would decide or had to fix. The
     * user's other variables are not repeated.
     */
    readonly variables: readonly EnvironmentVariable[];
    /** Variables of the user that a fix takes away. */
    readonly removed: readonly string[];
    /** What was found, worst first. */
    readonly findings: readonly Finding[];
    /** What becomes of SGLang's own all-reduce. */
    readonly customAllReduce: CustomAllReduce;
    /** Where the ranks belong. */
    readonly placement: NumaPlacement;
    /** Files that must be there before the start, on the host and in the container. */
    readonly checkFiles: readonly string[];
    /** Whether a timed all-reduce must pass after the start. */
    readonly probeAllReduce: boolean;
}

const WORST_FIRST = ["refuse", "fix", "warn"];

/**
 * The NCCL environment of one host. Not set, on purpose: channel counts, algorithms and protocols (to be measured first), and
 * NCCL_CUMEM_ENABLE and NCCL_NVLS_ENABLE, which SGLang sets to 0 itself when they are absent (engine.py, 0.5.8 to 0.5.23).
 */
export function ncclEnvironment(input: NcclInput): NcclEnvironment {
    const strangers = input.gpus.filter((index) => !input.topology.gpus.some((gpu) => gpu.index === index));
    const placement = numaPlacement(input.topology, input.gpus, input.numactl);
    const p2p = decideP2p(input);
    const parts: NcclPart[] = [
        p2p,
        decideNetwork(input),
        judgeEnvironment(input, p2p),
        decideProcess(input, placement),
    ];
    const findings = [
        ...strangers.map((index) => strangerFinding(input, index)),
        ...parts.flatMap((part) => part.findings),
    ];
    const set = Object.assign({}, ...parts.map((part) => part.set)) as NcclPart["set"];
    const fixed = Object.assign({}, ...parts.map((part) => part.fixed ?? {})) as NonNullable<NcclPart["fixed"]>;
    const user = input.environment ?? {};
    const names = [...new Set([...Object.keys(set), ...Object.keys(fixed)])].sort();
    const variables = names.flatMap((name): EnvironmentVariable[] => {
        const fix = fixed[name];
        if (fix) {
            return fix.value === undefined ? [] : [{ name, value: fix.value, origin: "topology", reason: fix.reason }];
        }
        const own = user[name];
        return own === undefined
            ? [{ name, origin: "topology", ...set[name]! }]
            : [{ name, value: own, origin: "user", reason: "Set in the stack." }];
    });
    return {
        variables,
        removed: names.filter((name) => fixed[name] && fixed[name].value === undefined),
        findings: findings.toSorted((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict)),
        customAllReduce: decideCustomAllReduce(input, p2p.mode),
        placement,
        checkFiles: ["NCCL_GRAPH_FILE", "NCCL_TOPO_FILE"].flatMap((name) => user[name] ?? []),
        probeAllReduce: p2p.probe,
    };
}

/** Variables of the server's processes. */
function decideProcess(input: NcclInput, placement: NumaPlacement): NcclPart {
    const set: Record<string, { value: string; reason: string }> = {
        CUDA_DEVICE_ORDER: {
            value: "PCI_BUS_ID",
            reason: "GPU numbers mean the same to CUDA as to nvidia-smi, whose table this is.",
        },
    };
    const cpus = (input.numactl ?? [])
        .filter((node) => placement.numaNode === undefined || placement.numaNode.includes(node.node))
        .reduce((sum, node) => sum + node.cpus.length, 0);
    if (cpus > 0 && input.gpus.length > 0) {
        const share = Math.floor(cpus / 2 / input.gpus.length);
        set.OMP_NUM_THREADS = {
            value: String(Math.min(8, Math.max(1, share))),
            reason: `${input.gpus.length} ranks share ${cpus} CPUs; left alone, PyTorch starts a thread per core in each. At most 8 (unmeasured).`,
        };
    }
    return { findings: [], set };
}

function strangerFinding(input: NcclInput, index: number): Finding {
    return {
        rule: "nccl-gpu-not-in-topology",
        verdict: "refuse",
        message: `GPU ${index} is used, but the host's table has ${input.topology.gpus.map((gpu) => gpu.name).join(" ")}. Record the facts again.`,
        sources: ["unverified"],
    };
}
