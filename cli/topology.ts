import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { ProblemsError } from "../knowledge/base/problems.ts";
import {
    formatTopologyReport,
    ncclGraph,
    parseNumactl,
    parseTopology,
    type Topology,
    TopologyError,
    topologyReport,
} from "../knowledge/topology/index.ts";
import { ending } from "./arguments.ts";
import { type JsonOption, jsonOption } from "./json-option.ts";
import { topologySvg } from "./topology/topology-svg.ts";

interface Options extends JsonOption {
    readonly svg?: string;
    readonly numactl?: string;
    readonly ncclGraph?: string;
}

/** Declares `topology FILE`. */
export function declare(verb: Command): void {
    verb.argument("<FILE>", "the text of `nvidia-smi topo -m`; - is standard input")
        .option("--numactl <FILE>", "the text of `numactl --hardware` of the same host")
        .option("--svg <FILE>", "also draw the topology into a file")
        .option(
            "--nccl-graph <FILE>",
            "also write a graph file for NCCL over all GPUs of two sockets (NCCL_GRAPH_FILE; the row amd-two-sockets says when)",
        )
        .option(...jsonOption)
        .action(ending(run));
}

/** `topology FILE`: the parsed table and the NCCL environment that it leads to. Exit 2 with row and column for a table that cannot be read whole. */
function run(file: string, values: Options): number {
    const text = read(file === "-" ? 0 : file, file);
    const topology = whole(file, () => parseTopology(text));
    const numactl = values.numactl === undefined ? undefined : read(values.numactl, values.numactl);
    const nodes = numactl === undefined ? undefined : whole(values.numactl!, () => parseNumactl(numactl));
    const report = topologyReport(text, numactl === undefined ? {} : { numactl });
    if (values.svg !== undefined) {
        writeFileSync(values.svg, topologySvg(topology, nodes));
    }
    if (values.ncclGraph !== undefined) {
        writeGraph(file, values.ncclGraph, topology);
    }
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 4)}\n` : formatTopologyReport(report));
    return 0;
}

function writeGraph(file: string, target: string, topology: Topology): void {
    const graph = ncclGraph(topology);
    if ("refused" in graph) {
        throw new ProblemsError("There is no graph file for these GPUs:", [{ path: file, message: graph.refused }]);
    }
    writeFileSync(target, graph.xml);
}

/** Throws a {@link ProblemsError} for a text that cannot be read whole. */
function whole<T>(path: string, parse: () => T): T {
    try {
        return parse();
    } catch (error) {
        if (error instanceof TopologyError) {
            throw new ProblemsError("The text cannot be read whole:", [{ path, message: error.message }]);
        }
        throw error;
    }
}

function read(source: string | 0, name: string): string {
    try {
        return readFileSync(source, "utf8");
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const message = code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`;
        throw new ProblemsError("The topology cannot be read:", [{ path: name, message }]);
    }
}
