import type { Finding } from "../base/settings.ts";
import type { NcclInput, NcclPart } from "./nccl-input.ts";
import { asLevel, covers, farthest, levelOf, oldLevel, P2P_LEVELS } from "./nccl-levels.ts";
import type { P2pDecision } from "./nccl-p2p.ts";
import { linksAmong } from "./topology.ts";

/** Judges the variables that the user set, given what was decided of P2P. */
export function judgeEnvironment(input: NcclInput, p2p: P2pDecision): NcclPart {
    const environment = input.environment ?? {};
    const level = p2p.fixed?.NCCL_P2P_LEVEL ? undefined : environment.NCCL_P2P_LEVEL;
    const judged = level === undefined ? { findings: [], set: {} } : judgeLevel(input, p2p, level);
    return {
        ...judged,
        findings: [...judged.findings, ...judgeFiles(input), ...judgeOthers(input, environment)],
    };
}

const PATHS = "NVIDIA/nccl src/graph/paths.cc (2.30.7)";

/** NCCL_P2P_LEVEL: a name that NCCL knows, and far enough. */
function judgeLevel(input: NcclInput, p2p: P2pDecision, value: string): NcclPart {
    const setting = "NCCL_P2P_LEVEL";
    const needed = p2p.set[setting]?.value;
    const advice = needed === undefined ? "Leave it out on this host." : `This host needs ${needed}.`;
    if (/^\d+$/.test(value)) {
        const name = oldLevel(Number(value));
        const reason = `The number ${value} means ${name} to NCCL; names are clearer and do not change.`;
        return {
            findings: [
                {
                    rule: "nccl-p2p-level-number",
                    verdict: "fix",
                    setting,
                    from: value,
                    to: name,
                    message: `${reason} ${advice}`,
                    sources: [PATHS],
                },
                ...tooNear(input, p2p, name),
            ],
            set: {},
            fixed: { [setting]: { value: name, reason } },
        };
    }
    const known = asLevel(value);
    if (known === undefined) {
        const meant = value.toUpperCase() === "NODE" ? "PHB" : asLevel(value.trim().toUpperCase());
        const hint = meant === undefined ? `It takes ${P2P_LEVELS.join(", ")}.` : `What is meant is ${meant}.`;
        return {
            findings: [
                {
                    rule: "nccl-p2p-level-unknown",
                    verdict: "refuse",
                    setting,
                    from: value,
                    message: `NCCL does not know the level ${JSON.stringify(value)} and ignores it without a word. ${hint} ${advice}`,
                    sources: [PATHS],
                },
            ],
            set: {},
        };
    }
    return { findings: tooNear(input, p2p, known), set: {} };
}

/** A level that stops short of a used pair switches P2P off between its GPUs. */
function tooNear(input: NcclInput, p2p: P2pDecision, level: (typeof P2P_LEVELS)[number]): Finding[] {
    const far = farthest(linksAmong(input.topology, input.gpus));
    if (p2p.mode !== "pcie" || !far || covers(level, far.type)) {
        return [];
    }
    return [
        {
            rule: "nccl-p2p-level-below-topology",
            verdict: "warn",
            setting: "NCCL_P2P_LEVEL",
            from: level,
            to: level,
            message:
                `${level} stays as set, but ${far.a}-${far.b} is ${far.type}: such pairs talk through host memory. ` +
                `${levelOf(far.type)} covers every pair of this service.`,
            sources: [PATHS],
        },
    ];
}

/** Files that NCCL reads. */
function judgeFiles(input: NcclInput): Finding[] {
    const findings: Finding[] = [];
    const { NCCL_GRAPH_FILE: graph, NCCL_TOPO_FILE: topo } = input.environment ?? {};
    if (graph !== undefined && !(input.files ?? []).includes(graph)) {
        findings.push({
            rule: "nccl-graph-file",
            verdict: "refuse",
            setting: "NCCL_GRAPH_FILE",
            from: graph,
            message:
                `NCCL does not start when ${graph} is missing where the server runs, and a graph fits one machine only. ` +
                "Leave it out, or name the file among those that are put there, on the host and in the container.",
            sources: ["NVIDIA/nccl src/graph/xml.cc, search.cc (2.30.7)"],
        });
    }
    if (topo !== undefined && !(input.files ?? []).includes(topo)) {
        findings.push({
            rule: "nccl-topo-file",
            verdict: "warn",
            setting: "NCCL_TOPO_FILE",
            from: topo,
            to: topo,
            message: `When ${topo} is missing where the server runs, NCCL only logs it and goes on without.`,
            sources: ["NVIDIA/nccl src/graph/xml.cc (2.30.7)"],
        });
    }
    return findings;
}

/** Variables that do nothing here, or not what recipes promise. */
function judgeOthers(input: NcclInput, environment: Readonly<Record<string, string>>): Finding[] {
    const warn = (rule: string, setting: string, message: string, sources: string[]): Finding[] => {
        const value = environment[setting];
        return value === undefined
            ? []
            : [{ rule, verdict: "warn", setting, from: value, to: value, message, sources }];
    };
    const findings: Finding[] = [];
    if (input.nodes === 1) {
        findings.push(
            ...warn(
                "nccl-net-buffers-single-node",
                "NCCL_ALLOC_P2P_NET_LL_BUFFERS",
                "It has no effect on a single node: only the network transport reads it. Leave it out.",
                ["NVIDIA/nccl src/transport/net.cc (2.30.7)"],
            ),
        );
    }
    for (const channels of ["NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS"]) {
        findings.push(
            ...warn(
                "nccl-channels-unmeasured",
                channels,
                "Channel counts helped in one report and were noise or much worse in another on the same GPUs. Keep it only if you measured it on this host.",
                ["local-inference-lab/rtx6kpro nccl-tuning"],
            ),
        );
    }
    if (
        environment.NCCL_NVLS_ENABLE === "1" &&
        !linksAmong(input.topology, input.gpus).some((link) => link.type.startsWith("NV"))
    ) {
        findings.push(
            ...warn("nccl-nvls-without-nvlink", "NCCL_NVLS_ENABLE", "NVLS needs NVSwitch; these GPUs have no NVLink.", [
                "unverified",
            ]),
        );
    }
    const order = environment.CUDA_DEVICE_ORDER;
    if (order !== undefined && order !== "PCI_BUS_ID") {
        findings.push(
            ...warn(
                "nccl-device-order",
                "CUDA_DEVICE_ORDER",
                "GPU numbers of nvidia-smi, and so those of this stack, are in PCI bus order: another order may pick other GPUs.",
                ["unverified"],
            ),
        );
    }
    return findings;
}
