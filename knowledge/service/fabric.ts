import type { EnvironmentVariable, Finding, Problem } from "../base/settings.ts";
import type { HostFacts } from "../records/facts.ts";
import type { Fabric } from "../rules/context.ts";
import {
    type NcclEnvironment,
    ncclEnvironment,
    type P2pPair,
    parseNumactl,
    parseP2p,
    parseTopology,
    type Topology,
    TopologyError,
} from "../topology/index.ts";
import type { ServiceNode, ServiceSpec } from "./spec.ts";

/** What the machines' topologies lead to. */
export interface FabricPlan {
    readonly fabric: Fabric;
    /** Variables that the topology decides, and of the user's those that it would decide. */
    readonly variables: readonly EnvironmentVariable[];
    /** Variables of the user that are taken away. */
    readonly removed: readonly string[];
    readonly findings: readonly Finding[];
}

/** Reads every node's topology. A text that cannot be read whole is a problem; the fabric is unknown then. */
export function fabricPlan(
    spec: ServiceSpec,
    environment: Readonly<Record<string, string>>,
    ncclVersion: string | undefined,
    problems: Problem[],
): FabricPlan {
    const results = spec.nodes.flatMap((node) => {
        const result = nodeEnvironment(node, spec.nodes.length, environment, ncclVersion, problems);
        return result ? [{ node, ...result }] : [];
    });
    const [first] = results;
    if (first === undefined || results.length < spec.nodes.length) {
        return {
            fabric: { pcieOnly: undefined, customAllReduceUnfit: false },
            variables: [],
            removed: [],
            findings: [],
        };
    }
    return {
        fabric: {
            pcieOnly: results.every(({ node, topology }) => pcieOnly(topology, node.gpus)),
            customAllReduceUnfit: results.some(({ plan }) => plan.customAllReduce.disable),
            peerAccess: results.every(({ plan }) => peersReachable(plan)),
            ...numaNodesOf(results),
        },
        variables: first.plan.variables,
        removed: first.plan.removed,
        findings: distinct(results.flatMap(({ plan }) => plan.findings)),
    };
}

function nodeEnvironment(
    node: ServiceNode,
    nodes: number,
    environment: Readonly<Record<string, string>>,
    ncclVersion: string | undefined,
    problems: Problem[],
): { topology: Topology; plan: NcclEnvironment } | undefined {
    const { facts, gpus } = node;
    try {
        const topology = topologyOf(facts.topology);
        const plan = ncclEnvironment({
            topology,
            gpus,
            nodes,
            environment,
            acs: facts.acs,
            iommu: facts.iommu,
            nics: facts.nics,
            ...(ncclVersion === undefined ? {} : { ncclVersion }),
            ...(facts.numactl === undefined ? {} : { numactl: parseNumactl(facts.numactl) }),
            ...(facts.p2p === undefined ? {} : { p2p: peerAccess(facts.p2p) }),
        });
        return { topology, plan };
    } catch (error) {
        if (!(error instanceof TopologyError)) {
            throw error;
        }
        problems.push({ path: `facts of ${node.name}`, message: error.message });
        return undefined;
    }
}

/** Tables already read: hosts of one kind have the same text. */
const tables = new Map<string, Topology>();

function topologyOf(text: string): Topology {
    const table = tables.get(text) ?? parseTopology(text);
    tables.set(text, table);
    return table;
}

function peerAccess({ r, w }: NonNullable<HostFacts["p2p"]>): { r?: readonly P2pPair[]; w?: readonly P2pPair[] } {
    return { ...(r === undefined ? {} : { r: parseP2p(r) }), ...(w === undefined ? {} : { w: parseP2p(w) }) };
}

/** Findings that say or leave open that GPUs do not reach one another's memory. That nobody timed it is no such finding. */
const doubts = [
    "nccl-acs-on",
    "nccl-close-pairs-hang",
    "nccl-iommu-on",
    "nccl-p2p-not-supported",
    "nccl-p2p-unknown",
    "nccl-p2p-level-below-topology",
];

function peersReachable({ findings, variables }: NcclEnvironment): boolean {
    const off = variables.some(({ name, value }) => name === "NCCL_P2P_DISABLE" && value !== "0");
    return !off && !findings.some(({ rule }) => doubts.includes(rule));
}

/** Only where `numactl` was there when the facts were recorded: SGLang binds with it. */
function numaNodesOf(results: readonly { node: ServiceNode; plan: NcclEnvironment }[]): Pick<Fabric, "numaNodes"> {
    const [first, ...others] = results;
    const nodes = first?.plan.placement.numaNode;
    const known = first?.node.facts.numactl !== undefined && others.length === 0;
    return known && nodes !== undefined ? { numaNodes: nodes } : {};
}

function pcieOnly({ links }: Topology, gpus: readonly number[]): boolean {
    const names = new Set(gpus.map((index) => `GPU${index}`));
    return !links.some(({ a, b, type }) => names.has(a) && names.has(b) && type.startsWith("NV"));
}

/** Equal findings of several nodes are said once. */
function distinct(findings: readonly Finding[]): Finding[] {
    const seen = new Set<string>();
    return findings.filter((finding) => {
        const key = JSON.stringify(finding);
        return !seen.has(key) && seen.add(key);
    });
}
