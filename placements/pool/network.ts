import { rendezvousPort } from "../../knowledge/service/process.ts";
import { labels, type NetworkPolicy, type PodDisruptionBudget, type Service, selector } from "./manifest.ts";
import { boardPort } from "./paths.ts";
import type { PoolServicePlan } from "./service-plan.ts";
import { headLabel, podsService } from "./workload.ts";

/** The Service that clients use: the pod of rank 0, once it is ready. */
export function clientService({ name, port, workload }: PoolServicePlan): Service {
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name, labels: labels(name, "server") },
        spec: {
            selector: { ...selector(name, "server"), ...headLabel(name, workload) },
            ports: [{ name: "api", port, targetPort: port }],
        },
    };
}

/** The Service by which pods find one another, and the verdict's job finds the board, before anything is ready. */
export function podsServiceManifest({ name }: PoolServicePlan): Service {
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: podsService(name), labels: labels(name, "server") },
        spec: {
            clusterIP: "None",
            publishNotReadyAddresses: true,
            selector: selector(name, "server"),
            ports: [
                { name: "board", port: boardPort, targetPort: boardPort },
                { name: "rendezvous", port: rendezvousPort, targetPort: rendezvousPort },
            ],
        },
    };
}

/**
 * Who may reach the server: anybody where there is an API key, else only the namespace. The board is for the namespace; the
 * pods of one server reach each other on every port, since NCCL chooses its own. Probes come from the node and always may.
 */
export function networkPolicy({ name, port, place }: PoolServicePlan): NetworkPolicy {
    const own = { podSelector: { matchLabels: selector(name, "server") } };
    const namespace = { podSelector: {} };
    const api = { ports: [{ port, protocol: "TCP" }] };
    return {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name, labels: labels(name, "server") },
        spec: {
            podSelector: { matchLabels: selector(name, "server") },
            policyTypes: ["Ingress"],
            ingress: [
                place.apiKey ? api : { from: [namespace], ...api },
                { from: [namespace], ports: [{ port: boardPort, protocol: "TCP" }] },
                { from: [own] },
            ],
        },
    };
}

/**
 * A drain asks before it ends a server that takes half an hour to load: it waits until somebody deletes the pod or scales the
 * workload down. A pod that is not ready may go at any time.
 */
export function disruptionBudget({ name }: PoolServicePlan): PodDisruptionBudget {
    return {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name, labels: labels(name, "server") },
        spec: {
            maxUnavailable: 0,
            selector: { matchLabels: selector(name, "server") },
            unhealthyPodEvictionPolicy: "AlwaysAllow",
        },
    };
}
