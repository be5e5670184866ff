import { type BuildPlan, buildPlan } from "../../knowledge/artifacts/build-plan.ts";
import { modelPlan } from "../../knowledge/artifacts/model-plan.ts";
import type { HostFacts } from "../../knowledge/records/facts.ts";
import { startupBudgetSeconds } from "../../knowledge/service/process.ts";
import type { ServiceNode } from "../../knowledge/service/spec.ts";
import { gpusOf, missingGpus } from "../gpus.ts";
import type { Placement, ServiceRequest } from "../placement.ts";
import { type ServicePlace, servicePlan } from "./service-plan.ts";

/** One host, as far as a plan needs it. */
export interface PlannedHost {
    readonly name: string;
    /** Folder for everything but weights. */
    readonly root: string;
    /** `<project>/<stack>`. */
    readonly owner: string;
    /** Absent while nobody knows it. */
    readonly address?: string;
    /** Absent while nobody knows them. */
    readonly facts?: HostFacts;
}

/** Hosts that a service runs on; several for one server that spans them, the first of which serves. */
export interface HostsTarget {
    readonly kind: "hosts";
    readonly hosts: readonly PlannedHost[];
    /** GPU indices to use on each host. Defaults to all. */
    readonly gpus?: readonly number[] | undefined;
}

/** What only the engine knows of a service on a host. */
export interface HostBinding {
    /** Address of the first host. */
    readonly leaderAddress: string;
    /** Fingerprint and file of the API key, when there is one. */
    readonly apiKey?: ServicePlace["apiKey"];
}

/** What one rank of a service is placed with. */
export function placeOnHost(
    request: ServiceRequest<HostsTarget>,
    nodes: readonly ServiceNode[],
    rank: number,
    { leaderAddress, apiKey }: HostBinding,
): ServicePlace & { readonly build: BuildPlan } {
    const { hosts } = request.target;
    const { root, owner } = hosts[rank]!;
    const { facts, gpus } = nodes[rank]!;
    const model = modelPlan(request.model);
    return {
        root,
        owner,
        facts,
        gpus,
        build: buildPlan(request.build),
        model: { path: model.path, manifestDigest: model.manifestDigest ?? "not-pinned" },
        ...(apiKey ? { apiKey } : {}),
        ...(hosts.length > 1 ? { cluster: { nodes: hosts.length, rank, leaderAddress } } : {}),
        startupBudgetSeconds: startupBudgetSeconds(request.fields),
        ...(request.fields.adopt ? { adopt: true } : {}),
    };
}

/** Bare-metal hosts, reached over SSH and run by systemd. */
export const hostsPlacement: Placement<HostsTarget> = {
    kind: "hosts",

    nodes: ({ hosts, gpus }) =>
        hosts.every(({ facts }) => facts !== undefined)
            ? hosts.map(({ name, facts }) => ({ name, facts: facts!, gpus: gpusOf(facts!, gpus) }))
            : undefined,

    problems: ({ target: { hosts, gpus } }) => hosts.flatMap(({ name, facts }) => missingGpus(name, facts, gpus)),

    secretProblem: (kind) =>
        kind === "kubernetesSecret"
            ? "a Secret of a cluster is nowhere on a host: give its value as a stack secret, or a `hostFile`"
            : undefined,

    plan(service, nodes, request) {
        const [leader] = request.target.hosts;
        const { root, address = "0.0.0.0" } = leader!;
        const key = { fingerprint: "(of the key)", path: `${root}/secrets/${request.name}-key` };
        const binding = { leaderAddress: address, ...(request.apiKey ? { apiKey: key } : {}) };
        const place = placeOnHost(request, nodes, 0, binding);
        const { restartDigest, environment, argv, unit, unitName, ...plan } = servicePlan(service, place);
        const { digest, pinned } = place.build;
        const { release, source, python, cuda } = request.build;
        return {
            arguments: plan.arguments,
            environment,
            argv,
            restartDigest,
            buildDigest: digest,
            buildRows: {
                before: [
                    ["from", source ? `${source.repository} at ${source.commit}` : `the published wheel of ${release}`],
                    ["Python, CUDA", `${python}, ${cuda}`],
                ],
                after: [["packages", pinned ? "from the lock file, with hashes" : "not pinned: run pin"]],
            },
            listing: { title: `Unit ${unitName}`, text: unit },
            files: () => ({
                environment: Object.entries(environment)
                    .map(([name, value]) => `${name}=${value}\n`)
                    .sort()
                    .join(""),
                [unitName]: unit,
            }),
        };
    },
};
