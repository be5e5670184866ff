/** What a host's `nvidia-smi topo` and `numactl -H` say, and the NCCL environment and placement that follow from it. */
export type { CustomAllReduce } from "./custom-all-reduce.ts";
export { type NcclEnvironment, ncclEnvironment } from "./nccl-environment.ts";
export { type NcclGraph, ncclGraph } from "./nccl-graph.ts";
export type { NcclInput } from "./nccl-input.ts";
export type { NumaPlacement } from "./numa-placement.ts";
export { type NumaNode, parseNumactl } from "./parse-numactl.ts";
export { type P2pPair, type P2pStatus, parseP2p } from "./parse-p2p.ts";
export { parseTopology } from "./parse-topology.ts";
export type { Link, LinkType, Topology, TopologyGpu, TopologyNic } from "./topology.ts";
export { TopologyError, type TopologyFault } from "./topology-error.ts";
export { formatTopologyReport, type ReportContext, type TopologyReport, topologyReport } from "./topology-report.ts";
